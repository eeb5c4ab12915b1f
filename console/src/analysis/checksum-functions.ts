/** A function of bytes whose result differs from a checksum in the message by a constant. */
export interface ChecksumFunction {
  readonly name: string;
  readonly isCrc: boolean;
  /** Over `length` bytes from `from` without the byte at `skipped`. */
  readonly of: (data: Uint8Array, from: number, length: number, skipped: number) => number;
  /** The constant that combines a result with the checksum in the message. */
  readonly apart: (result: number, checksum: number) => number;
}

const xored = (result: number, checksum: number): number => result ^ checksum;

const xor: ChecksumFunction = {
  name: 'XOR of the other bytes',
  isCrc: false,
  of: (data, from, length, skipped) => {
    let result = 0;
    for (let i = 0; i < length; i++) if (i !== skipped) result ^= data[from + i] as number;
    return result;
  },
  apart: xored,
};

const sumOfOthers: ChecksumFunction['of'] = (data, from, length, skipped) => {
  let result = 0;
  for (let i = 0; i < length; i++) if (i !== skipped) result += data[from + i] as number;
  return result;
};

const sum: ChecksumFunction = {
  name: 'sum of the other bytes',
  isCrc: false,
  of: (data, from, length, skipped) => sumOfOthers(data, from, length, skipped) & 0xff,
  apart: (result, checksum) => (checksum - result) & 0xff,
};

/** Sum with the carry added, as of LIN. Not inverted and inverted sums differ by a constant XOR. */
const sumWithCarry: ChecksumFunction = {
  name: 'sum with carry of the other bytes',
  isCrc: false,
  of: (data, from, length, skipped) => {
    let result = sumOfOthers(data, from, length, skipped);
    while (result > 0xff) result = (result & 0xff) + (result >> 8);
    return result;
  },
  apart: xored,
};

const negatedSum: ChecksumFunction = {
  name: 'negated sum of the other bytes',
  isCrc: false,
  of: sum.of,
  apart: (result, checksum) => (checksum + result) & 0xff,
};

const crcTable = (polynomial: number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? (crc << 1) ^ polynomial : crc << 1;
    return crc & 0xff;
  });

const reflect = (byte: number): number => {
  let reflected = 0;
  for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) reflected |= 0x80 >> bit;
  return reflected;
};

const reflectedTable = (polynomial: number): Uint8Array => {
  const table = crcTable(polynomial);
  return Uint8Array.from({ length: 256 }, (_, byte) => reflect(table[reflect(byte)] as number));
};

/**
 * Initial value, final XOR and a constant data id change a CRC by a constant, because a CRC is
 * linear. `suffix` is the number of constant bytes after the data, such as a data id.
 */
const crc = (name: string, table: Uint8Array, suffix: number): ChecksumFunction => ({
  name: suffix === 0 ? name : `${name}, data ID of ${8 * suffix} bits last`,
  isCrc: true,
  of: (data, from, length, skipped) => {
    let result = 0;
    for (let i = 0; i < length; i++) {
      if (i !== skipped) result = table[result ^ (data[from + i] as number)] as number;
    }
    for (let i = 0; i < suffix; i++) result = table[result] as number;
    return result;
  },
  apart: xored,
});

/** Those of the catalogues of SAE, AUTOSAR and the CRC catalogue that vehicles use. */
const polynomials = [0x1d, 0x2f, 0x07, 0x31, 0x9b, 0xa7, 0xd5];

const crcName = (polynomial: number, isReflected: boolean): string =>
  `CRC-8, polynomial 0x${polynomial.toString(16).toUpperCase().padStart(2, '0')}${isReflected ? ', reflected' : ''}`;

export const checksumFunctions: readonly ChecksumFunction[] = [
  xor,
  sum,
  sumWithCarry,
  negatedSum,
  ...[0, 1, 2].flatMap((suffix) =>
    polynomials.flatMap((polynomial) => [
      crc(crcName(polynomial, false), crcTable(polynomial), suffix),
      crc(crcName(polynomial, true), reflectedTable(polynomial), suffix),
    ]),
  ),
];
