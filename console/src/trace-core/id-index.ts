const free = 0;

/**
 * Rows by two small numbers, in memory of its own: a `Map` needs one key made of both, which is too
 * large for a small integer and would be allocated for each frame.
 */
export class IdIndex {
  readonly #mask: number;
  readonly #places: Uint32Array;
  readonly #ids: Uint32Array;
  /** One more than the row, so that nothing has to be filled in at first. */
  readonly #rows: Uint32Array;

  /** For that many rows at most. */
  constructor(capacity: number) {
    // Four times as many as needed: neighbours are then seldom in each other's way.
    const size = 2 ** Math.ceil(Math.log2(4 * capacity));
    this.#mask = size - 1;
    this.#places = new Uint32Array(size);
    this.#ids = new Uint32Array(size);
    this.#rows = new Uint32Array(size);
  }

  /** The row; -1 if there is none. */
  find(place: number, id: number): number {
    return (this.#rows[this.#slotOf(place, id)] as number) - 1;
  }

  add(place: number, id: number, row: number): void {
    const slot = this.#slotOf(place, id);
    this.#places[slot] = place;
    this.#ids[slot] = id;
    this.#rows[slot] = row + 1;
  }

  clear(): void {
    this.#rows.fill(free);
  }

  /** Takes over everything from one of the same capacity. */
  copyFrom(other: IdIndex): void {
    this.#places.set(other.#places);
    this.#ids.set(other.#ids);
    this.#rows.set(other.#rows);
  }

  /** Where the two are, or could be put. */
  #slotOf(place: number, id: number): number {
    let slot = (Math.imul(id, 0x9e3779b1) ^ Math.imul(place, 0x85ebca6b)) >>> 7;
    for (;;) {
      slot &= this.#mask;
      if (this.#rows[slot] === free) return slot;
      if (this.#ids[slot] === id && this.#places[slot] === place) return slot;
      slot++;
    }
  }
}
