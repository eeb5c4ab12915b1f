import { ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';
import { maxDecimalBytes, putDecimal } from '../bytes/put-decimal.ts';

const firstCells = 8192;
export const free = 0xffff_ffff;

export const hashFactors = { high: 0x9e37_79b1, all: 0x85eb_ca6b, shift: 15 } as const;

/** Twice as many as values at least, and a power of two. */
const cellsFor = (capacity: number): number =>
  Math.max(firstCells, 2 ** Math.ceil(Math.log2(capacity * 2)));

/** Bytes of a dictionary for as many values. */
export const dictionaryBytes = (capacity: number): number => capacity * 8 + cellsFor(capacity) * 4;

/** Bytes of the length of a text. */
const lengthBytes = 4;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** Places that are a power of ten in a double. */
const powers = Array.from({ length: 23 }, (_, places) => 10 ** places);

/**
 * Distinct values of a part, each with its number and its text. Up to 15 digits a number has one
 * text, so they are found by number; longer values by their text.
 */
export class ValueDictionary {
  size = 0;
  /** NaN if a text has no finite number. */
  readonly numbers: Float64Array;
  /** Indices of numbers, free cells between them. */
  readonly cells: Uint32Array;
  /** Of a hash, to its cell among those in use. */
  mask = firstCells - 1;
  /** Start of each text in `texts`, and the end of the last one. */
  #starts = new Uint32Array(firstCells);
  /** Each text after its length. */
  readonly #texts = new ByteBuffer();
  /** Values that no double represents as a finite number. */
  withoutNumber = 0;
  readonly #byText = new Map<string, number>();
  /** Texts that are no numbers, even if they have only digits. */
  readonly #plainTexts = new Map<string, number>();

  constructor(capacity: number, buffer = new ArrayBuffer(dictionaryBytes(capacity)), at = 0) {
    this.numbers = new Float64Array(buffer, at, capacity);
    this.cells = new Uint32Array(buffer, at + capacity * 8, cellsFor(capacity));
    this.clear();
  }

  clear(): void {
    this.size = 0;
    this.withoutNumber = 0;
    this.#texts.length = 0;
    this.#byText.clear();
    this.#plainTexts.clear();
    this.cells.fill(free, 0, this.mask + 1);
  }

  /** Index of the value `scaled` / 10^`places`. */
  indexOf(scaled: number, places: number): number {
    const number = places === 0 ? scaled : scaled / (powers[places] as number);
    const { cells, mask } = this;
    let cell = hashOf(number) & mask;
    for (; ; cell = (cell + 1) & mask) {
      const index = cells[cell] as number;
      if (index === free) break;
      if (this.numbers[index] === number) return index;
    }
    const texts = this.#texts;
    const start = texts.length;
    texts.reserve(lengthBytes + maxDecimalBytes);
    texts.length = putDecimal(texts.bytes, start + lengthBytes, scaled, places);
    this.#putLength(start);
    const index = this.#add(number);
    cells[cell] = index;
    if (this.size * 2 > mask + 1) this.#spread();
    return index;
  }

  indexOfText(text: string, isText: boolean): number {
    const byText = isText ? this.#plainTexts : this.#byText;
    const known = byText.get(text);
    if (known !== undefined) return known;
    const start = this.#texts.length;
    this.#texts.reserve(lengthBytes);
    this.#texts.length += lengthBytes;
    this.#texts.put(utf8(text));
    this.#putLength(start);
    const number = isText ? Number.NaN : Number(text);
    const index = this.#add(Number.isFinite(number) ? number : Number.NaN);
    if (!Number.isFinite(number)) this.withoutNumber++;
    byText.set(text, index);
    return index;
  }

  /** Writes all texts; returns how many. */
  putTexts(page: ByteBuffer): number {
    page.put(this.#texts.bytes.subarray(0, this.#texts.length));
    return this.size;
  }

  putNumbers(page: ByteBuffer): number {
    page.put(new Uint8Array(this.numbers.buffer, this.numbers.byteOffset, this.size * 8));
    return this.size;
  }

  putEach(page: ByteBuffer, indices: Uint32Array, count: number): void {
    const { bytes } = this.#texts;
    const starts = this.#starts;
    for (let i = 0; i < count; i++) {
      const index = indices[i] as number;
      page.put(bytes.subarray(starts[index], starts[index + 1]));
    }
  }

  putEachNumber(page: ByteBuffer, indices: Uint32Array, count: number): void {
    const numbers = new Float64Array(count);
    for (let i = 0; i < count; i++) numbers[i] = this.numbers[indices[i] as number] as number;
    page.put(new Uint8Array(numbers.buffer));
  }

  /** Removes indices of values without a number, and their rows; returns how many remain. */
  dropWithoutNumber(indices: Uint32Array, rows: Uint32Array, count: number): number {
    if (this.withoutNumber === 0) return count;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const index = indices[i] as number;
      if (Number.isNaN(this.numbers[index])) continue;
      rows[kept] = rows[i] as number;
      indices[kept++] = index;
    }
    return kept;
  }

  #putLength(start: number): void {
    const { bytes, length } = this.#texts;
    const text = length - start - lengthBytes;
    for (let i = 0; i < lengthBytes; i++) bytes[start + i] = text >>> (8 * i);
  }

  #add(number: number): number {
    const index = this.size++;
    if (this.size === this.#starts.length) {
      const starts = new Uint32Array(this.#starts.length * 2);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    this.numbers[index] = number;
    this.#starts[this.size] = this.#texts.length;
    return index;
  }

  #spread(): void {
    const old = this.cells.slice(0, this.mask + 1);
    this.mask = old.length * 2 - 1;
    const { cells, mask } = this;
    cells.fill(free, 0, mask + 1);
    for (const index of old) {
      if (index === free) continue;
      let cell = hashOf(this.numbers[index] as number) & mask;
      while (cells[cell] !== free) cell = (cell + 1) & mask;
      cells[cell] = index;
    }
  }
}

const hashOf = (number: number): number => {
  // Negative zero equals zero.
  double[0] = number + 0;
  const mixed = Math.imul(
    (words[0] as number) ^ Math.imul(words[1] as number, hashFactors.high),
    hashFactors.all,
  );
  return mixed ^ (mixed >>> hashFactors.shift);
};
