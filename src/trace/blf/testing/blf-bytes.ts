import { deflateSync } from 'node:zlib';

/** Handmade BLF, independent of the writer. */

export const words = (...values: (readonly [size: 1 | 2 | 4 | 8, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      if (size === 8) bytes.writeBigUInt64LE(BigInt(value));
      else bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );

/** The header of a file whose sizes and counts were never filled in. */
export const fileHeader = (
  startTime: readonly number[] = [2024, 3, 4, 14, 13, 7, 47, 123],
  size = 144,
): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.write('LOGG');
  bytes.writeUInt32LE(size, 4);
  startTime.forEach((value, at) => {
    bytes.writeUInt16LE(value, 40 + 2 * at);
  });
  return bytes;
};

interface ObjectParts {
  readonly timeNs?: number;
  readonly unit?: number;
  /** 32 or more; additional bytes are filled with a pattern. */
  readonly headerSize?: number;
  readonly objectVersion?: number;
  readonly padding?: Uint8Array;
}

/** An object with its padding: the remainder of its length modulo 4. */
export const object = (type: number, body: Uint8Array, parts: ObjectParts = {}): Buffer => {
  const { timeNs = 0, unit = 2, headerSize = 32, objectVersion = 0 } = parts;
  const size = headerSize + body.length;
  const header = Buffer.alloc(headerSize, 0xa5);
  header.write('LOBJ');
  header.writeUInt16LE(headerSize, 4);
  header.writeUInt16LE(1, 6);
  header.writeUInt32LE(size, 8);
  header.writeUInt32LE(type, 12);
  header.writeUInt32LE(unit, 16);
  header.writeUInt16LE(0, 20);
  header.writeUInt16LE(objectVersion, 22);
  header.writeBigUInt64LE(BigInt(timeNs), 24);
  return Buffer.concat([header, body, parts.padding ?? Buffer.alloc(size % 4)]);
};

interface ContainerParts {
  readonly method?: number;
  readonly claimed?: number;
  /** Replaces the true value. */
  readonly size?: number;
}

export const container = (contents: Uint8Array, parts: ContainerParts = {}): Buffer => {
  const { method = 2, claimed = contents.length } = parts;
  const data = method === 2 ? deflateSync(contents) : contents;
  const size = 32 + data.length;
  const header = Buffer.alloc(32);
  header.write('LOBJ');
  header.writeUInt16LE(16, 4);
  header.writeUInt16LE(1, 6);
  header.writeUInt32LE(parts.size ?? size, 8);
  header.writeUInt32LE(10, 12);
  header.writeUInt16LE(method, 16);
  header.writeUInt32LE(claimed, 24);
  return Buffer.concat([header, data, Buffer.alloc(size % 4)]);
};

export const plain = (contents: Uint8Array): Buffer => container(contents, { method: 0 });

/** CAN_MESSAGE on channel 1 with this id and one data byte. */
export const message = (id: number, parts: ObjectParts = {}): Buffer =>
  object(
    1,
    Buffer.concat([words([2, 1], [1, 0], [1, 1], [4, id]), Buffer.from([id, 0, 0, 0, 0, 0, 0, 0])]),
    parts,
  );

export const messages = (count: number, first = 1): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, at) => message(first + at)));

export const file = (...parts: Uint8Array[]): Buffer => Buffer.concat([fileHeader(), ...parts]);
