import { float32Text, float64Text } from '../../../src/base/decimal/float-text.ts';
import { isFloat, rawOfWritten } from '../../../src/database/raw-span.ts';
import type { DatabaseMessage, DatabaseSignal } from '../api/client.ts';
import { floatOf, integerOf, physicalOf, scaleOf } from './raw-value.ts';
import { activeSignals, readBits } from './signal-bits.ts';

export interface DecodedSignal {
  readonly signal: DatabaseSignal;
  /**
   * `short`: the frame is too short for the signal; `inactive`: not selected by its multiplexer.
   */
  readonly state: 'present' | 'short' | 'inactive';
  readonly raw: string;
  /** Null for NaN and infinity. */
  readonly value: string | null;
  readonly unit: string;
  readonly label: string | null;
}

/**
 * A label for the exact value takes precedence over one for its bit pattern. Of several, the
 * last one is used.
 */
const labelOf = (signal: DatabaseSignal, raw: bigint): string | null => {
  const entry =
    signal.values.findLast((each) => BigInt(each.raw) === raw) ??
    (isFloat(signal)
      ? undefined
      : signal.values.findLast((each) => rawOfWritten(signal, BigInt(each.raw)) === raw));
  return entry?.text ?? null;
};

const floatValue = (signal: DatabaseSignal, number: number, text: string): string | null => {
  const scale = Number.isFinite(number) ? scaleOf(signal) : null;
  return scale && (scale.isIdentity ? text : scale.textOfFloat(number));
};

const present = (signal: DatabaseSignal, pattern: bigint): DecodedSignal => {
  if (!isFloat(signal)) {
    const raw = integerOf(signal, pattern);
    const label = labelOf(signal, raw);
    return { signal, state: 'present', raw: raw.toString(), ...physicalOf(signal, raw), label };
  }
  const number = floatOf(signal, pattern);
  const raw = signal.kind === 'float32' ? float32Text(number) : float64Text(number);
  return {
    signal,
    state: 'present',
    raw,
    value: floatValue(signal, number, raw),
    unit: signal.unit,
    label: Number.isInteger(number) ? labelOf(signal, BigInt(number)) : null,
  };
};

const absent = (signal: DatabaseSignal, state: 'short' | 'inactive'): DecodedSignal => ({
  signal,
  state,
  raw: '',
  value: null,
  unit: signal.unit,
  label: null,
});

export const decodeMessage = (
  message: DatabaseMessage,
  data: Uint8Array,
): readonly DecodedSignal[] => {
  const active = new Set(activeSignals(message, (signal) => readBits(data, signal)));
  return message.signals.map((signal) => {
    if (!active.has(signal)) return absent(signal, 'inactive');
    const pattern = readBits(data, signal);
    return pattern === null ? absent(signal, 'short') : present(signal, pattern);
  });
};
