import { invalidArgument } from '../base/errors/busbar-error.ts';
import { formatHex, hexByte } from '../frame/hex-bytes.ts';
import { bytesOfUint, maxUintBytes, uintAt, uintBytes } from './big-endian.ts';
import { expectResponse, malformed } from './read-response.ts';
import { sid } from './services.ts';
import type { UdsMemory } from './uds-record.ts';

/** Bytes of addresses and sizes in a request: by default as many as the values need. */
export interface MemoryFormat {
  readonly addressBytes?: number | undefined;
  readonly sizeBytes?: number | undefined;
}

export interface MemoryRange extends MemoryFormat {
  readonly address: number;
  readonly size: number;
}

const width = (field: string, value: number, given: number | undefined): number => {
  const needed = bytesOfUint(value);
  const length = given ?? needed;
  if (length >= needed && length <= maxUintBytes) return length;
  throw invalidArgument(field, `${field} needs ${needed} bytes; a request has ${length} for it`);
};

/**
 * `addressAndLengthFormatIdentifier`, address and size:
 *
 *     | size bytes 4, address bytes 4 | address | size |
 */
const rangeBytes = ({ address, size, addressBytes, sizeBytes }: MemoryRange): number[] => {
  const addressLength = width('address', address, addressBytes);
  const sizeLength = width('size', size, sizeBytes);
  return [
    (sizeLength << 4) | addressLength,
    ...uintBytes(address, addressLength),
    ...uintBytes(size, sizeLength),
  ];
};

/** The range that a request names at a byte, and where it ends; null if there is none. */
export const rangeAt = (
  request: Uint8Array,
  at: number,
): { readonly address: number; readonly size: number; readonly end: number } | null => {
  const format = request[at];
  if (format === undefined) return null;
  const addressLength = format & 15;
  const sizeLength = format >> 4;
  const end = at + 1 + addressLength + sizeLength;
  if (addressLength === 0 || addressLength > maxUintBytes) return null;
  if (sizeLength === 0 || sizeLength > maxUintBytes || end > request.length) return null;
  const address = uintAt(request, at + 1, addressLength);
  return { address, size: uintAt(request, at + 1 + addressLength, sizeLength), end };
};

/** By default four bytes each, which most ECUs require. */
const inFours = ({ addressBytes, sizeBytes, ...range }: MemoryRange): MemoryRange => ({
  ...range,
  addressBytes: addressBytes ?? Math.max(4, bytesOfUint(range.address)),
  sizeBytes: sizeBytes ?? Math.max(4, bytesOfUint(range.size)),
});

const requireSize = (size: number): void => {
  if (size < 1) throw invalidArgument('size', 'size must be at least 1');
};

export const memoryReadRequest = (range: MemoryRange): Uint8Array => {
  requireSize(range.size);
  return Uint8Array.from([sid.readMemory, ...rangeBytes(inFours(range))]);
};

export const memoryReadResponse = (
  response: Uint8Array,
  { address, size }: MemoryRange,
): UdsMemory => {
  expectResponse(response, sid.readMemory, 1 + size, 1 + size);
  return { address, size, data: formatHex(response.subarray(1)) };
};

export const memoryWriteRequest = (
  range: Omit<MemoryRange, 'size'>,
  data: Uint8Array,
): Uint8Array => {
  if (data.length === 0) throw invalidArgument('data', 'data must not be empty');
  const head = [sid.writeMemory, ...rangeBytes(inFours({ ...range, size: data.length }))];
  const request = new Uint8Array(head.length + data.length);
  request.set(head);
  request.set(data, head.length);
  return request;
};

/** The response repeats format, address and size. */
export const memoryWriteResponse = (request: Uint8Array, response: Uint8Array): UdsMemory => {
  expectResponse(response, sid.writeMemory, 2);
  const range = rangeAt(request, 1);
  const echo = rangeAt(response, 1);
  if (range === null || echo?.address !== range.address || echo.size !== range.size) {
    throw malformed(response, 'names another range of memory');
  }
  return { address: range.address, size: range.size, data: null };
};

export interface DownloadRequest extends MemoryRange {
  readonly compression?: number | undefined;
  readonly encryption?: number | undefined;
}

export const downloadRequest = ({
  compression = 0,
  encryption = 0,
  ...range
}: DownloadRequest): Uint8Array =>
  Uint8Array.from([sid.download, (compression << 4) | encryption, ...rangeBytes(inFours(range))]);

/** Bytes of a TransferData request that the ECU accepts, with its service and counter. */
export const downloadResponse = (response: Uint8Array): number => {
  expectResponse(response, sid.download, 3);
  const length = (response[1] as number) >> 4;
  if (length === 0 || length > 8 || response.length < 2 + length) {
    throw malformed(response, `has no block length of ${length} bytes`);
  }
  const blockLength = uintAt(response, 2, length);
  if (blockLength < 3) throw malformed(response, `has a block length of ${blockLength}`);
  return blockLength;
};

/** The counter of a block: 1 … 255, 0, 1 … for blocks 0, 1 …. */
export const blockCounter = (block: number): number => (block + 1) % 256;

export const transferRequest = (block: number, data: Uint8Array): Uint8Array => {
  const request = new Uint8Array(2 + data.length);
  request[0] = sid.transfer;
  request[1] = blockCounter(block);
  request.set(data, 2);
  return request;
};

export const transferResponse = (request: Uint8Array, response: Uint8Array): void => {
  expectResponse(response, sid.transfer, 2);
  if (response[1] !== request[1]) {
    throw malformed(response, `has block counter 0x${hexByte(response[1] as number)}`);
  }
};

export const transferExitRequest = (data: Uint8Array = new Uint8Array()): Uint8Array =>
  Uint8Array.from([sid.transferExit, ...data]);

export const transferExitResponse = (response: Uint8Array): void =>
  expectResponse(response, sid.transferExit, 1);
