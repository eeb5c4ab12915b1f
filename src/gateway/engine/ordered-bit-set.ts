const bits = 5;

/**
 * A set of numbers below a limit that returns the lowest. It allocates nothing. A single number, the usual case, is
 * stored separately. Otherwise each number is a bit, and each non-empty word is a bit of the level above.
 *
 *     level 2        …1              one bit for each word of level 1
 *     level 1        …0100           one bit for each word of level 0
 *     level 0   0000 0000 0010 0000  one bit for each number
 */
export class OrderedBitSet {
  readonly #levels: readonly Int32Array[];
  /** The only number in the set; −1 if it has none or several. */
  #only = -1;
  #isSpread = false;

  constructor(limit: number) {
    const levels: Int32Array[] = [];
    for (let words = limit; ; ) {
      words = Math.max(1, Math.ceil(words / 32));
      levels.push(new Int32Array(words));
      if (words === 1) break;
    }
    this.#levels = levels;
  }

  mark(number: number): void {
    if (!this.#isSpread) {
      if (this.#only === number) return;
      if (this.#only < 0) {
        this.#only = number;
        return;
      }
      this.#isSpread = true;
      this.#mark(this.#only);
      this.#only = -1;
    }
    this.#mark(number);
  }

  #mark(number: number): void {
    let place = number;
    for (let level = 0; level < this.#levels.length; level++) {
      const words = this.#levels[level] as Int32Array;
      const word = place >> bits;
      const before = words[word] as number;
      words[word] = before | (1 << (place & 31));
      if (before !== 0) return;
      place = word;
    }
  }

  takeLowest(): number {
    if (this.#isSpread) return this.#takeSpread();
    const only = this.#only;
    this.#only = -1;
    return only;
  }

  clear(): void {
    this.#only = -1;
    this.#isSpread = false;
    for (const words of this.#levels) words.fill(0);
  }

  #takeSpread(): number {
    const top = this.#levels.length - 1;
    let place = 0;
    for (let level = top; level >= 0; level--) {
      const word = (this.#levels[level] as Int32Array)[place] as number;
      if (word === 0) {
        this.#isSpread = false;
        return -1;
      }
      place = (place << bits) + 31 - Math.clz32(word & -word);
    }
    this.#unmark(place);
    return place;
  }

  #unmark(number: number): void {
    let place = number;
    for (let level = 0; level < this.#levels.length; level++) {
      const words = this.#levels[level] as Int32Array;
      const word = place >> bits;
      const left = (words[word] as number) & ~(1 << (place & 31));
      words[word] = left;
      if (left !== 0) return;
      place = word;
    }
  }
}

export class SparseSet {
  readonly #isThere: Uint8Array;
  readonly #list: Uint32Array;
  #size = 0;

  constructor(limit: number) {
    this.#isThere = new Uint8Array(limit);
    this.#list = new Uint32Array(limit);
  }

  add(number: number): void {
    if (this.#isThere[number] === 1) return;
    this.#isThere[number] = 1;
    this.#list[this.#size++] = number;
  }

  take(): number {
    if (this.#size === 0) return -1;
    const number = this.#list[--this.#size] as number;
    this.#isThere[number] = 0;
    return number;
  }
}
