/**
 * CAN frames in slcan syntax, the same in both directions:
 *
 *     t 123 2 AABB [1A2B]          classic, 11 bits     r 123 2           remote
 *     T 12345678 2 AABB [1A2B]     classic, 29 bits     R 12345678 2
 *     d 123 9 0011…                CAN FD               b 123 9 0011…     CAN FD with BRS
 *     D 12345678 9 0011…                                B 12345678 9 0011…
 *
 * Letter, identifier, DLC in hex, data. Received frames may have a timestamp of 4 digits in
 * milliseconds or 8 digits in microseconds. These functions do not allocate.
 */
import { dlcToLength, maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { maxExtendedId, maxStandardId } from '../../frame/frame.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { WireFrame } from '../port-reporter.ts';

const { brs, esi, extended, fd, remote } = frameFlag;

const speakable = brs | extended | fd | remote;

const flagsOf = new Int8Array(128).fill(-1);
const letterOf = new Uint8Array(speakable + 1);
for (const [letter, flags] of [
  ['t', 0],
  ['r', remote],
  ['d', fd],
  ['b', fd | brs],
] as const) {
  const small = letter.charCodeAt(0);
  const large = letter.toUpperCase().charCodeAt(0);
  flagsOf[small] = flags;
  flagsOf[large] = flags | extended;
  letterOf[flags] = small;
  letterOf[flags | extended] = large;
}

const digits = new Uint8Array(16).map((_, value) => value.toString(16).toUpperCase().charCodeAt(0));
const digitValues = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = digits[value] as number;
  digitValues[digit] = value;
  // Clones also use lower case.
  if (value > 9) digitValues[digit + 0x20] = value;
}

const standardIdDigits = 3;
const extendedIdDigits = 8;
const carriageReturn = 0x0d;

export const maxFrameTextLength = 1 + extendedIdDigits + 1 + 2 * maxFdLength + 1;

export type StampDigits = 0 | 4 | 8;

export class SlcanFrame implements WireFrame {
  bus: number = busCode.can;
  id = 0;
  flags = 0;
  dlc = 0;
  length = 0;
  stamp = -1;
  readonly checksum = 0;
  readonly offset = 0;
  readonly data = new Uint8Array(maxFdLength);
}

export const isSupported = (flags: number, dlc: number): boolean => {
  if ((flags & ~speakable) !== 0 || letterOf[flags] === 0) return false;
  return (flags & fd) !== 0 || dlc <= maxClassicLength;
};

export const unsupportedFlags = esi | frameFlag.error;

const putHex = (into: Uint8Array, at: number, value: number, count: number): number => {
  for (let i = count - 1, rest = value; i >= 0; i--, rest >>>= 4) {
    into[at + i] = digits[rest & 0xf] as number;
  }
  return at + count;
};

export const putFrame = (
  into: Uint8Array,
  at: number,
  id: number,
  flags: number,
  dlc: number,
  data: Uint8Array,
  offset: number,
  length: number,
): number => {
  into[at] = letterOf[flags] as number;
  const idDigits = (flags & extended) === 0 ? standardIdDigits : extendedIdDigits;
  let end = putHex(into, at + 1, id, idDigits);
  end = putHex(into, end, dlc, 1);
  for (let i = 0; i < length; i++) end = putHex(into, end, data[offset + i] as number, 2);
  into[end] = carriageReturn;
  return end + 1;
};

export const hexAt = (bytes: Uint8Array, at: number, count: number): number => {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    const digit = digitValues[bytes[i] as number] as number;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
};

export const beginsAsFrame = (first: number): boolean =>
  first < 128 && (flagsOf[first] as number) >= 0;

/** Parses a line. Returns false if it is not a frame with this number of timestamp digits. */
export const readFrame = (
  bytes: Uint8Array,
  length: number,
  stampDigits: StampDigits,
  into: SlcanFrame,
): boolean => {
  const first = bytes[0] as number;
  if (length < 1 || !beginsAsFrame(first)) return false;
  const flags = flagsOf[first] as number;
  const isExtended = (flags & extended) !== 0;
  const idDigits = isExtended ? extendedIdDigits : standardIdDigits;
  const dataAt = 1 + idDigits + 1;
  if (length < dataAt) return false;
  const id = hexAt(bytes, 1, idDigits);
  if (id < 0 || id > (isExtended ? maxExtendedId : maxStandardId)) return false;
  const dlc = hexAt(bytes, 1 + idDigits, 1);
  const isFd = (flags & fd) !== 0;
  if (dlc < 0) return false;
  const count = (flags & remote) === 0 ? dlcToLength(dlc, isFd) : 0;
  if (length !== dataAt + 2 * count + stampDigits) return false;
  for (let i = 0; i < count; i++) {
    const byte = hexAt(bytes, dataAt + 2 * i, 2);
    if (byte < 0) return false;
    into.data[i] = byte;
  }
  const stamp = stampDigits === 0 ? -1 : hexAt(bytes, dataAt + 2 * count, stampDigits);
  if (stampDigits > 0 && stamp < 0) return false;
  into.bus = isFd ? busCode.canfd : busCode.can;
  into.id = id;
  into.flags = flags;
  into.dlc = dlc;
  into.length = count;
  into.stamp = stamp;
  return true;
};
