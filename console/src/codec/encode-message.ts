import { fdLengths } from '../../../src/frame/dlc.ts';
import type { DatabaseMessage, DatabaseSignal } from '../api/client.ts';
import {
  type EncodedSignal,
  encodeSignal,
  initialInput,
  type SignalInput,
} from './encode-signal.ts';
import { activeSignals, bytesFor, writeBits } from './signal-bits.ts';

/** CAN FD does not have every length above 8. */
export const frameLength = ({ fd, length }: Pick<DatabaseMessage, 'fd' | 'length'>): number =>
  fd ? (fdLengths.find((each) => each >= length) ?? length) : length;

export interface ComposedSignal {
  readonly signal: DatabaseSignal;
  readonly input: SignalInput;
  readonly encoded: EncodedSignal;
}

export interface ComposedMessage {
  readonly bytes: Uint8Array;
  readonly signals: readonly ComposedSignal[];
  readonly left: number;
  readonly isComplete: boolean;
}

export type SignalInputs = Readonly<Record<string, SignalInput>>;

const encodeIn = (
  { length }: DatabaseMessage,
  signal: DatabaseSignal,
  input: SignalInput,
): EncodedSignal => {
  const encoded = encodeSignal(signal, input);
  if (bytesFor(signal) <= length) return encoded;
  return { ...encoded, pattern: null, problem: `Outside the ${length}-byte message` };
};

export const encodeMessage = (message: DatabaseMessage, inputs: SignalInputs): ComposedMessage => {
  const all = new Map(
    message.signals.map((signal) => {
      const given = Object.hasOwn(inputs, signal.name) ? inputs[signal.name] : undefined;
      const input = given ?? initialInput(signal);
      return [signal, { signal, input, encoded: encodeIn(message, signal, input) }];
    }),
  );
  const active = activeSignals(message, (signal) => all.get(signal)?.encoded.pattern ?? null);
  const signals = active.flatMap((signal) => all.get(signal) ?? []);
  const bytes = new Uint8Array(frameLength(message));
  for (const { signal, encoded } of signals) {
    if (encoded.pattern !== null) writeBits(bytes, signal, encoded.pattern);
  }
  return {
    bytes,
    signals,
    left: message.signals.length - active.length,
    isComplete: signals.every(({ encoded }) => encoded.problem === null),
  };
};
