import type { DecodedFrame, DecodedSignal } from './event-record.ts';

/** Longest text of a decoded frame. Only hostile databases have more in one frame. */
export const maxDecodedText = 128 * 1024;

const aroundSignal = 64;

export const signalTextSize = ({ signal, value, raw, unit, label }: DecodedSignal): number =>
  aroundSignal +
  signal.length +
  (value?.length ?? 0) +
  raw.length +
  unit.length +
  (label?.length ?? 0);

export const decodedTextSize = ({ message, signals }: DecodedFrame): number =>
  signals.reduce((sum, signal) => sum + signalTextSize(signal), message?.length ?? 0);

export type DecodeRecord = (record: DataView, at: number) => DecodedFrame | null;

const amountOf = ({ value, label, unit }: DecodedSignal): string =>
  label ?? [value ?? '-', unit].filter(Boolean).join(' ');

/** ` :: Engine(EngineSpeed: 820.25 rpm, Gear: drive)`; empty for unknown frames. */
export const decodedText = (frame: DecodedFrame | null | undefined): string => {
  if (!frame || frame.message === null) return '';
  const signals = frame.signals.map((signal) => `${signal.signal}: ${amountOf(signal)}`);
  return ` :: ${frame.message}(${signals.join(', ')})`;
};
