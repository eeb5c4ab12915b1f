/** A sparse set of numbers. Adding and taking allocate nothing. */
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

  /** Takes any number; −1 if none. */
  take(): number {
    if (this.#size === 0) return -1;
    const number = this.#list[--this.#size] as number;
    this.#isThere[number] = 0;
    return number;
  }
}
