/**
 * Netlink attributes. Every message and every nested attribute contains a sequence of them:
 *
 *     0         2         4
 *     | length  | type    | content …        | padding to a multiple of 4
 *
 * The length includes these four bytes and the content, but not the padding. Numbers are in machine
 * byte order, which is little-endian wherever Node runs.
 */

const headerLength = 4;
const nestedBit = 0x8000;
/** Kernel flags use the bits above it. */
const typeMask = 0x3fff;

export const aligned = (length: number): number => (length + 3) & ~3;

export const readAttributes = (bytes: Buffer): ReadonlyMap<number, Buffer> => {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + headerLength <= bytes.length; ) {
    const length = bytes.readUInt16LE(at);
    if (length < headerLength || at + length > bytes.length) break;
    const type = bytes.readUInt16LE(at + 2) & typeMask;
    found.set(type, bytes.subarray(at + headerLength, at + length));
    at += aligned(length);
  }
  return found;
};

export const attribute = (type: number, content: Uint8Array): Buffer => {
  const length = headerLength + content.length;
  const bytes = Buffer.alloc(aligned(length));
  bytes.writeUInt16LE(length, 0);
  bytes.writeUInt16LE(type, 2);
  bytes.set(content, headerLength);
  return bytes;
};

export const nest = (type: number, ...inner: readonly Buffer[]): Buffer =>
  attribute(type | nestedBit, Buffer.concat(inner));

export const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value >>> 0, 4 * index);
  });
  return bytes;
};

export const halfWord = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};

export const text = (value: string): Buffer => Buffer.from(`${value}\0`, 'latin1');

export const readNumber = (bytes: Buffer | undefined): number | undefined => {
  if (bytes === undefined) return undefined;
  if (bytes.length >= 4) return bytes.readUInt32LE(0);
  if (bytes.length >= 2) return bytes.readUInt16LE(0);
  return bytes[0];
};

export const readNumbers = (bytes: Buffer | undefined, width: 2 | 4): readonly number[] => {
  const count = Math.floor((bytes?.length ?? 0) / width);
  return Array.from({ length: count }, (_, index) => bytes?.readUIntLE(index * width, width) ?? 0);
};

export const readText = (bytes: Buffer | undefined): string | undefined => {
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(0);
  return bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
};
