import { isFrameLength, lengthToDlc } from '../frame/dlc.ts';
import { maxExtendedId, maxStandardId } from '../frame/frame.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import {
  cannelloniVersion,
  datagramHeader,
  dataOpcode,
  fdFlag,
  fdLengthBit,
  frameHeadBytes,
  idBit,
} from './cannelloni-layout.ts';

export const datagramErrors = ['version', 'opcode', 'truncated', 'count'] as const;
/**
 * `truncated`: the datagram ends within its header or a frame. `count`: the number of frames in
 * the header does not match the content.
 */
export type DatagramError = (typeof datagramErrors)[number];

export interface FrameVisitor {
  /** FRM2 flags, and the bytes of the DLC; none if remote. */
  frame(
    id: number,
    flags: number,
    dlc: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
  ): void;
  invalidFrame(): void;
  /** An error frame of the other bus. */
  errorFrame(): void;
}

export const headerError = (bytes: Uint8Array): DatagramError | null => {
  if (bytes.length > 0 && bytes[datagramHeader.version] !== cannelloniVersion) return 'version';
  if (bytes.length < datagramHeader.length) return 'truncated';
  return bytes[datagramHeader.opcode] === dataOpcode ? null : 'opcode';
};

export const sequenceOf = (bytes: Uint8Array): number => bytes[datagramHeader.sequence] as number;

/**
 * Visits frames in place and returns the error of the rest. Complete frames before a truncation
 * are visited.
 */
export const visitFrames = (bytes: Uint8Array, visitor: FrameVisitor): DatagramError | null => {
  const announced = uint16(bytes, datagramHeader.count);
  const end = bytes.length;
  let at: number = datagramHeader.length;
  for (let frame = 0; frame < announced; frame++) {
    if (at === end) return 'count';
    if (at + frameHeadBytes > end) return 'truncated';
    const idWord = uint32(bytes, at);
    const lengthByte = bytes[at + 4] as number;
    const isFd = (lengthByte & fdLengthBit) !== 0;
    const length = lengthByte & ~fdLengthBit;
    const dataAt = at + frameHeadBytes + (isFd ? 1 : 0);
    const dataLength = (idWord & idBit.remote) !== 0 ? 0 : length;
    if (dataAt + dataLength > end) return 'truncated';
    const fdFlags = isFd ? (bytes[dataAt - 1] as number) : 0;
    visitFrame(visitor, idWord, isFd, fdFlags, length, bytes, dataAt, dataLength);
    at = dataAt + dataLength;
  }
  return at === end ? null : 'count';
};

const visitFrame = (
  visitor: FrameVisitor,
  idWord: number,
  isFd: boolean,
  fdFlags: number,
  length: number,
  bytes: Uint8Array,
  dataAt: number,
  dataLength: number,
): void => {
  if ((idWord & idBit.error) !== 0) {
    visitor.errorFrame();
    return;
  }
  const isExtended = (idWord & idBit.extended) !== 0;
  const isRemote = (idWord & idBit.remote) !== 0;
  const id = idWord & maxExtendedId;
  const isPossible =
    isFrameLength(length, isFd) && (isExtended || id <= maxStandardId) && !(isFd && isRemote);
  if (!isPossible) {
    visitor.invalidFrame();
    return;
  }
  let flags = 0;
  if (isExtended) flags |= frameFlag.extended;
  if (isRemote) flags |= frameFlag.remote;
  if (isFd) flags |= frameFlag.fd;
  if ((fdFlags & fdFlag.brs) !== 0) flags |= frameFlag.brs;
  if ((fdFlags & fdFlag.esi) !== 0) flags |= frameFlag.esi;
  visitor.frame(id, flags, lengthToDlc(length, isFd), bytes, dataAt, dataLength);
};

// Decoded by hand, since a DataView would allocate per datagram.
const uint16 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

const uint32 = (bytes: Uint8Array, at: number): number =>
  (uint16(bytes, at) << 16) | uint16(bytes, at + 2);
