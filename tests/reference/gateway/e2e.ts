import { bigEndian, bitsOfField, bitsOfRow, readBits, writeBits } from './bits.ts';
import { crc, namedCrc } from './crc.ts';
import type { ChecksumRow, E2eCodecRow } from './project.ts';

/** Constant bits: the length, the data id or a part of it. */
export interface FixedField {
  readonly bits: readonly number[];
  readonly value: bigint;
}

/** Position of a protection in the protected bytes, and its checksum function. */
export interface E2eLayout {
  /** Protected bytes. */
  readonly length: number;
  readonly counter: readonly number[];
  readonly counterMax: bigint;
  /** The first counter on the wire. */
  readonly counterInitial: bigint;
  readonly checksum: readonly number[];
  readonly fixed: readonly FixedField[];
  /** The checksum that fits the protected bytes, regardless of the one in the frame. */
  readonly computeChecksum: (data: Uint8Array) => bigint;
}

type Parts = Pick<E2eLayout, 'counter' | 'counterMax' | 'checksum' | 'fixed' | 'computeChecksum'>;

/** All bytes except some from `at` on. */
const without = (data: Uint8Array, at: number, count: number): number[] => [
  ...data.slice(0, at),
  ...data.slice(at + count),
];

/** Profiles 1 and 11: the id comes first; its part depends on the variant. */
const profile1 = (codec: E2eCodecRow, variant: string): Parts => {
  const id = codec.data_id ?? 0;
  const crcByte = (codec.crc_offset_bits ?? 0) / 8;
  const counter = bitsOfField(codec.counter_offset_bits ?? 8, 4, 'intel');
  const nibble = bitsOfField(codec.nibble_offset_bits ?? 12, 4, 'intel');
  const low = id & 0xff;
  const high = id >> 8;
  const idBytes = (data: Uint8Array): number[] => {
    switch (variant) {
      case 'A':
        return [low, high];
      case 'B':
        return [readBits(data, counter) % 2n === 0n ? low : high];
      case 'C':
        return [low, 0];
      default:
        return [low];
    }
  };
  return {
    counter,
    counterMax: 14n,
    checksum: bitsOfField(8 * crcByte, 8, 'intel'),
    fixed: variant === 'C' ? [{ bits: nibble, value: BigInt(high & 0x0f) }] : [],
    computeChecksum: (data) =>
      namedCrc('CRC8_GSM_A', [...idBytes(data), ...without(data, crcByte, 1)]),
  };
};

/** Profiles 2 and 22: the id of the counter comes last. */
const profile2 = (codec: E2eCodecRow): Parts => {
  const at = (codec.offset_bits ?? 0) / 8;
  const counter = bitsOfField(8 * at + 8, 4, 'intel');
  const idOf = (data: Uint8Array): number =>
    codec.data_id_list?.[Number(readBits(data, counter))] ?? 0;
  return {
    counter,
    counterMax: 15n,
    checksum: bitsOfField(8 * at, 8, 'intel'),
    fixed: [],
    computeChecksum: (data) => namedCrc('CRC8H2F', [...without(data, at, 1), idOf(data)]),
  };
};

/** Length 2, counter 2, data id 4, CRC 4 bytes. */
const profile4 = (codec: E2eCodecRow, length: number): Parts => {
  const at = (codec.offset_bits ?? 0) / 8;
  return {
    counter: bigEndian(at + 2, 2),
    counterMax: 0xffffn,
    checksum: bigEndian(at + 8, 4),
    fixed: [
      { bits: bigEndian(at, 2), value: BigInt(length) },
      { bits: bigEndian(at + 4, 4), value: BigInt(codec.data_id ?? 0) },
    ],
    computeChecksum: (data) => namedCrc('CRC32P4', without(data, at + 8, 4)),
  };
};

/** CRC 2 bytes, the low one first, counter 1. */
const profile5 = (codec: E2eCodecRow): Parts => {
  const at = (codec.offset_bits ?? 0) / 8;
  const id = codec.data_id ?? 0;
  return {
    counter: bigEndian(at + 2, 1),
    counterMax: 0xffn,
    checksum: bitsOfField(8 * at, 16, 'intel'),
    fixed: [],
    computeChecksum: (data) => namedCrc('CRC16', [...without(data, at, 2), id & 0xff, id >> 8]),
  };
};

/** CRC 2 bytes, length 2, counter 1. */
const profile6 = (codec: E2eCodecRow, length: number): Parts => {
  const at = (codec.offset_bits ?? 0) / 8;
  const id = codec.data_id ?? 0;
  return {
    counter: bigEndian(at + 4, 1),
    counterMax: 0xffn,
    checksum: bigEndian(at, 2),
    fixed: [{ bits: bigEndian(at + 2, 2), value: BigInt(length) }],
    computeChecksum: (data) => namedCrc('CRC16', [...without(data, at, 2), id >> 8, id & 0xff]),
  };
};

/** CRC 8 bytes, length 4, counter 4, data id 4. */
const profile7 = (codec: E2eCodecRow, length: number): Parts => {
  const at = (codec.offset_bits ?? 0) / 8;
  return {
    counter: bigEndian(at + 12, 4),
    counterMax: 0xffff_ffffn,
    checksum: bigEndian(at, 8),
    fixed: [
      { bits: bigEndian(at + 8, 4), value: BigInt(length) },
      { bits: bigEndian(at + 16, 4), value: BigInt(codec.data_id ?? 0) },
    ],
    computeChecksum: (data) => namedCrc('CRC64', without(data, at, 8)),
  };
};

const hexValue = (text = '0'): bigint => BigInt(text.startsWith('0x') ? text : `0x${text}`);
const hexBytes = (text = ''): number[] => [...Buffer.from(text, 'hex')];

const freeChecksum = (row: ChecksumRow, bytes: readonly number[]): bigint => {
  if (row.algorithm === 'sum8') return BigInt(bytes.reduce((sum, byte) => sum + byte, 0) % 256);
  if (row.algorithm === 'xor8') return BigInt(bytes.reduce((sum, byte) => sum ^ byte, 0));
  if (row.algorithm !== 'crc') return namedCrc(row.algorithm, bytes);
  const parameters = {
    width: row.width ?? 8,
    polynomial: hexValue(row.polynomial),
    initial: hexValue(row.initial),
    finalXor: hexValue(row.final_xor),
    reflect: row.reflect ?? false,
  };
  return crc(parameters, bytes);
};

/** A free layout: bits of the checksum count as 0, and its whole bytes are excluded. */
const freeLayout = (codec: E2eCodecRow): Parts => {
  const { counter, checksum } = codec;
  if (counter === undefined || checksum === undefined) throw new Error('A free layout needs both');
  const checksumBits = bitsOfRow(checksum);
  const isOwnByte = (at: number): boolean =>
    checksumBits.filter((bit) => Math.floor(bit / 8) === at).length === 8;
  return {
    counter: bitsOfRow(counter),
    counterMax: BigInt(counter.max),
    checksum: checksumBits,
    fixed: [],
    computeChecksum: (data) => {
      const copy = Uint8Array.from(data);
      writeBits(copy, checksumBits, 0n);
      const covered = [...copy].filter((_, at) => !isOwnByte(at));
      const bytes = [...hexBytes(codec.prefix), ...covered, ...hexBytes(codec.suffix)];
      return freeChecksum(checksum, bytes);
    },
  };
};

const partsOf = (codec: E2eCodecRow, length: number): Parts => {
  switch (codec.profile) {
    case '2':
    case '22':
      return profile2(codec);
    case '4':
      return profile4(codec, length);
    case '5':
      return profile5(codec);
    case '6':
      return profile6(codec, length);
    case '7':
      return profile7(codec, length);
    case 'free':
      return freeLayout(codec);
    default:
      return profile1(codec, codec.profile.replace(/^1+/, ''));
  }
};

/** The layout of a codec in a message or PDU of this length. */
export const layoutOf = (codec: E2eCodecRow, bytes: number): E2eLayout => {
  const length = codec.data_length ?? bytes;
  const firstCounter = codec.profile === '2' || codec.profile === '22' ? '1' : '0';
  return {
    length,
    counterInitial: BigInt(codec.counter_initial ?? firstCounter),
    ...partsOf(codec, length),
  };
};

/** Updates the checksum for the current bytes. */
export const fitChecksum = (layout: E2eLayout, data: Uint8Array): void => {
  writeBits(data, layout.checksum, layout.computeChecksum(data.slice(0, layout.length)));
};

/** Writes a protection with a counter into the protected bytes. */
export const protect = (layout: E2eLayout, data: Uint8Array, counter: bigint): void => {
  for (const { bits, value } of layout.fixed) writeBits(data, bits, value);
  writeBits(data, layout.counter, counter);
  fitChecksum(layout, data);
};

/** Protection bits without protection: the first counter, all others 0. */
export const bypass = (layout: E2eLayout, data: Uint8Array): void => {
  for (const { bits } of layout.fixed) writeBits(data, bits, 0n);
  writeBits(data, layout.checksum, 0n);
  writeBits(data, layout.counter, layout.counterInitial);
};

/** A counter wrapped into the range of the layout. */
export const wrapCounter = ({ counterMax }: E2eLayout, counter: bigint): bigint => {
  const modulus = counterMax + 1n;
  return ((counter % modulus) + modulus) % modulus;
};

/** Whether length, data id, counter range and checksum are correct. */
export const isIntact = (layout: E2eLayout, data: Uint8Array): boolean =>
  layout.fixed.every(({ bits, value }) => readBits(data, bits) === value) &&
  readBits(data, layout.counter) <= layout.counterMax &&
  readBits(data, layout.checksum) === layout.computeChecksum(data.slice(0, layout.length));
