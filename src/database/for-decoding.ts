import type { Message, Signal } from './model.ts';

/** Files can contain a comment of one megabyte. */
const maxShown = 256;

export const shortened = (text: string): string =>
  text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;

export const maxSignals = 4096;
const maxValues = 100_000;

export const valuesOf = (signals: readonly Signal[]): number =>
  signals.reduce((sum, { values, ranges }) => sum + values.length + (ranges?.length ?? 0), 0);

/** False for messages of hostile files: decoding all of their signals would take too long. */
export const isDecodable = (signals: readonly Signal[]): boolean =>
  signals.length <= maxSignals && valuesOf(signals) <= maxValues;

/**
 * Removes descriptive strings, because the message is copied to another thread and kept there.
 */
export const forDecoding = ({ sharedName: _, ...message }: Message): Message => ({
  ...message,
  comment: null,
  attributes: {},
  signals: message.signals.map(({ sharedName: _, ...signal }) => ({
    ...signal,
    comment: null,
    attributes: {},
    receivers: [],
    unit: shortened(signal.unit),
    values: signal.values.map(({ raw, text }) => ({ raw, text: shortened(text) })),
  })),
});
