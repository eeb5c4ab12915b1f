import { ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';
import { maxDecimalBytes, putDecimal } from '../bytes/put-decimal.ts';

const firstCells = 4096;
const free = 0xffff_ffff;

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
  numbers = new Float64Array(firstCells);
  /** End of each text in `texts`; the first starts at 0. */
  ends = new Uint32Array(firstCells);
  readonly texts = new ByteBuffer();
  /** Values that no double represents as a finite number. */
  withoutNumber = 0;
  readonly #byText = new Map<string, number>();
  /** Texts that are no numbers, even if they have only digits. */
  readonly #plainTexts = new Map<string, number>();
  #cells = new Uint32Array(firstCells * 2).fill(free);

  clear(): void {
    this.size = 0;
    this.withoutNumber = 0;
    this.texts.length = 0;
    this.#byText.clear();
    this.#plainTexts.clear();
    this.#cells.fill(free);
  }

  /** Index of the value `scaled` / 10^`places`. */
  indexOf(scaled: number, places: number): number {
    const number = places === 0 ? scaled : scaled / (powers[places] as number);
    const cells = this.#cells;
    const mask = cells.length - 1;
    let cell = hashOf(number) & mask;
    for (; ; cell = (cell + 1) & mask) {
      const index = cells[cell] as number;
      if (index === free) break;
      if (this.numbers[index] === number) return index;
    }
    const out = this.texts;
    out.reserve(maxDecimalBytes);
    out.length = putDecimal(out.bytes, out.length, scaled, places);
    const index = this.#add(number);
    cells[cell] = index;
    if (this.size * 2 > cells.length) this.#spread();
    return index;
  }

  indexOfText(text: string, isText: boolean): number {
    const byText = isText ? this.#plainTexts : this.#byText;
    const known = byText.get(text);
    if (known !== undefined) return known;
    this.texts.put(utf8(text));
    const number = isText ? Number.NaN : Number(text);
    const index = this.#add(Number.isFinite(number) ? number : Number.NaN);
    if (!Number.isFinite(number)) this.withoutNumber++;
    byText.set(text, index);
    return index;
  }

  /** Writes all texts; returns how many. */
  putTexts(page: ByteBuffer): number {
    for (let index = 0; index < this.size; index++) this.#putText(page, index);
    return this.size;
  }

  putNumbers(page: ByteBuffer): number {
    page.put(new Uint8Array(this.numbers.buffer, 0, this.size * 8));
    return this.size;
  }

  putEach(page: ByteBuffer, indices: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) this.#putText(page, indices[i] as number);
  }

  putEachNumber(page: ByteBuffer, indices: Uint32Array, count: number): void {
    const numbers = new Float64Array(count);
    for (let i = 0; i < count; i++) numbers[i] = this.numbers[indices[i] as number] as number;
    page.put(new Uint8Array(numbers.buffer));
  }

  #putText(page: ByteBuffer, index: number): void {
    const start = index === 0 ? 0 : (this.ends[index - 1] as number);
    const end = this.ends[index] as number;
    page.reserve(4 + end - start);
    const { bytes } = page;
    let at = page.length;
    const length = end - start;
    bytes[at++] = length & 0xff;
    bytes[at++] = (length >>> 8) & 0xff;
    bytes[at++] = (length >>> 16) & 0xff;
    bytes[at++] = length >>> 24;
    const { bytes: from } = this.texts;
    for (let i = start; i < end; i++) bytes[at++] = from[i] as number;
    page.length = at;
  }

  #add(number: number): number {
    const index = this.size++;
    if (index === this.numbers.length) this.#grow();
    this.numbers[index] = number;
    this.ends[index] = this.texts.length;
    return index;
  }

  #grow(): void {
    const numbers = new Float64Array(this.numbers.length * 2);
    numbers.set(this.numbers);
    this.numbers = numbers;
    const ends = new Uint32Array(this.ends.length * 2);
    ends.set(this.ends);
    this.ends = ends;
  }

  #spread(): void {
    const old = this.#cells;
    const cells = new Uint32Array(old.length * 2).fill(free);
    const mask = cells.length - 1;
    for (const index of old) {
      if (index === free) continue;
      let cell = hashOf(this.numbers[index] as number) & mask;
      while (cells[cell] !== free) cell = (cell + 1) & mask;
      cells[cell] = index;
    }
    this.#cells = cells;
  }
}

const hashOf = (number: number): number => {
  // Negative zero equals zero.
  double[0] = number + 0;
  const mixed = Math.imul(
    (words[0] as number) ^ Math.imul(words[1] as number, 0x9e37_79b1),
    0x85eb_ca6b,
  );
  return mixed ^ (mixed >>> 15);
};
