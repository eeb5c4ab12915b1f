/** A FIFO queue without duplicates. Allocates only when it grows. */
export class RingQueue<Entry> {
  #entries: (Entry | undefined)[] = new Array<Entry | undefined>(8).fill(undefined);
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The entry that `shift` would remove. */
  get first(): Entry | undefined {
    return this.#size === 0 ? undefined : this.#entries[this.#head];
  }

  push(entry: Entry): void {
    if (this.#size === this.#entries.length) this.#grow();
    this.#entries[this.#placeOf(this.#size)] = entry;
    this.#size += 1;
  }

  unshift(entry: Entry): void {
    if (this.#size === this.#entries.length) this.#grow();
    this.#head = this.#placeOf(this.#entries.length - 1);
    this.#entries[this.#head] = entry;
    this.#size += 1;
  }

  shift(): Entry | undefined {
    if (this.#size === 0) return undefined;
    const entry = this.#entries[this.#head];
    this.#entries[this.#head] = undefined;
    this.#head = this.#placeOf(1);
    this.#size -= 1;
    return entry;
  }

  remove(entry: Entry): void {
    for (let left = this.#size; left > 0; left--) {
      const next = this.shift();
      if (next !== undefined && next !== entry) this.push(next);
    }
  }

  #placeOf(index: number): number {
    return (this.#head + index) & (this.#entries.length - 1);
  }

  #grow(): void {
    const entries = new Array<Entry | undefined>(2 * this.#entries.length).fill(undefined);
    for (let index = 0; index < this.#size; index++) {
      entries[index] = this.#entries[this.#placeOf(index)];
    }
    this.#entries = entries;
    this.#head = 0;
  }
}
