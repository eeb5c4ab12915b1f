/** Numbers that can be compared as they lie: doubles as two halves, so that none is unequal to itself. */
type Column = Uint8Array | Uint32Array;

const bytesOf = ({ buffer, byteOffset, byteLength }: Column): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

/** A column of a table that another thread writes, as it was when it was looked at last. */
export class ColumnCopy {
  readonly #source: Column;
  /** Numbers of one row. */
  readonly #width: number;
  readonly #rowBytes: number;
  readonly #known: Column;
  readonly #sourceBytes: Buffer;
  readonly #knownBytes: Buffer;
  #taken: Column;
  #first = 0;

  constructor(source: Column, width: 1 | 2) {
    this.#source = source;
    this.#width = width;
    this.#rowBytes = width * source.BYTES_PER_ELEMENT;
    this.#known = source.slice();
    this.#sourceBytes = bytesOf(source);
    this.#knownBytes = bytesOf(this.#known);
    this.#taken = source.slice(0, 0);
  }

  /** Whether some rows are as they were. One that is being written is found out the next time. */
  isKnown(first: number, end: number): boolean {
    const from = first * this.#rowBytes;
    const to = end * this.#rowBytes;
    return this.#sourceBytes.compare(this.#knownBytes, from, to, from, to) === 0;
  }

  /** Copies some rows as they are now. */
  take(first: number, end: number): void {
    const rows = this.#source.subarray(first * this.#width, end * this.#width);
    if (this.#taken.length < rows.length) this.#taken = rows.slice();
    else this.#taken.set(rows);
    this.#first = first;
  }

  /** Whether a row that was taken is another one than before; it is the known one from now on. */
  learn(row: number): boolean {
    let isChanged = false;
    for (let number = 0; number < this.#width; number++) {
      const value = this.#taken[(row - this.#first) * this.#width + number] as number;
      const place = row * this.#width + number;
      if (this.#known[place] === value) continue;
      this.#known[place] = value;
      isChanged = true;
    }
    return isChanged;
  }
}
