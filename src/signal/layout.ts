import { invalidArgument } from '../base/errors/busbar-error.ts';
import { networkPosition } from '../database/layout.ts';
import type { ByteOrder, RawKind, Signal } from '../database/model.ts';

/** Bits of the longest signal: a CAN FD payload as one number. */
export const maxSignal = 512;
/** Start bits end here, which is past every transport protocol. */
const startBits = 2 ** 19;

/**
 * Where the bits of a signal are. A payload is seen as words of four bytes, least significant byte
 * first for Intel and most significant byte first for Motorola; so seen, the bits of every signal
 * are contiguous, and Motorola signals go on in the word before.
 */
export interface SignalLayout {
  readonly byteOrder: ByteOrder;
  readonly length: number;
  /** The bytes that hold it, all of those between included: first one and the one after the last. */
  readonly firstByte: number;
  readonly endByte: number;
  /** The word with the least significant bit, and the place of that bit in it. */
  readonly word: number;
  readonly shift: number;
  /** From a word to the next more significant one. */
  readonly step: 1 | -1;
}

const floatLengths: Readonly<Partial<Record<RawKind, number>>> = { float32: 32, float64: 64 };

const checkShape = ({ name, kind, length, startBit }: Signal): void => {
  if (!Number.isInteger(length) || length < 1 || length > maxSignal) {
    throw invalidArgument(name, `${name} must have 1 to ${maxSignal} bits`, { length });
  }
  const floatLength = floatLengths[kind];
  if (floatLength !== undefined && length !== floatLength) {
    throw invalidArgument(name, `${name} is ${kind} and must have ${floatLength} bits`, { length });
  }
  if (!Number.isInteger(startBit) || startBit < 0 || startBit >= startBits) {
    throw invalidArgument(name, `${name} has no valid start bit`, { startBit });
  }
};

const intelLayout = (startBit: number, length: number): SignalLayout => ({
  byteOrder: 'intel',
  length,
  firstByte: startBit >> 3,
  endByte: ((startBit + length - 1) >> 3) + 1,
  word: startBit >> 5,
  shift: startBit & 31,
  step: 1,
});

const motorolaLayout = (startBit: number, length: number): SignalLayout => {
  // Positions count from the first bit on the wire: byte by byte, most significant bit first.
  const first = networkPosition(startBit);
  const last = first + length - 1;
  return {
    byteOrder: 'motorola',
    length,
    firstByte: first >> 3,
    endByte: (last >> 3) + 1,
    word: last >> 5,
    shift: 31 - (last & 31),
    step: -1,
  };
};

/** Where a signal is; refuses one that cannot be anywhere, by its name. */
export const layoutOf = (signal: Signal): SignalLayout => {
  checkShape(signal);
  const { byteOrder, startBit, length } = signal;
  return byteOrder === 'intel' ? intelLayout(startBit, length) : motorolaLayout(startBit, length);
};
