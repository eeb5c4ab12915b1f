import { maxFdLength } from '../../../src/frame/dlc.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { BitChanges } from './bit-changes.ts';
import type { RowPosition } from './chunk-view.ts';
import { droppedKind, FrameChunk, gapKind } from './frame-chunk.ts';
import { IdStatistics } from './id-statistics.ts';

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

const rowKey = (chunk: FrameChunk, row: number): number =>
  placeOf(chunk, row) * idKeys + idKeyAt(chunk, row);

const isFrame = ({ kind }: FrameChunk, row: number): boolean =>
  kind[row] !== gapKind && kind[row] !== droppedKind;

/** Measures the times between older frames, and up to the first later ones of their identifiers. */
export const measureOlder = (older: FrameChunk, later: Iterable<RowPosition>): void => {
  const last = new Map<number, number>();
  for (let row = 0; row < older.count; row++) {
    if (!isFrame(older, row)) continue;
    const key = rowKey(older, row);
    const us = older.timestampUs[row] as number;
    older.sinceUs[row] = us - (last.get(key) ?? Number.NaN);
    last.set(key, us);
  }
  for (const { chunk, row } of later) {
    if (last.size === 0) return;
    const key = isFrame(chunk, row) ? rowKey(chunk, row) : Number.NaN;
    const us = last.get(key);
    if (us === undefined || !last.delete(key)) continue;
    if (Number.isNaN(chunk.sinceUs[row])) {
      chunk.sinceUs[row] = (chunk.timestampUs[row] as number) - us;
    }
  }
};

/** The latest frame per channel, direction and identifier, up to a capacity. */
export class ByIdTable {
  readonly last: FrameChunk;
  readonly counts: Float64Array;
  /** Time between the last two frames; NaN after fewer than two. */
  readonly cycleUs: Float64Array;
  readonly averageUs: Float64Array;
  readonly statistics: IdStatistics;
  readonly changes: BitChanges;
  readonly #changedUs: Float64Array;
  readonly #index: IdIndex;
  #sorted: Uint16Array | null = null;
  #newestUs = 0;
  #originUs = Number.NaN;
  /** When the mark was set; NaN without one. */
  markUs = Number.NaN;
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
    this.statistics = new IdStatistics(capacity);
    this.changes = new BitChanges(capacity);
    this.#changedUs = new Float64Array(capacity * maxFdLength);
    this.#index = new IdIndex(capacity);
  }

  get sorted(): Uint16Array {
    if (this.#sorted) return this.#sorted;
    const { last } = this;
    const keys = Float64Array.from({ length: last.count }, (_, row) => rowKey(last, row));
    this.#sorted = Uint16Array.from(keys.keys()).sort(
      (a, b) => (keys[a] as number) - (keys[b] as number),
    );
    return this.#sorted;
  }

  /** Time from the first to the newest frame. */
  get observedUs(): number {
    return Number.isNaN(this.#originUs) ? 0 : this.#newestUs - this.#originUs;
  }

  /** Row of the identifier of a frame; negative without one. */
  rowOf(chunk: FrameChunk, from: number): number {
    return this.#index.find(placeOf(chunk, from), idKeyAt(chunk, from));
  }

  /** Returns the time since the last frame of its row; NaN without one. */
  take(chunk: FrameChunk, from: number): number {
    let row = this.rowOf(chunk, from);
    if (row < 0) {
      if (this.last.isFull) {
        this.unlisted++;
        return Number.NaN;
      }
      row = this.#add(placeOf(chunk, from), idKeyAt(chunk, from));
    }
    this.#takeTime(row, chunk, from);
    const isChanged = this.changes.take(row, this.last, chunk, from);
    const cycleUs = this.counts[row] === 0 ? Number.NaN : (this.cycleUs[row] as number);
    this.statistics.take(row, chunk, from, cycleUs, isChanged);
    this.#takePayload(row, chunk, from);
    this.last.copyRow(row, chunk, from);
    const times = Math.max(1, chunk.errors[from] as number);
    this.counts[row] = (this.counts[row] as number) + times;
    return this.cycleUs[row] as number;
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

  mark(): void {
    this.markUs = this.#newestUs;
    this.changes.mark(this.last.count);
  }

  unmark(): void {
    this.markUs = Number.NaN;
    this.changes.unmark(this.last.count);
  }

  clear(): void {
    this.firstSerial += this.last.count;
    this.markUs = Number.NaN;
    this.#originUs = Number.NaN;
    this.statistics.clear();
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
    copy.statistics.copyFrom(this.statistics);
    copy.changes.copyFrom(this.changes, this.last.count);
    copy.markUs = this.markUs;
    copy.#originUs = this.#originUs;
    copy.#newestUs = this.#newestUs;
    copy.firstSerial = this.firstSerial;
    copy.unlisted = this.unlisted;
    return copy;
  }

  #add(place: number, id: number): number {
    const row = this.last.count++;
    this.#index.add(place, id, row);
    this.#sorted = null;
    this.statistics.addRow(row);
    this.changes.addRow(row);
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
    if (Number.isNaN(this.#originUs)) this.#originUs = us;
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
