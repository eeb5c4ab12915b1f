/**
 * Length of an RTU frame (unit, PDU, CRC) from its first bytes, so that a frame is accepted
 * before the silence after it.
 */
export type LengthRule = (bytes: Uint8Array, at: number, end: number) => number;

export const maxRtuLength = 256;
export const minRtuLength = 4;

/** The bytes that determine the length have not arrived. */
export const undecided = 0;
/** Unknown function: silence ends its frames. */
export const unknownLength = -1;
/** Known function, but its frames never have these counts. */
export const impossible = -2;

const crcLength = 2;
const exceptionLength = 5;

const bounded = (length: number): number => (length <= maxRtuLength ? length : impossible);

const fixed =
  (length: number): LengthRule =>
  () =>
    length;

const counted =
  (countAt: number, isPossible: (count: number) => boolean): LengthRule =>
  (bytes, at, end) => {
    if (end - at <= countAt) return undecided;
    const count = bytes[at + countAt] as number;
    return isPossible(count) ? bounded(countAt + 1 + count + crcLength) : impossible;
  };

const isAny = (): boolean => true;
const isSome = (count: number): boolean => count > 0;
const isWords = (count: number): boolean => count > 0 && count % 2 === 0;

const queue: LengthRule = (bytes, at, end) => {
  if (end - at < 4) return undecided;
  return bounded(4 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) + crcLength);
};

const identification = 0x0e;

const encapsulatedRequest: LengthRule = (bytes, at, end) => {
  if (end - at < 3) return undecided;
  return bytes[at + 2] === identification ? 7 : unknownLength;
};

const encapsulatedResponse: LengthRule = (bytes, at, end) => {
  if (end - at < 3) return undecided;
  if (bytes[at + 2] !== identification) return unknownLength;
  if (end - at < 8) return undecided;
  let length = 8;
  for (let left = bytes[at + 7] as number; left > 0; left--) {
    if (length + 2 + crcLength > maxRtuLength) return impossible;
    if (end - at < length + 2) return undecided;
    length += 2 + (bytes[at + length + 1] as number);
  }
  return bounded(length + crcLength);
};

interface Shapes {
  readonly request: LengthRule;
  readonly response: LengthRule;
}

const readBits: Shapes = { request: fixed(8), response: counted(2, isSome) };
const readWords: Shapes = { request: fixed(8), response: counted(2, isWords) };
const writeOne: Shapes = { request: fixed(8), response: fixed(8) };
const fileRecords: Shapes = { request: counted(2, isSome), response: counted(2, isSome) };

const shapes: ReadonlyMap<number, Shapes> = new Map([
  [0x01, readBits],
  [0x02, readBits],
  [0x03, readWords],
  [0x04, readWords],
  [0x05, writeOne],
  [0x06, writeOne],
  [0x07, { request: fixed(4), response: fixed(5) }],
  [0x08, { request: fixed(8), response: fixed(8) }],
  [0x0b, { request: fixed(4), response: fixed(8) }],
  [0x0c, { request: fixed(4), response: counted(2, isAny) }],
  [0x0f, { request: counted(6, isSome), response: fixed(8) }],
  [0x10, { request: counted(6, isWords), response: fixed(8) }],
  [0x11, { request: fixed(4), response: counted(2, isAny) }],
  [0x14, fileRecords],
  [0x15, fileRecords],
  [0x16, { request: fixed(10), response: fixed(10) }],
  [0x17, { request: counted(10, isWords), response: counted(2, isWords) }],
  [0x18, { request: fixed(6), response: queue }],
  [0x2b, { request: encapsulatedRequest, response: encapsulatedResponse }],
]);

export const requestLength: LengthRule = (bytes, at, end) => {
  if (end - at < 2) return undecided;
  return shapes.get(bytes[at + 1] as number)?.request(bytes, at, end) ?? unknownLength;
};

export const responseLength: LengthRule = (bytes, at, end) => {
  if (end - at < 2) return undecided;
  const code = bytes[at + 1] as number;
  const shape = shapes.get(code & 0x7f);
  if (shape === undefined) return unknownLength;
  return code > 0x7f ? exceptionLength : shape.response(bytes, at, end);
};
