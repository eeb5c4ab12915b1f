/** Instructions of a WebAssembly function, as bytes. An expression leaves its value on the stack. */
export type Code = readonly number[];

/** LEB128, signed: the format's form of constants. */
const signed = (value: number): number[] => {
  const bytes: number[] = [];
  for (let rest = value | 0; ; ) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
};

export const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];

const one =
  (...opcode: number[]) =>
  (value: Code): Code => [...value, ...opcode];
const two =
  (opcode: number) =>
  (left: Code, right: Code): Code => [...left, ...right, opcode];
const load =
  (...opcode: number[]) =>
  (address: Code, offset = 0): Code => [...address, ...opcode, 0, ...unsigned(offset)];
const store =
  (...opcode: number[]) =>
  (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    ...opcode,
    0,
    ...unsigned(offset),
  ];

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const i32 = (value: number): Code => [0x41, ...signed(value)];

export const add = two(0x6a);
export const subtract = two(0x6b);
export const multiply = two(0x6c);
export const divide = two(0x6e);
export const and = two(0x71);
export const or = two(0x72);
export const xor = two(0x73);
export const shiftLeft = two(0x74);
export const shiftRight = two(0x76);

/** 1 or 0; integers are compared without their sign. */
export const isZero = one(0x45);
export const isEqual = two(0x46);
export const isDifferent = two(0x47);
export const isBelow = two(0x49);
export const isAbove = two(0x4b);
export const isAtMost = two(0x4d);
export const isAtLeast = two(0x4f);
export const isZeroI64 = one(0x50);
export const isBelowI64 = two(0x53);
export const isEqualF64 = two(0x61);
export const isDifferentF64 = two(0x62);
export const isBelowF64 = two(0x63);
export const isAtMostF64 = two(0x65);

export const zeroBitsI64 = one(0x79);
export const subtractI64 = two(0x7d);
export const orI64 = two(0x84);
export const xorI64 = two(0x85);
export const shiftLeftI64 = two(0x86);
export const shiftSignedRightI64 = two(0x87);
export const shiftRightI64 = two(0x88);
export const lowOf = one(0xa7);
export const longOf = one(0xad);
export const bitsOf = one(0xbd);

export const magnitudeF64 = one(0x99);
export const floorF64 = one(0x9c);
export const addF64 = two(0xa0);
export const subtractF64 = two(0xa1);
export const multiplyF64 = two(0xa2);
export const divideF64 = two(0xa3);
export const leastF64 = two(0xa4);
export const mostF64 = two(0xa5);
export const doubleOf = one(0xb7);
export const doubleOfI64 = one(0xb9);
/** Truncated towards zero; a value out of range becomes the nearest integer, and NaN 0. */
export const truncate = one(0xfc, 0x02);
export const truncateToI64 = one(0xfc, 0x06);

export const loadI32 = load(0x28);
export const loadI64 = load(0x29);
export const loadF64 = load(0x2b);
export const loadByte = load(0x2d);
export const loadI16 = load(0x2f);
/** Sixteen bytes. */
export const loadVector = load(0xfd, 0x00);
export const storeI32 = store(0x36);
export const storeI64 = store(0x37);
export const storeF64 = store(0x39);
export const storeByte = store(0x3a);
export const storeVector = store(0xfd, 0x0b);

const noResult = 0x40;

export const when = (condition: Code, ...body: Code[]): Code => [
  ...condition,
  0x04,
  noResult,
  ...body.flat(),
  0x0b,
];

export const either = (condition: Code, body: Code, other: Code): Code => [
  ...condition,
  0x04,
  noResult,
  ...body,
  0x05,
  ...other,
  0x0b,
];

/** The first value if the condition is not 0. */
export const choose = (condition: Code, value: Code, other: Code): Code => [
  ...value,
  ...other,
  ...condition,
  0x1b,
];

const reversed = [7, 6, 5, 4, 3, 2, 1, 0];
const zeros = new Array<number>(16).fill(0);

/** A 64-bit integer with its bytes in the other order. */
export const swapBytes = (value: Code): Code => [
  ...[...value, 0xfd, 0x12],
  ...[0xfd, 0x0c, ...zeros],
  ...[0xfd, 0x0d, ...reversed, ...reversed],
  ...[0xfd, 0x1d, 0],
];

/** Repeats while the condition after the body holds. */
export const repeat = (body: Code, condition: Code): Code => [
  0x03,
  noResult,
  ...body,
  ...condition,
  0x0d,
  0,
  0x0b,
];

export const returned = one(0x0f);
