/** Catalogue parameters of a CRC: polynomial and initial value unreflected. */
export interface CrcParameters {
  readonly width: number;
  readonly polynomial: bigint;
  readonly initial: bigint;
  readonly finalXor: bigint;
  /** Input and output bits are reflected: least significant first. */
  readonly reflect: boolean;
}

const reflected = (value: bigint, width: number): bigint =>
  BigInt(`0b${[...value.toString(2).padStart(width, '0')].reverse().join('')}`);

/** A CRC, bit by bit. */
export const crc = (parameters: CrcParameters, bytes: Iterable<number>): bigint => {
  const { width, polynomial, initial, finalXor, reflect } = parameters;
  const top = 1n << BigInt(width - 1);
  const mask = (1n << BigInt(width)) - 1n;
  let register = initial;
  for (const byte of bytes) {
    for (let place = 0; place < 8; place += 1) {
      const bit = (byte >> (reflect ? place : 7 - place)) & 1;
      const isOut = (register & top) !== 0n;
      register = (register << 1n) & mask;
      if (isOut !== (bit === 1)) register ^= polynomial;
    }
  }
  return (reflect ? reflected(register, width) : register) ^ finalXor;
};

const row = (
  width: number,
  polynomial: bigint,
  initial: bigint,
  reflect: boolean,
  finalXor: bigint,
): CrcParameters => ({ width, polynomial, initial, finalXor, reflect });

/** The catalogue, by the names that free layouts use. */
export const crcCatalogue: Readonly<Record<string, CrcParameters>> = {
  CRC8: row(8, 0x1dn, 0xffn, false, 0xffn),
  CRC8_GSM_A: row(8, 0x1dn, 0n, false, 0n),
  CRC8H2F: row(8, 0x2fn, 0xffn, false, 0xffn),
  CRC16: row(16, 0x1021n, 0xffffn, false, 0n),
  CRC16_ARC: row(16, 0x8005n, 0n, true, 0n),
  CRC32: row(32, 0x04c11db7n, 0xffff_ffffn, true, 0xffff_ffffn),
  CRC32P4: row(32, 0xf4acfb13n, 0xffff_ffffn, true, 0xffff_ffffn),
  CRC64: row(64, 0x42f0e1eba9ea3693n, 2n ** 64n - 1n, true, 2n ** 64n - 1n),
};

/** A CRC of the catalogue. */
export const namedCrc = (name: string, bytes: Iterable<number>): bigint => {
  const parameters = crcCatalogue[name];
  if (parameters === undefined) throw new Error(`There is no checksum ${name}`);
  return crc(parameters, bytes);
};
