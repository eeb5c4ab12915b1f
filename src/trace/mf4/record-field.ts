import { getUint64 } from '../uint64.ts';
import type { ChannelInfo } from './file-structure.ts';
import { channelFlag, conversionType, dataType } from './mf4-layout.ts';

const kinds = { bits: 0, byte: 1, word: 2, long: 3, float32: 4, float64: 5, text: 6 };

const byteBits = 8;
const maxBits = 64;
/** Bytes of which every number is exact. */
const exactBytes = 6;
const letterT = 0x54;
const lowerCase = 0x20;

const isText = (type: number): boolean => type >= dataType.latin1 && type < dataType.bytes;

const isBigEndian = (type: number): boolean =>
  type === dataType.uintBigEndian ||
  type === dataType.intBigEndian ||
  type === dataType.floatBigEndian;

const isSigned = (type: number): boolean => type === dataType.int || type === dataType.intBigEndian;

const isFloat = (type: number): boolean =>
  type === dataType.float || type === dataType.floatBigEndian;

/** A member of a record: where its bits are, and how they are a number. */
export class RecordField {
  readonly byte: number;
  readonly bits: number;
  readonly dataType: number;
  readonly #kind: number;
  readonly #bit: number;
  readonly #bytes: number;
  readonly #isSigned: boolean;
  readonly #isLittle: boolean;
  /** Position of the bit that says that the value is invalid; -1 if there is none. */
  readonly #invalidByte: number;
  readonly #invalidMask: number;
  readonly #isInvalid: boolean;

  constructor(info: ChannelInfo, invalidationAt: number) {
    const { byteOffset, bitOffset, bits, dataType: type, flags, invalidationBit } = info;
    this.byte = byteOffset;
    this.bits = bits;
    this.dataType = type;
    this.#bit = bitOffset;
    this.#bytes = Math.ceil((bitOffset + bits) / byteBits);
    this.#isSigned = isSigned(type);
    this.#isLittle = !isBigEndian(type);
    this.#isInvalid = (flags & channelFlag.allInvalid) !== 0;
    const hasBit = (flags & channelFlag.invalidationBit) !== 0;
    this.#invalidByte = hasBit ? invalidationAt + (invalidationBit >> 3) : -1;
    this.#invalidMask = 1 << (invalidationBit & 7);
    this.#kind = this.#kindOf();
  }

  /** Bytes of a record that the field needs. */
  get end(): number {
    return Math.max(this.byte + this.#bytes, this.#invalidByte + 1);
  }

  get isNumber(): boolean {
    if (isText(this.dataType)) return this.bits >= byteBits;
    if (isFloat(this.dataType)) return this.#kind >= kinds.float32;
    return this.dataType <= dataType.intBigEndian && this.bits > 0 && this.bits <= maxBits;
  }

  isValid(bytes: Uint8Array, at: number): boolean {
    if (this.#isInvalid) return false;
    if (this.#invalidByte < 0) return true;
    return ((bytes[at + this.#invalidByte] as number) & this.#invalidMask) === 0;
  }

  get(bytes: Uint8Array, view: DataView, at: number): number {
    const from = at + this.byte;
    switch (this.#kind) {
      case kinds.byte:
        return ((bytes[from] as number) >> this.#bit) & ((1 << this.bits) - 1);
      case kinds.word:
        return view.getUint16(from, true);
      case kinds.long:
        return (view.getUint32(from, true) & ((1 << (this.bits - 1)) * 2 - 1)) >>> 0;
      case kinds.float32:
        return view.getFloat32(from, this.#isLittle);
      case kinds.float64:
        return view.getFloat64(from, this.#isLittle);
      case kinds.text:
        // "Tx" or "Rx".
        return ((bytes[from] as number) & ~lowerCase) === letterT ? 1 : 0;
      default:
        return this.#assemble(bytes, view, from);
    }
  }

  #kindOf(): number {
    const { bits } = this;
    const isAligned = this.#bit === 0 && this.#isLittle && !this.#isSigned;
    if (isText(this.dataType)) return kinds.text;
    if (isFloat(this.dataType)) {
      if (bits === 64 && this.#bit === 0) return kinds.float64;
      return bits === 32 && this.#bit === 0 ? kinds.float32 : kinds.bits;
    }
    if (this.#bytes === 1 && !this.#isSigned) return kinds.byte;
    if (isAligned && bits === 16) return kinds.word;
    return isAligned && bits > 24 && bits <= 32 ? kinds.long : kinds.bits;
  }

  /** Any bits, from the most significant byte on. Beyond 2^53 the lowest are rounded. */
  #assemble(bytes: Uint8Array, view: DataView, from: number): number {
    if (this.bits === 64 && this.#bit === 0 && this.#isLittle && !this.#isSigned) {
      return getUint64(view, from);
    }
    if (this.#bytes <= exactBytes) return this.#assembleExact(bytes, from);
    let value = 0n;
    for (let i = 0; i < this.#bytes; i++) {
      const index = this.#isLittle ? this.#bytes - 1 - i : i;
      value = (value << 8n) | BigInt(bytes[from + index] as number);
    }
    value >>= BigInt(this.#bit);
    return Number(
      this.#isSigned ? BigInt.asIntN(this.bits, value) : BigInt.asUintN(this.bits, value),
    );
  }

  #assembleExact(bytes: Uint8Array, from: number): number {
    let value = 0;
    for (let i = 0; i < this.#bytes; i++) {
      const index = this.#isLittle ? this.#bytes - 1 - i : i;
      value = value * 256 + (bytes[from + index] as number);
    }
    const whole = Math.floor(value / 2 ** this.#bit) % 2 ** this.bits;
    return this.#isSigned && whole >= 2 ** (this.bits - 1) ? whole - 2 ** this.bits : whole;
  }
}

/** The raw value for which a channel's text says that a frame was sent, which usually is 1. */
export const sentValueOf = ({ conversion }: ChannelInfo): number => {
  if (conversion?.type !== conversionType.valueToText) return 1;
  const index = conversion.texts.findIndex((text) => /^\s*t/i.test(text));
  return index < 0 ? 1 : (conversion.values[index] ?? 1);
};
