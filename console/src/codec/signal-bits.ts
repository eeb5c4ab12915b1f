import { bitOf, bytesFor as bytesOf } from '../../../src/database/layout.ts';
import { patternsOf } from '../../../src/database/switch-patterns.ts';
import type { DatabaseMessage, DatabaseSignal } from '../api/client.ts';

/** The bits that a signal has; null if they are not known. */
type PatternOf = (signal: DatabaseSignal) => bigint | null;

/** Whether a pattern of the switch is among those that the ranges of the signal mean. */
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

/** The signals that are in the message while its switches stand as they do, in their order. */
export const activeSignals = (
  { signals }: Pick<DatabaseMessage, 'signals'>,
  patternOf: PatternOf,
): readonly DatabaseSignal[] => {
  // Of several with one name the first is meant.
  const byName = new Map(signals.toReversed().map((signal) => [signal.name, signal]));
  const isActive = (signal: DatabaseSignal, below: readonly DatabaseSignal[]): boolean => {
    if (!signal.multiplexing) return true;
    const over = byName.get(signal.multiplexing.switch);
    // A switch that depends on itself is never there.
    if (!over || below.includes(over) || !isActive(over, [...below, over])) return false;
    const pattern = patternOf(over);
    return pattern !== null && selects(signal, over, pattern);
  };
  return signals.filter((signal) => isActive(signal, [signal]));
};

type Placed = Pick<DatabaseSignal, 'start_bit' | 'length' | 'byte_order'>;

/** Where a bit lies: eight times its byte, and its place in the byte counted from the lowest. */
export type BitPlace = number;

/** A signal as the service's own layout takes it. */
const placeOf = ({ start_bit, length, byte_order }: Placed) => ({
  startBit: start_bit,
  length,
  byteOrder: byte_order,
});

/** The bits of a signal, the least significant first. */
export const bitsOf = (signal: Placed): readonly BitPlace[] => {
  const place = placeOf(signal);
  const bits = Array.from({ length: signal.length }, (_, index) => bitOf(place, index));
  return place.byteOrder === 'intel' ? bits : bits.reverse();
};

/** Bytes that a payload needs to hold a signal. */
export const bytesFor = (signal: Placed): number => bytesOf(placeOf(signal));

/** The unsigned number in the bits of a signal; null if the data ends before the last of them. */
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

/** Puts a pattern of bits where the signal lies; other bits stay as they are. */
export const writeBits = (data: Uint8Array, signal: Placed, pattern: bigint): void => {
  for (const [index, place] of bitsOf(signal).entries()) {
    const weight = 1 << (place & 7);
    const byte = data[place >> 3] ?? 0;
    data[place >> 3] = (pattern >> BigInt(index)) & 1n ? byte | weight : byte & ~weight;
  }
};
