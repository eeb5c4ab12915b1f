import { invalidArgument } from '../base/errors/busbar-error.ts';
import { networkPosition } from '../database/layout.ts';
import type { ByteOrder, RawKind, Signal } from '../database/model.ts';

/** Bits of the longest signal: a CAN FD payload as one number. */
export const maxSignal = 512;
/** Upper bound of start bits, beyond every transport protocol. */
const startBits = 2 ** 19;

/**
 * Bit positions of a signal. A payload is read as 32-bit words, little-endian for Intel and
 * big-endian for Motorola, so the bits of every signal are contiguous. Motorola signals
 * continue in the previous word.
 */
export interface SignalLayout {
  readonly byteOrder: ByteOrder;
  readonly length: number;
  readonly firstByte: number;
  readonly endByte: number;
  readonly word: number;
  readonly shift: number;
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
    throw invalidArgument(name, `${name} has an invalid start bit`, { startBit });
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

export const layoutOf = (signal: Signal): SignalLayout => {
  checkShape(signal);
  const { byteOrder, startBit, length } = signal;
  return byteOrder === 'intel' ? intelLayout(startBit, length) : motorolaLayout(startBit, length);
};
