import type { MessageEvent as FrameEvent } from '../api/client.ts';
import { ChunkView, lowerBound } from './chunk-view.ts';
import { droppedKind, FrameChunk, type Gap, gapKind } from './frame-chunk.ts';
import { markTwin } from './mark-twin.ts';

const chunkFrames = 16_384;
/** Inserted rows get fractional serials. */
const serialStep = 2 ** -10;
/** Rows that a late frame can precede. Further back it stays at the end. */
const maxLateRows = 512;

export type RowTest = (chunk: FrameChunk, row: number) => boolean;

/** Counts the matches of all rows, or those from `first` again. */
const countMatches = (chunk: FrameChunk, test: RowTest | null, first = 0): void => {
  chunk.matchCount = lowerBound(chunk.matches, chunk.matchCount, first);
  if (test === null) return;
  for (let row = first; row < chunk.count; row++) {
    if (test(chunk, row)) chunk.matches[chunk.matchCount++] = row;
  }
};

interface HeldRows {
  readonly view: ChunkView;
  readonly release: () => void;
}

/**
 * The newest frames up to a limit, oldest first. A pinned view stays unchanged while new frames
 * evict old ones.
 */
export class FrameStore {
  readonly #capacity: number;
  readonly #chunkFrames: number;
  #chunks: FrameChunk[] = [];
  #total = 0;
  #nextSerial = 0;
  #pinned: ChunkView | null = null;
  readonly #held = new Set<ChunkView>();
  #spare: FrameChunk | null = null;
  #test: RowTest | null = null;

  constructor(capacity: number, framesOfChunk = chunkFrames) {
    this.#capacity = capacity;
    this.#chunkFrames = framesOfChunk;
  }

  get total(): number {
    return this.#total;
  }

  get isPinned(): boolean {
    return this.#pinned !== null;
  }

  get view(): ChunkView {
    return this.#pinned ?? new ChunkView(this.#chunks, this.#test !== null);
  }

  /** Adds a frame at its time. Calls `onRow` with its place. */
  addRecord(record: DataView, onRow?: (chunk: FrameChunk, row: number) => void): void {
    const chunk = this.#room();
    const end = chunk.count;
    chunk.addRecord(record);
    markTwin(chunk, end);
    const row = this.#rowByTime(chunk, end);
    if (row === end) this.#added(chunk);
    else this.#moveLast(chunk, row);
    onRow?.(chunk, row);
  }

  addGap(gap: Gap): void {
    const chunk = this.#room();
    chunk.addGap(gap);
    this.#added(chunk);
  }

  /** Inserts dropped frames among the newest rows by their time. */
  addDropped(events: readonly FrameEvent[]): void {
    const changed = new Set<FrameChunk>();
    for (const event of events) changed.add(this.#insert(event));
    for (const chunk of changed) countMatches(chunk, this.#test);
  }

  prepend(older: FrameChunk): void {
    const first = this.view.chunks[0];
    const serial = Math.floor(first?.serial[0] ?? this.#nextSerial) - older.count;
    for (let row = 0; row < older.count; row++) older.serial[row] = serial + row;
    countMatches(older, this.#test);
    // If frames were evicted since, only the pinned view is contiguous with the older ones.
    if (this.#chunks[0] === first) {
      this.#chunks = [older, ...this.#chunks];
      this.#total += older.count;
    }
    this.#pinned = this.#pinned?.with(older) ?? null;
  }

  remove(older: ReadonlySet<FrameChunk>): void {
    this.#chunks = this.#chunks.filter((chunk) => !older.has(chunk));
    this.#total = this.#chunks.reduce((sum, { count }) => sum + count, 0);
    this.#pinned = this.#pinned?.without(older) ?? null;
  }

  filter(test: RowTest | null): void {
    this.#test = test;
    const all = new Set([...this.#chunks, ...(this.#pinned?.chunks ?? [])]);
    for (const chunk of all) countMatches(chunk, test);
    this.#pinned = this.#pinned?.filtered(test !== null) ?? null;
  }

  pin(): void {
    this.#pinned ??= new ChunkView([...this.#chunks], this.#test !== null).sealed();
  }

  unpin(): void {
    this.#pinned = null;
  }

  /** Holds all rows of the view, filtered or not, for a slow reader. */
  hold(): HeldRows {
    const { chunks } = this.view;
    const view = this.#pinned?.filtered(false) ?? new ChunkView([...chunks], false).sealed();
    this.#held.add(view);
    return { view, release: () => this.#held.delete(view) };
  }

  clear(): void {
    this.#chunks = [];
    this.#total = 0;
    this.#pinned = null;
  }

  /**
   * Buses report a frame when it is complete, but its time can be that of its start. So a frame can
   * arrive after later frames of other channels, and of dropped ones. Within a channel, the order
   * of the service stays.
   */
  #rowByTime({ kind, timestampUs, channel }: FrameChunk, end: number): number {
    if (this.#held.size > 0) return end;
    const time = timestampUs[end] as number;
    let row = end;
    while (
      (timestampUs[row - 1] as number) > time &&
      kind[row - 1] !== gapKind &&
      (kind[row - 1] === droppedKind || channel[row - 1] !== channel[end])
    ) {
      row--;
      if (end - row > maxLateRows) return end;
    }
    return row;
  }

  #moveLast(chunk: FrameChunk, row: number): void {
    chunk.moveLast(row);
    chunk.serial[row] = this.#nextSerial++;
    for (let next = row + 1; next < chunk.count; next++)
      chunk.serial[next] = (chunk.serial[next - 1] as number) + serialStep;
    this.#total++;
    this.#pinned = this.#pinned?.inserted(chunk, row) ?? null;
    countMatches(chunk, this.#test, row);
  }

  #added(chunk: FrameChunk): void {
    const row = chunk.count - 1;
    this.#total++;
    chunk.serial[row] = this.#nextSerial++;
    if (this.#test?.(chunk, row)) chunk.matches[chunk.matchCount++] = row;
  }

  #room(): FrameChunk {
    const last = this.#chunks.at(-1);
    if (last && !last.isFull && last.capacity === this.#chunkFrames) return last;
    this.#evict();
    const chunk = this.#spare ?? new FrameChunk(this.#chunkFrames);
    this.#spare = null;
    chunk.reset();
    this.#carryOver(chunk);
    this.#chunks.push(chunk);
    return chunk;
  }

  /** Starts a chunk with the last rows of the one before, so that late frames can precede them. */
  #carryOver(chunk: FrameChunk): void {
    const last = this.#chunks.at(-1);
    const rows = Math.min(this.#chunkFrames >> 5, maxLateRows);
    if (!last || rows === 0 || last.capacity !== this.#chunkFrames || this.#isSeen(last)) return;
    chunk.takeLast(last, rows);
    countMatches(chunk, this.#test);
    last.matchCount = lowerBound(last.matches, last.matchCount, last.count);
  }

  #evict(): void {
    while (this.#total + this.#chunkFrames > this.#capacity) {
      const oldest = this.#chunks.shift();
      if (!oldest) return;
      this.#total -= oldest.count;
      if (!this.#isSeen(oldest) && oldest.capacity === this.#chunkFrames) this.#spare = oldest;
    }
  }

  #insert(event: FrameEvent): FrameChunk {
    const chunk = this.#room();
    const { timestampUs, serial } = chunk;
    const isLater = (row: number): boolean => (timestampUs[row] as number) > event.timestamp_us;
    let row = chunk.count;
    // Otherwise a slow reader would read the following rows twice.
    while (this.#held.size === 0 && row > 0 && isLater(row - 1)) row--;
    chunk.insert(row);
    chunk.addEvent(event, row);
    chunk.kind[row] = droppedKind;
    const behind = chunk.count > 1 ? (serial[1] as number) : this.#nextSerial;
    serial[row] = row > 0 ? (serial[row - 1] as number) + serialStep : behind - serialStep;
    this.#total++;
    this.#pinned = this.#pinned?.inserted(chunk, row) ?? null;
    return chunk;
  }

  #isSeen(chunk: FrameChunk): boolean {
    if (this.#pinned?.chunks.includes(chunk)) return true;
    for (const { chunks } of this.#held) if (chunks.includes(chunk)) return true;
    return false;
  }
}
