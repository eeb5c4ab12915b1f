import type { FloatKind } from '../base/decimal/nearest-float.ts';
import type { RawKind, Signal } from './model.ts';

type Shape = Pick<Signal, 'kind' | 'length'>;

export interface RawSpan {
  readonly lowest: bigint;
  readonly highest: bigint;
}

/** `Math.min` does not accept bigint. */
export const lesserOf = (one: bigint, other: bigint): bigint => {
  if (one < other) return one;
  return other;
};

export const greaterOf = (one: bigint, other: bigint): bigint =>
  one === lesserOf(one, other) ? other : one;

export const isFloat = <Of extends { readonly kind: RawKind }>(
  signal: Of,
): signal is Of & { readonly kind: FloatKind } =>
  signal.kind === 'float32' || signal.kind === 'float64';

export const rawSpanOf = ({ kind, length }: Shape): RawSpan => {
  const values = 1n << BigInt(length);
  return kind === 'signed'
    ? { lowest: -values / 2n, highest: values / 2n - 1n }
    : { lowest: 0n, highest: values - 1n };
};

/**
 * Raw value that a file means: with 8 bits, 255 means −1 for a signed signal, and −1 means 255
 * for an unsigned one. Null if it is out of range.
 */
export const rawOfWritten = (signal: Shape, written: bigint): bigint | null => {
  const { lowest, highest } = rawSpanOf(signal);
  if (written >= lowest && written <= highest) return written;
  const values = 1n << BigInt(signal.length);
  if (signal.kind === 'signed') return written > 0n && written < values ? written - values : null;
  return written < 0n && written >= -values / 2n ? written + values : null;
};
