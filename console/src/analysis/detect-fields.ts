import type { BitIndex } from '../codec/signal-bits.ts';
import { type ChecksumFunction, checksumFunctions } from './checksum-functions.ts';

/** Payloads of equal length, the oldest first, one after another in `data`. */
export interface Payloads {
  readonly data: Uint8Array;
  readonly length: number;
  readonly count: number;
}

export interface DetectedField {
  readonly kind: 'counter' | 'checksum';
  readonly bits: readonly BitIndex[];
  /** `0 to 14`, or the function. */
  readonly rule: string;
  /** Frames, or steps of a counter, that follow the rule. */
  readonly agreed: number;
  readonly of: number;
}

/** Number of newest frames to search. */
export const searchedFrames = 512;

/** Fewer frames prove nothing. */
const minFrames = 64;
/** A corrupt or a lost frame must not hide a field. */
const agreedShare = 0.98;
/** The lowest bit of a counter modulo 3 changes in two of three steps. */
const lowestBitShare = 0.6;
const maxCounterBits = 32;
/**
 * More than 8 different results of a linear function are at least four independent ones: a wrong
 * function agrees with all by chance once in 2 to the 32nd times.
 */
const minResults = 9;
const sampleFrames = 12;
const sampleAgreed = 8;

const isAgreed = (agreed: number, of: number): boolean => agreed >= agreedShare * of;

const bitAt = ({ data, length }: Payloads, frame: number, bit: BitIndex): number =>
  ((data[frame * length + (bit >> 3)] as number) >> (bit & 7)) & 1;

const flipsOf = (payloads: Payloads): Uint32Array => {
  const flips = new Uint32Array(8 * payloads.length);
  for (let frame = 1; frame < payloads.count; frame++) {
    for (let byte = 0; byte < payloads.length; byte++) {
      const at = frame * payloads.length + byte;
      const before = payloads.data[at - payloads.length] as number;
      let bits = before ^ (payloads.data[at] as number);
      for (let bit = 8 * byte; bits !== 0; bit++, bits >>= 1) {
        if (bits & 1) flips[bit] = (flips[bit] as number) + 1;
      }
    }
  }
  return flips;
};

interface Steps {
  readonly agreed: number;
  readonly min: number;
  readonly max: number;
}

/** Counts steps by one, and from the largest value to the smallest, which is 0 or 1. */
const stepsOf = (payloads: Payloads, bits: readonly BitIndex[]): Steps => {
  const values = Array.from({ length: payloads.count }, (_, frame) =>
    bits.reduce((value, bit, weight) => value + bitAt(payloads, frame, bit) * 2 ** weight, 0),
  );
  const max = values.reduce((a, b) => Math.max(a, b));
  const min = values.reduce((a, b) => Math.min(a, b));
  let agreed = 0;
  for (let frame = 1; frame < values.length; frame++) {
    const [before, now] = [values[frame - 1] as number, values[frame] as number];
    const isWrap = before === max && now === min && min <= 1;
    if (now === before + 1 || isWrap) agreed++;
  }
  return { agreed, min, max };
};

/** The next higher bit: of Intel fields in the byte after, of Motorola fields in the one before. */
const nextBit = (bit: BitIndex, isIntel: boolean): BitIndex =>
  isIntel || (bit & 7) < 7 ? bit + 1 : bit - 15;

/** The widest counter whose lowest bit this is. */
const counterFrom = (
  payloads: Payloads,
  flips: Uint32Array,
  lowest: BitIndex,
): DetectedField | null => {
  const of = payloads.count - 1;
  let found: DetectedField | null = null;
  for (const isIntel of [true, false]) {
    const bits = [lowest];
    for (;;) {
      const bit = nextBit(bits.at(-1) as BitIndex, isIntel);
      if (!flips[bit] || bits.length >= maxCounterBits) break;
      bits.push(bit);
      const { agreed, min, max } = stepsOf(payloads, bits);
      if (!isAgreed(agreed, of) || max - min < 2 || bits.length <= (found?.bits.length ?? 1))
        continue;
      found = { kind: 'counter', bits: [...bits], rule: `${min} to ${max}`, agreed, of };
    }
  }
  return found;
};

const countersOf = (payloads: Payloads): DetectedField[] => {
  const flips = flipsOf(payloads);
  const counters: DetectedField[] = [];
  for (const [bit, count] of flips.entries()) {
    if (count < lowestBitShare * (payloads.count - 1)) continue;
    const counter = counterFrom(payloads, flips, bit);
    if (counter) counters.push(counter);
  }
  return counters;
};

/** Frames with the same constant: all, or those with the same value of a counter. The largest is first. */
type Groups = readonly (readonly number[])[];

type Bits = readonly BitIndex[];

/** A short field of the payload that begins there. */
const valueIn = (data: Uint8Array, from: number, bits: Bits): number => {
  let value = 0;
  for (let at = 0; at < bits.length; at++) {
    const bit = bits[at] as number;
    value |= (((data[from + (bit >> 3)] as number) >> (bit & 7)) & 1) << at;
  }
  return value;
};

const groupsBy = (payloads: Payloads, bits: Bits): Groups => {
  const groups = new Map<number, number[]>();
  for (let frame = 0; frame < payloads.count; frame++) {
    const value = valueIn(payloads.data, frame * payloads.length, bits);
    const group = groups.get(value);
    if (group) group.push(frame);
    else groups.set(value, [frame]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
};

interface Agreement {
  readonly agreed: number;
  /** Different results among those, above one of each group. */
  readonly results: number;
  readonly constant: number;
}

const agreementOf = (
  { data, length }: Payloads,
  frames: readonly number[],
  place: number,
  { of, apart }: ChecksumFunction,
): Agreement => {
  const results = new Uint8Array(frames.length);
  const constants = new Uint8Array(frames.length);
  const votes = new Uint32Array(256);
  for (const [at, frame] of frames.entries()) {
    const result = of(data, frame * length, length, place);
    const constant = apart(result, data[frame * length + place] as number);
    results[at] = result;
    constants[at] = constant;
    votes[constant] = (votes[constant] as number) + 1;
  }
  const agreed = Math.max(...votes);
  const winner = votes.indexOf(agreed);
  const distinct = new Set(results.filter((_, at) => constants[at] === winner));
  return { agreed, results: distinct.size - 1, constant: winner };
};

/** Most functions are ruled out by a few frames, which must have the same constant. */
const isPossible = (
  { data, length }: Payloads,
  sample: readonly number[],
  place: number,
  { of, apart }: ChecksumFunction,
): boolean => {
  const votes = new Map<number, number>();
  for (const frame of sample) {
    const result = of(data, frame * length, length, place);
    const constant = apart(result, data[frame * length + place] as number);
    const count = (votes.get(constant) ?? 0) + 1;
    if (count === sampleAgreed) return true;
    votes.set(constant, count);
  }
  return false;
};

const varyingBytes = ({ data, length, count }: Payloads): readonly number[] => {
  const bytes: number[] = [];
  for (let byte = 0; byte < length; byte++) {
    for (let frame = 1; frame < count; frame++) {
      if (data[frame * length + byte] === data[byte]) continue;
      bytes.push(byte);
      break;
    }
  }
  return bytes;
};

const bitsOfByte = (byte: number): readonly BitIndex[] =>
  Array.from({ length: 8 }, (_, bit) => 8 * byte + bit);

/** Whether each bit of a byte is constant or always equals, or never equals, a bit of another byte. */
const isCopy = (payloads: Payloads, place: number): boolean => {
  const columnOf = (bit: BitIndex): string => {
    const first = bitAt(payloads, 0, bit);
    const values = Array.from(
      { length: payloads.count },
      (_, frame) => bitAt(payloads, frame, bit) ^ first,
    );
    return values.join('');
  };
  const others = new Set(['0'.repeat(payloads.count)]);
  for (let byte = 0; byte < payloads.length; byte++) {
    if (byte !== place) for (const bit of bitsOfByte(byte)) others.add(columnOf(bit));
  }
  return bitsOfByte(place).every((bit) => others.has(columnOf(bit)));
};

export interface DetectedChecksum {
  readonly field: DetectedField;
  /** Whether the checksum of the payload that begins there is right. */
  readonly isRight: (data: Uint8Array, from: number) => boolean;
}

/** `selector` are bits whose value selects the constant; none if there is one constant. */
const checksumBy = (
  payloads: Payloads,
  selector: Bits,
  groups: Groups,
  places: readonly number[],
  checksum: ChecksumFunction,
): DetectedChecksum | null => {
  const [largest = []] = groups;
  const sample = largest.slice(0, sampleFrames);
  const found = places.flatMap((place) => {
    if (!isPossible(payloads, sample, place, checksum)) return [];
    const parts = groups.map((frames) => agreementOf(payloads, frames, place, checksum));
    const agreed = parts.reduce((sum, part) => sum + part.agreed, 0);
    const results = parts.reduce((sum, part) => sum + part.results, 0);
    const isProven = isAgreed(agreed, payloads.count) && results >= minResults - 1;
    return isProven && !isCopy(payloads, place) ? [{ place, agreed, parts }] : [];
  });
  // If XOR or sum of all bytes is constant, each byte is a function of the others: only a place at
  // an end of the payload separates a checksum from data.
  const ends = [payloads.length - 1, 0];
  const atEnd = ends.flatMap((end) => found.filter(({ place }) => place === end));
  const best = found.length === 1 ? found[0] : atEnd[0];
  if (!best) return null;
  const rule = groups.length > 1 ? `${checksum.name}, by counter value` : checksum.name;
  const { place, agreed, parts } = best;
  const bits = bitsOfByte(place);
  const { data: seen, length } = payloads;
  const constants = new Map(
    groups.map(([frame = 0], at) => [
      valueIn(seen, frame * length, selector),
      parts[at]?.constant ?? 0,
    ]),
  );
  return {
    field: { kind: 'checksum', bits, rule, agreed, of: payloads.count },
    isRight: (data, from) => {
      const constant = constants.get(valueIn(data, from, selector));
      const result = checksum.of(data, from, length, place);
      // Nothing is known of a value that no frame had.
      return (
        constant === undefined || checksum.apart(result, data[from + place] as number) === constant
      );
    },
  };
};

const checksumOf = (
  payloads: Payloads,
  counters: readonly DetectedField[],
): DetectedChecksum | null => {
  const varying = varyingBytes(payloads);
  const counted = new Set(counters.flatMap(({ bits }) => bits));
  const places = varying.filter((byte) => !bitsOfByte(byte).every((bit) => counted.has(bit)));
  const short = counters.map(({ bits }) => bits).filter(({ length }) => length <= 4);
  for (const selector of [[], ...short]) {
    const groups = groupsBy(payloads, selector);
    for (const checksum of checksumFunctions) {
      // A copy of another byte is no sum.
      if (!checksum.isCrc && varying.length < 3) continue;
      const found = checksumBy(payloads, selector, groups, places, checksum);
      if (found) return found;
    }
  }
  return null;
};

const canProve = ({ count, length }: Payloads): boolean => count >= minFrames && length > 0;

export const detectChecksum = (payloads: Payloads): DetectedChecksum | null =>
  canProve(payloads) ? checksumOf(payloads, countersOf(payloads)) : null;

/**
 * Counters that step by one with each frame, and a byte that is a checksum of the others. Found
 * only where the frames prove it: an idle message has too few different payloads.
 */
export const detectFields = (payloads: Payloads): readonly DetectedField[] => {
  if (!canProve(payloads)) return [];
  const counters = countersOf(payloads);
  const checksum = checksumOf(payloads, counters);
  return checksum ? [...counters, checksum.field] : counters;
};
