import type { Message, Signal } from '../../database/model.ts';

/**
 * Decoding and encoding bit by bit, from the definition of the layouts: slow and simple, to check
 * the generated functions without sharing code.
 */

/** Numbers of a signal's bits, most significant first. */
const bitNumbersOf = ({ startBit, length, byteOrder }: Signal): number[] => {
  if (byteOrder === 'intel') {
    return Array.from({ length }, (_, place) => startBit + length - 1 - place);
  }
  const numbers: number[] = [];
  let number = startBit;
  while (numbers.length < length) {
    numbers.push(number);
    number = number % 8 === 0 ? number + 15 : number - 1;
  }
  return numbers;
};

const fits = (signal: Signal, length: number): boolean =>
  bitNumbersOf(signal).every((number) => number < length * 8);

/** The bits of a signal as an unsigned integer. */
export const referencePattern = (signal: Signal, payload: Uint8Array): bigint =>
  bitNumbersOf(signal).reduce((sum, number) => {
    const byte = payload[Math.floor(number / 8)] ?? 0;
    return sum * 2n + BigInt(Math.floor(byte / 2 ** (number % 8)) % 2);
  }, 0n);

/** The raw value of some bits. */
export const referenceRaw = ({ kind, length }: Signal, pattern: bigint): number | bigint => {
  const view = new DataView(new ArrayBuffer(8));
  switch (kind) {
    case 'float32':
      view.setUint32(0, Number(pattern));
      return view.getFloat32(0);
    case 'float64':
      view.setBigUint64(0, pattern);
      return view.getFloat64(0);
    case 'signed': {
      const half = 2n ** BigInt(length - 1);
      return pattern >= half ? pattern - 2n * half : pattern;
    }
    default:
      return pattern;
  }
};

/** Raw values of all signals of a message; null for those not present. */
export const referenceDecode = (
  { signals }: Message,
  payload: Uint8Array,
): (number | bigint | null)[] => {
  const isPresent = (signal: Signal): boolean => {
    if (!fits(signal, payload.length)) return false;
    if (signal.multiplexing === null) return true;
    const { ranges, switch: name } = signal.multiplexing;
    const parent = signals.find((one) => one.name === name);
    if (parent === undefined || !isPresent(parent)) return false;
    const pattern = referencePattern(parent, payload);
    return ranges.some(({ from, to }) => pattern >= from && pattern <= to);
  };
  return signals.map((signal) =>
    isPresent(signal) ? referenceRaw(signal, referencePattern(signal, payload)) : null,
  );
};

/** A copy of the payload with the bits of one signal replaced. */
export const referenceEncode = (
  signal: Signal,
  pattern: bigint,
  payload: Uint8Array,
): Uint8Array => {
  const result = payload.slice();
  for (const [place, number] of bitNumbersOf(signal).reverse().entries()) {
    const at = Math.floor(number / 8);
    const weight = 2 ** (number % 8);
    const byte = result[at] ?? 0;
    const cleared = byte - (Math.floor(byte / weight) % 2) * weight;
    result[at] = cleared + Number((pattern / 2n ** BigInt(place)) % 2n) * weight;
  }
  return result;
};
