import { BitField } from './bit-field.ts';
import type { Raw } from './encode-linear.ts';
import { narrowed, type WireField } from './wire-field.ts';

const wordBits = 32;

/** Bits from one on upwards, as many as a frame has: words of 32 bits, and what is left. */
class LongField implements WireField {
  readonly #words: readonly BitField[];

  constructor(start: number, bits: number) {
    const words: BitField[] = [];
    for (let from = 0; from < bits; from += wordBits) {
      words.push(new BitField(start + from, Math.min(wordBits, bits - from), false));
    }
    this.#words = words;
  }

  read(bytes: Uint8Array, at: number): Raw {
    let raw = 0n;
    for (let index = this.#words.length - 1; index >= 0; index--) {
      const word = (this.#words[index] as BitField).read(bytes, at);
      raw = (raw << BigInt(wordBits)) | BigInt(word);
    }
    return narrowed(raw);
  }

  write(bytes: Uint8Array, at: number, raw: Raw): void {
    let rest = BigInt(raw);
    for (const word of this.#words) {
      word.write(bytes, at, Number(rest & 0xffff_ffffn));
      rest >>= BigInt(wordBits);
    }
  }
}

/** A raw of any number of bits, the lowest one first. */
export const rawBitsField = (start: number, bits: number): WireField => new LongField(start, bits);
