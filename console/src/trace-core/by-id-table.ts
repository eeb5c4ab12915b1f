import { maxFdLength } from '../../../src/frame/dlc.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { FrameChunk } from './frame-chunk.ts';

const free = 0;

/**
 * Hash table from two small numbers to a row. A `Map` would need one combined key, which
 * exceeds a small integer and is allocated per frame.
 */
export class IdIndex {
  readonly #mask: number;
  readonly #places: Uint32Array;
  readonly #ids: Uint32Array;
  readonly #rows: Uint32Array;

  constructor(capacity: number) {
    // A load factor of one quarter keeps collisions rare.
    const size = 2 ** Math.ceil(Math.log2(4 * capacity));
    this.#mask = size - 1;
    this.#places = new Uint32Array(size);
    this.#ids = new Uint32Array(size);
    this.#rows = new Uint32Array(size);
  }

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

  copyFrom(other: IdIndex): void {
    this.#places.set(other.#places);
    this.#ids.set(other.#ids);
    this.#rows.set(other.#rows);
  }

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

const freshUs = 1_000_000;
const newestWeight = 1 / 8;

const idKeys = 2 ** 30;

/** 11-bit and 29-bit identifiers differ even with the same number. */
export const idKeyOf = (id: number, flags: number): number =>
  (flags & frameFlag.extended) !== 0 ? id + idKeys / 2 : id;

const placeOf = (chunk: FrameChunk, row: number): number => {
  const isError = ((chunk.flags[row] as number) & frameFlag.error) !== 0 ? 1 : 0;
  return (chunk.channel[row] as number) * 8 + (chunk.kind[row] as number) * 2 + isError;
};

const idKeyAt = (chunk: FrameChunk, row: number): number =>
  idKeyOf(chunk.id[row] as number, chunk.flags[row] as number);

/** The latest frame per channel, direction and identifier, up to a capacity. */
export class ByIdTable {
  readonly last: FrameChunk;
  readonly counts: Float64Array;
  /** Time between the last two frames; NaN after fewer than two. */
  readonly cycleUs: Float64Array;
  readonly averageUs: Float64Array;
  readonly #changedUs: Float64Array;
  readonly #index: IdIndex;
  #sorted: Uint16Array | null = null;
  #newestUs = 0;
  /**
   * Serial of the first row; it grows when the table is cleared, so that old selections match
   * no new row.
   */
  firstSerial = 0;
  unlisted = 0;

  constructor(capacity: number) {
    this.last = new FrameChunk(capacity);
    this.counts = new Float64Array(capacity);
    this.cycleUs = new Float64Array(capacity);
    this.averageUs = new Float64Array(capacity);
    this.#changedUs = new Float64Array(capacity * maxFdLength);
    this.#index = new IdIndex(capacity);
  }

  get sorted(): Uint16Array {
    if (this.#sorted) return this.#sorted;
    const { last } = this;
    const keys = Float64Array.from(
      { length: last.count },
      (_, row) => placeOf(last, row) * idKeys + idKeyAt(last, row),
    );
    this.#sorted = Uint16Array.from(keys.keys()).sort(
      (a, b) => (keys[a] as number) - (keys[b] as number),
    );
    return this.#sorted;
  }

  take(chunk: FrameChunk, from: number): void {
    const place = placeOf(chunk, from);
    const id = idKeyAt(chunk, from);
    let row = this.#index.find(place, id);
    if (row < 0) {
      if (this.last.isFull) {
        this.unlisted++;
        return;
      }
      row = this.#add(place, id);
    }
    this.#takeTime(row, chunk, from);
    this.#takePayload(row, chunk, from);
    this.last.copyRow(row, chunk, from);
    const times = Math.max(1, chunk.errors[from] as number);
    this.counts[row] = (this.counts[row] as number) + times;
  }

  changedBytes(row: number): readonly [low: number, high: number] {
    let low = 0;
    let high = 0;
    const length = this.last.length[row] as number;
    for (let i = 0; i < length; i++) {
      const age = this.#newestUs - (this.#changedUs[row * maxFdLength + i] as number);
      if (age >= freshUs) continue;
      if (i < 32) low |= 1 << i;
      else high |= 1 << (i - 32);
    }
    return [low >>> 0, high >>> 0];
  }

  clear(): void {
    this.firstSerial += this.last.count;
    this.#index.clear();
    this.#sorted = null;
    this.last.reset();
    this.unlisted = 0;
  }

  copy(): ByIdTable {
    const copy = new ByIdTable(this.last.capacity);
    copy.#index.copyFrom(this.#index);
    copy.last.copyFrom(this.last);
    copy.counts.set(this.counts);
    copy.cycleUs.set(this.cycleUs);
    copy.averageUs.set(this.averageUs);
    copy.#changedUs.set(this.#changedUs);
    copy.#newestUs = this.#newestUs;
    copy.firstSerial = this.firstSerial;
    copy.unlisted = this.unlisted;
    return copy;
  }

  #add(place: number, id: number): number {
    const row = this.last.count++;
    this.#index.add(place, id, row);
    this.#sorted = null;
    this.counts[row] = 0;
    this.cycleUs[row] = Number.NaN;
    this.averageUs[row] = Number.NaN;
    this.last.length[row] = 0;
    const from = row * maxFdLength;
    this.#changedUs.fill(Number.NEGATIVE_INFINITY, from, from + maxFdLength);
    return row;
  }

  #takeTime(row: number, chunk: FrameChunk, from: number): void {
    const us = chunk.timestampUs[from] as number;
    this.#newestUs = us;
    if (this.counts[row] === 0) return;
    const cycle = us - (this.last.timestampUs[row] as number);
    const average = this.averageUs[row] as number;
    this.cycleUs[row] = cycle;
    this.averageUs[row] = Number.isNaN(average)
      ? cycle
      : average + (cycle - average) * newestWeight;
  }

  #takePayload(row: number, chunk: FrameChunk, from: number): void {
    const { payload, length } = this.last;
    const to = row * maxFdLength;
    const source = from * maxFdLength;
    const before = length[row] as number;
    const isFirst = this.counts[row] === 0;
    const now = chunk.length[from] as number;
    for (let i = 0; i < now; i++) {
      const byte = chunk.payload[source + i] as number;
      const isChanged = !isFirst && (i >= before || payload[to + i] !== byte);
      if (isChanged) this.#changedUs[to + i] = chunk.timestampUs[from] as number;
      payload[to + i] = byte;
    }
  }
}
