import { bitOf, bytesFor as bytesOf } from '../../../src/database/layout.ts';
import { patternsOf } from '../../../src/database/switch-patterns.ts';
import type { DatabaseMessage, DatabaseSignal } from '../api/client.ts';

type PatternOf = (signal: DatabaseSignal) => bigint | null;

const selects = (
  { multiplexing }: DatabaseSignal,
  { length }: DatabaseSignal,
  pattern: bigint,
): boolean => {
  const ranges = multiplexing?.ranges.map((range) => ({
    from: BigInt(range.from),
    to: BigInt(range.to),
  }));
  return patternsOf(ranges ?? [], length).some(({ from, to }) => pattern >= from && pattern <= to);
};

export const activeSignals = (
  { signals }: Pick<DatabaseMessage, 'signals'>,
  patternOf: PatternOf,
): readonly DatabaseSignal[] => {
  // The first of several signals with the same name is used.
  const byName = new Map(signals.toReversed().map((signal) => [signal.name, signal]));
  const isActive = (signal: DatabaseSignal, below: readonly DatabaseSignal[]): boolean => {
    if (!signal.multiplexing) return true;
    const over = byName.get(signal.multiplexing.switch);
    // A multiplexer that depends on itself is never active.
    if (!over || below.includes(over) || !isActive(over, [...below, over])) return false;
    const pattern = patternOf(over);
    return pattern !== null && selects(signal, over, pattern);
  };
  return signals.filter((signal) => isActive(signal, [signal]));
};

type Placed = Pick<DatabaseSignal, 'start_bit' | 'length' | 'byte_order'>;

/** Position of a bit: 8 × byte + bit, where bit 0 is the least significant. */
export type BitIndex = number;

const placeOf = ({ start_bit, length, byte_order }: Placed) => ({
  startBit: start_bit,
  length,
  byteOrder: byte_order,
});

export const bitsOf = (signal: Placed): readonly BitIndex[] => {
  const place = placeOf(signal);
  const bits = Array.from({ length: signal.length }, (_, index) => bitOf(place, index));
  return place.byteOrder === 'intel' ? bits : bits.reverse();
};

export const bytesFor = (signal: Placed): number => bytesOf(placeOf(signal));

export const readBits = (data: Uint8Array, signal: Placed): bigint | null => {
  const places = bitsOf(signal);
  let pattern = 0n;
  for (let i = places.length - 1; i >= 0; i--) {
    const place = places[i] as number;
    const byte = data[place >> 3];
    if (byte === undefined) return null;
    pattern = (pattern << 1n) | BigInt((byte >> (place & 7)) & 1);
  }
  return pattern;
};

export const writeBits = (data: Uint8Array, signal: Placed, pattern: bigint): void => {
  for (const [index, place] of bitsOf(signal).entries()) {
    const weight = 1 << (place & 7);
    const byte = data[place >> 3] ?? 0;
    data[place >> 3] = (pattern >> BigInt(index)) & 1n ? byte | weight : byte & ~weight;
  }
};
