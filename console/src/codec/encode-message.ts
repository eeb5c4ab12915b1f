import { rawOfWritten } from '../../../src/database/raw-span.ts';
import { fdLengths } from '../../../src/frame/dlc.ts';
import type { DatabaseMessage, DatabaseSignal } from '../api/client.ts';
import {
  type EncodedSignal,
  encodeSignal,
  initialValue,
  type SignalInput,
} from './encode-signal.ts';
import { physicalOf } from './raw-value.ts';
import { activeSignals, bytesFor, writeBits } from './signal-bits.ts';

/** CAN FD does not have every length above 8. */
export const frameLength = ({ fd, length }: Pick<DatabaseMessage, 'fd' | 'length'>): number =>
  fd ? (fdLengths.find((each) => each >= length) ?? length) : length;

export interface ComposedSignal {
  readonly signal: DatabaseSignal;
  readonly input: SignalInput;
  readonly encoded: EncodedSignal;
  /** The sender has named it; otherwise it has its start value. */
  readonly isNamed: boolean;
}

export interface ComposedMessage {
  readonly bytes: Uint8Array;
  readonly signals: readonly ComposedSignal[];
  readonly left: number;
  readonly isComplete: boolean;
}

export type SignalInputs = Readonly<Record<string, SignalInput>>;

const within = (
  { length }: DatabaseMessage,
  signal: DatabaseSignal,
  encoded: EncodedSignal,
): EncodedSignal =>
  bytesFor(signal) <= length
    ? encoded
    : { ...encoded, pattern: null, problem: `Outside the ${length}-byte message` };

/** Signals that are written last: those that the sender names. */
const namedLast = (one: ComposedSignal, other: ComposedSignal): number =>
  Number(one.isNamed) - Number(other.isNamed);

/** Bits without a signal are 1 in J1939 and LIN. */
const fillOf = ({ pgn, lin }: DatabaseMessage): number => (pgn === null && lin === null ? 0 : 0xff);

export const encodeMessage = (message: DatabaseMessage, inputs: SignalInputs): ComposedMessage => {
  const compose = (signal: DatabaseSignal): ComposedSignal => {
    const given = Object.hasOwn(inputs, signal.name) ? inputs[signal.name] : undefined;
    if (!given) {
      const initial = initialValue(signal, message.pgn !== null);
      return {
        signal,
        isNamed: false,
        ...initial,
        encoded: within(message, signal, initial.encoded),
      };
    }
    const encoded = within(message, signal, encodeSignal(signal, given));
    return { signal, isNamed: true, input: given, encoded };
  };
  const all = new Map(message.signals.map((signal) => [signal, compose(signal)]));
  const active = activeSignals(message, (signal) => all.get(signal)?.encoded.pattern ?? null);
  const signals = active.flatMap((signal) => all.get(signal) ?? []);
  const bytes = new Uint8Array(frameLength(message)).fill(fillOf(message));
  for (const { signal, encoded } of [...signals].sort(namedLast)) {
    if (encoded.pattern !== null) writeBits(bytes, signal, encoded.pattern);
  }
  return {
    bytes,
    signals,
    left: message.signals.length - active.length,
    isComplete: signals.every(({ encoded }) => encoded.problem === null),
  };
};

const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The label of a written raw value. One that is a number, or that several values have, would mean
 * another value.
 */
export const textOfLabel = (signal: DatabaseSignal, raw: string): string => {
  const label = signal.values.find((each) => each.raw === raw)?.text;
  const isClear = signal.values.filter(({ text }) => text === label).length === 1;
  if (label !== undefined && isClear && !numberText.test(label)) return label;
  const held = rawOfWritten(signal, BigInt(raw)) ?? BigInt(raw);
  return physicalOf(signal, held).value ?? raw;
};

const textOf = ({ signal, input, encoded, isNamed }: ComposedSignal): string => {
  if (!isNamed) return physicalOf(signal, BigInt(encoded.raw)).value ?? encoded.raw;
  return input.as === 'physical' ? input.text.trim() : textOfLabel(signal, input.text);
};

/**
 * Texts by which the service encodes the same frame: named signals, with the multiplexers that
 * select them.
 */
export const signalTexts = ({ signals }: ComposedMessage): Readonly<Record<string, string>> => {
  const named = signals.filter(({ isNamed }) => isNamed);
  const isMultiplexed = named.some(({ signal }) => signal.multiplexing !== null);
  const sent = isMultiplexed
    ? signals.filter(({ isNamed, signal }) => isNamed || signal.is_switch)
    : named;
  return Object.fromEntries(sent.map((each) => [each.signal.name, textOf(each)]));
};

/** The input that a text means; the opposite of `signalTexts`. */
export const inputOf = ({ values }: DatabaseSignal, text: string): SignalInput => {
  const label = numberText.test(text) ? undefined : values.find((each) => each.text === text);
  return label ? { as: 'raw', text: label.raw } : { as: 'physical', text };
};
