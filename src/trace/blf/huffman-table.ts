/** No code of deflate is longer. */
export const longestCode = 15;
/** An entry has the length of the code in its low bits and the symbol above them. */
const lengthBits = 4;
const lengthMask = (1 << lengthBits) - 1;

export const lengthOfEntry = (entry: number): number => entry & lengthMask;
export const symbolOfEntry = (entry: number): number => entry >>> lengthBits;

const reversed = (code: number, length: number): number => {
  let bits = 0;
  for (let i = 0; i < length; i++) bits |= ((code >>> i) & 1) << (length - 1 - i);
  return bits;
};

/** Finds symbols by the bits that come next, first bit lowest (RFC 1951, 3.2.2). */
export class HuffmanTable {
  readonly entries = new Uint16Array(1 << longestCode);
  /** Of the bits that come next, those that tell the entry. */
  mask = 0;
  readonly #nextCode = new Uint16Array(longestCode + 2);

  /** Takes the lengths of the codes, symbol by symbol; false if there cannot be so many. */
  build(lengths: Uint8Array): boolean {
    const width = this.#assignCodes(lengths);
    if (width < 0) return false;
    const size = 1 << width;
    this.mask = size - 1;
    // Codes that the lengths leave unused have an entry of no length.
    this.entries.fill(0, 0, size);
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      const length = lengths[symbol] as number;
      if (length === 0) continue;
      const code = this.#nextCode[length] as number;
      this.#nextCode[length] = code + 1;
      const entry = (symbol << lengthBits) | length;
      for (let at = reversed(code, length); at < size; at += 1 << length) this.entries[at] = entry;
    }
    return true;
  }

  /** Finds the first code of each length, and the longest length in use; −1 if they run out. */
  #assignCodes(lengths: Uint8Array): number {
    const counts = new Uint16Array(longestCode + 1);
    for (const length of lengths) counts[length] = (counts[length] as number) + 1;
    counts[0] = 0;
    let code = 0;
    let width = 0;
    for (let length = 1; length <= longestCode; length++) {
      code = (code + (counts[length - 1] as number)) << 1;
      const count = counts[length] as number;
      if (code + count > 1 << length) return -1;
      if (count > 0) width = length;
      this.#nextCode[length] = code;
    }
    return width;
  }
}
