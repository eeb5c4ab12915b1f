/** Hex digits as bytes to compare; `?` is any digit. */
export class BytePattern {
  readonly #mask: Uint8Array;
  readonly #value: Uint8Array;

  constructor(text: string) {
    const digits = [...text];
    const pairs = digits.filter((_, index) => index % 2 === 0).map((_, index) => index * 2);
    const nibble = (at: number): number =>
      digits[at] === '?' ? 0 : Number.parseInt(digits[at] as string, 16);
    const bits = (at: number): number => (digits[at] === '?' ? 0 : 0xf);
    this.#mask = Uint8Array.from(pairs, (at) => (bits(at) << 4) | bits(at + 1));
    this.#value = Uint8Array.from(pairs, (at) => (nibble(at) << 4) | nibble(at + 1));
  }

  /** Whether a payload begins with the pattern. */
  matches(bytes: Uint8Array, at: number, length: number): boolean {
    const mask = this.#mask;
    const value = this.#value;
    if (length < mask.length) return false;
    for (let i = 0; i < mask.length; i++) {
      if (((bytes[at + i] as number) & (mask[i] as number)) !== value[i]) return false;
    }
    return true;
  }
}
