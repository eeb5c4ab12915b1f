import type { DatabaseMessage, DatabaseSignal } from '../api/schema.ts';
import {
  added,
  doubleText,
  exactDecimal,
  exactDouble,
  exactText,
  multiplied,
  singleText,
} from './exact-decimal.ts';
import { bitsOf, rawBits } from './signal-bits.ts';

/** A signal as a frame has it. */
export interface DecodedSignal {
  readonly signal: DatabaseSignal;
  /**
   * - `present`
   * - `short`: the frame ends before it
   * - `inactive`: its multiplexer says something else
   */
  readonly state: 'present' | 'short' | 'inactive';
  /** The bits as they are read: an integer, or the shortest decimal of a float. */
  readonly raw: string;
  /** The physical value to its last digit; null for floats that are no number. */
  readonly value: string | null;
  readonly label: string | null;
}

const cell = new DataView(new ArrayBuffer(8));

const floatOf = (raw: bigint, kind: DatabaseSignal['kind']): number => {
  cell.setBigUint64(0, raw);
  return kind === 'float32' ? cell.getFloat32(4) : cell.getFloat64(0);
};

const isFloat = ({ kind }: DatabaseSignal): boolean => kind === 'float32' || kind === 'float64';

const integerOf = ({ kind, length }: DatabaseSignal, raw: bigint): bigint =>
  kind === 'signed' ? BigInt.asIntN(length, raw) : raw;

/** Some databases write −1 of a signed byte as 255, and others the other way round. */
const isSame = ({ length }: DatabaseSignal, a: bigint, b: bigint): boolean =>
  a === b || BigInt.asUintN(length, a) === BigInt.asUintN(length, b);

const labelOf = (signal: DatabaseSignal, raw: bigint): string | null => {
  const exact = signal.values.findLast((entry) => BigInt(entry.raw) === raw);
  const meant = exact ?? signal.values.findLast((entry) => isSame(signal, BigInt(entry.raw), raw));
  return meant?.text ?? null;
};

const scaled = ({ factor, offset }: DatabaseSignal, raw: bigint | number): string | null => {
  const [by, plus] = [exactDecimal(factor), exactDecimal(offset)];
  if (by === null || plus === null) return null;
  const number = typeof raw === 'bigint' ? { digits: raw, exponent: 0 } : exactDouble(raw);
  return exactText(added(multiplied(number, by), plus));
};

const isUnscaled = ({ factor, offset }: DatabaseSignal): boolean =>
  Number(factor) === 1 && Number(offset) === 0;

const present = (signal: DatabaseSignal, bits: bigint): DecodedSignal => {
  if (!isFloat(signal)) {
    const raw = integerOf(signal, bits);
    const value = scaled(signal, raw);
    const label = labelOf(signal, raw);
    return { signal, state: 'present', raw: raw.toString(), value, label };
  }
  const number = floatOf(bits, signal.kind);
  const raw = signal.kind === 'float32' ? singleText(number) : doubleText(number);
  const value = isUnscaled(signal) ? raw : scaled(signal, Number.isFinite(number) ? number : 0);
  return {
    signal,
    state: 'present',
    raw,
    value: Number.isFinite(number) ? value : null,
    label: Number.isInteger(number) ? labelOf(signal, BigInt(number)) : null,
  };
};

const absent = (signal: DatabaseSignal, state: 'short' | 'inactive'): DecodedSignal => ({
  signal,
  state,
  raw: '',
  value: null,
  label: null,
});

/** Every signal of a message as the data of a frame has it, in the order of the database. */
export const decodeMessage = (
  { signals }: DatabaseMessage,
  data: Uint8Array,
): readonly DecodedSignal[] => {
  const byName = new Map(signals.map((signal) => [signal.name, signal]));
  const bitsIn = (signal: DatabaseSignal): bigint | null => rawBits(data, bitsOf(signal));

  /** Whether the switches above a signal select it; a switch that leads back to itself does not. */
  const isActive = (signal: DatabaseSignal, above: ReadonlySet<string>): boolean => {
    const { multiplexing } = signal;
    if (multiplexing === null) return true;
    const switched = byName.get(multiplexing.switch);
    if (!switched || above.has(switched.name)) return false;
    if (!isActive(switched, new Set([...above, switched.name]))) return false;
    const bits = bitsIn(switched);
    if (bits === null) return false;
    const readings = [bits, BigInt.asIntN(switched.length, bits)];
    const seen = switched.kind === 'signed' ? readings : readings.slice(0, 1);
    return multiplexing.ranges.some(({ from, to }) =>
      seen.some((value) => value >= BigInt(from) && value <= BigInt(to)),
    );
  };

  return signals.map((signal) => {
    if (!isActive(signal, new Set([signal.name]))) return absent(signal, 'inactive');
    const bits = bitsIn(signal);
    return bits === null ? absent(signal, 'short') : present(signal, bits);
  });
};
