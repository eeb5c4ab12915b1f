import { frm2TimestampUs, isFrm2 } from '../../../src/frame/frm2-codec.ts';
import type { MessageEvent as FrameEvent } from '../api/client.ts';
import { ByIdTable, measureOlder } from './by-id-table.ts';
import type { ChunkView, RowPosition } from './chunk-view.ts';
import type { FrameChecks } from './frame-checks.ts';
import {
  checkMark,
  droppedKind,
  everyChannel,
  FrameChunk,
  gapKind,
  someChannels,
} from './frame-chunk.ts';
import { type FrameFilter, rowTest } from './frame-filter.ts';
import { FrameStore, type RowTest } from './frame-store.ts';
import { markTwin } from './mark-twin.ts';
import { RowEngine } from './row-engine.ts';
import type { SearchedRows } from './row-search.ts';
import { type GapBounds, type GapNote, StreamStats } from './stream-stats.ts';

/** Capacity of the trace; new frames evict the oldest. */
export const keptFrames = 262_144;
export const keptIds = 4096;
/** Additional capacity for frames loaded from the history. */
export const maxOlder = 262_144;

const notedGaps = 100;
/** Rows among which the oldest event is. */
const firstRows = 256;

/** Moves events before later ones of other channels, as the store does with records. */
const inOrderOfTime = (events: readonly FrameEvent[]): readonly FrameEvent[] => {
  const sorted: FrameEvent[] = [];
  for (const event of events) {
    let at = sorted.length;
    for (; at > 0 && sorted.length - at <= firstRows; at--) {
      const before = sorted[at - 1] as FrameEvent;
      if (before.timestamp_us <= event.timestamp_us || before.channel === event.channel) break;
    }
    sorted.splice(at, 0, event);
  }
  return sorted;
};

/** Trace files contain only frames that were on the bus. */
function* writtenOf(view: ChunkView, test: RowTest | null): Generator<RowPosition> {
  for (const place of view) {
    if (place.chunk.kind[place.row] === droppedKind) continue;
    if (test === null || test(place.chunk, place.row)) yield place;
  }
}

/** The frames of the stream. */
export class TraceEngine extends RowEngine {
  readonly stats: StreamStats;
  readonly gapNotes: GapNote[] = [];
  malformed = 0;
  /** Frames that were marked by their end-to-end check. */
  failedChecks = 0;
  #newChecks: (() => FrameChecks) | null = null;
  #checks: FrameChecks | null = null;
  readonly #store = new FrameStore(keptFrames);
  readonly #byId = new ByIdTable(keptIds);
  #frozenById: ByIdTable | null = null;
  #originUs = Number.NaN;
  #olderCount = 0;
  readonly #olderOfSome = new Set<FrameChunk>();
  #daemon = '';
  #daemonStartedUs = 0;

  constructor(onChange: () => void) {
    super(onChange);
    this.stats = new StreamStats((note) => this.#noteGap(note));
  }

  protected get view(): ChunkView {
    return this.#store.view;
  }

  protected get table(): ByIdTable {
    return this.#frozenById ?? this.#byId;
  }

  protected get originUs(): number {
    return this.#originUs;
  }

  get shownFromUs(): number {
    const first = this.#store.view.at(0);
    return first ? (first.chunk.timestampUs[first.row] as number) : 0;
  }

  get isPaused(): boolean {
    return this.#store.isPinned;
  }

  get total(): number {
    return this.#store.total;
  }

  get unlisted(): number {
    return this.table.unlisted;
  }

  readonly #takeById = (chunk: FrameChunk, row: number): void => {
    chunk.sinceUs[row] = this.#byId.take(chunk, row);
    if (this.#checks !== null) this.#check(this.#checks, chunk, row);
  };

  #check(checks: FrameChecks, chunk: FrameChunk, row: number): void {
    const mark = checks.take(chunk, row);
    chunk.check[row] = mark;
    if (mark !== checkMark.none) this.failedChecks++;
  }

  takeRecord(record: DataView): void {
    if (!isFrm2(record)) {
      this.malformed++;
      return;
    }
    if (!this.stats.take(record)) return;
    this.#store.addRecord(record, this.#takeById);
    if (Number.isNaN(this.#originUs)) this.#originUs = frm2TimestampUs(record, 0);
    if (!this.isPaused) this.changed();
  }

  takeGap(bounds: GapBounds): void {
    this.stats.gap(bounds);
  }

  /** Adds frames that gateway fault rules kept off the bus. */
  takeDropped(events: readonly FrameEvent[]): void {
    this.#store.addDropped(events);
    this.changed();
  }

  /** Called before every connection with the daemon that serves it. */
  meetDaemon(id: string, startedAtUs: number): void {
    const isAnother = this.#daemon !== '' && this.#daemon !== id;
    this.#daemon = id;
    this.#daemonStartedUs = startedAtUs;
    if (!isAnother) return;
    if (this.stats.cursor !== null) this.stats.restart();
    this.#byId.clear();
    this.#checks?.reset();
    if (!this.isPaused) this.changed();
  }

  /** True if the oldest frame was received by an earlier daemon. */
  get beginsBeforeDaemon(): boolean {
    const oldest = this.#oldestFrame;
    if (oldest === null) return false;
    return (oldest.chunk.timestampUs[oldest.row] as number) < this.#daemonStartedUs;
  }

  /** Events before this one are not shown. The first rows are in order of time, not of events. */
  get oldestEventId(): number | null {
    let rows = 0;
    let oldest: number | null = null;
    for (const { chunk, row } of this.#store.view.unfiltered()) {
      if (chunk.kind[row] === gapKind || chunk.kind[row] === droppedKind) continue;
      const event = chunk.eventId[row] as number;
      if (oldest === null || event < oldest) oldest = event;
      if (++rows >= firstRows) break;
    }
    return oldest;
  }

  /** Serial of the row of an event among those that are shown; null without one. */
  serialOf(eventId: number): number | null {
    for (const { chunk, row } of this.#store.view) {
      const isFound = chunk.eventId[row] === eventId && chunk.kind[row] !== gapKind;
      if (isFound) return chunk.serial[row] as number;
    }
    return null;
  }

  get hasRoomForOlder(): boolean {
    return this.#olderCount < maxOlder;
  }

  /** The filtered channels as text; older frames are loaded for these only. */
  get shownChannels(): string {
    return JSON.stringify(this.shownFilter?.channels ?? null);
  }

  /** Adds older frames of the filtered channels. `isEnd`: other channels have no older frames. */
  takeOlder(events: readonly FrameEvent[], isEnd: boolean): void {
    const first = this.#store.view.unfiltered().next().value;
    const chunk = new FrameChunk(events.length + (isEnd ? 1 : 0));
    if (isEnd && (first || events[0])) {
      const timestampUs = events[0]?.timestamp_us ?? first?.chunk.timestampUs[first.row] ?? 0;
      chunk.addGap({ eventId: 0, missing: someChannels, channel: everyChannel, timestampUs });
    }
    for (const event of inOrderOfTime(events)) {
      chunk.addEvent(event);
      markTwin(chunk, chunk.count - 1);
    }
    if (chunk.count === 0) return;
    measureOlder(chunk, this.#store.view.unfiltered());
    const checks = this.#newChecks?.();
    if (checks) for (let row = 0; row < chunk.count; row++) this.#check(checks, chunk, row);
    this.#store.prepend(chunk);
    if (this.shownFilter?.channels) this.#olderOfSome.add(chunk);
    this.#olderCount += chunk.count;
    this.#originUs = chunk.timestampUs[0] as number;
    this.changed();
  }

  pause(): void {
    this.#store.pin();
    this.#frozenById ??= this.#byId.copy();
    this.changed();
  }

  resume(): void {
    this.#unfreeze();
    this.changed();
  }

  clear(): void {
    const wasPaused = this.isPaused;
    this.#unfreeze();
    this.#store.clear();
    this.#olderOfSome.clear();
    this.#byId.clear();
    this.stats.reset();
    this.gapNotes.length = 0;
    this.malformed = 0;
    this.failedChecks = 0;
    this.#checks?.reset();
    this.#originUs = Number.NaN;
    if (wasPaused) this.pause();
    else this.changed();
  }

  override filter(filter: FrameFilter): void {
    const shown = this.shownChannels;
    super.filter(filter);
    // With frames of some channels only, the others would seem silent.
    if (this.shownChannels !== shown) this.#dropOlderOfSome();
  }

  /** Checks the kept frames again, and those that follow. */
  checkWith(newChecks: (() => FrameChecks) | null): void {
    this.#newChecks = newChecks;
    this.#checks = newChecks?.() ?? null;
    this.failedChecks = 0;
    const checks = newChecks?.() ?? null;
    for (const { chunk, row } of this.#store.view.unfiltered()) {
      chunk.check[row] = checkMark.none;
      if (checks !== null) this.#check(checks, chunk, row);
    }
    // Frames that came while the view is paused were not checked.
    if (!this.isPaused) this.#checks = checks;
    this.changed();
  }

  holdShown(): { readonly rows: Iterable<RowPosition>; readonly release: () => void } {
    const { view, release } = this.#store.hold();
    // A file has all frames of the bus, also those that are one row here.
    const filter = this.shownFilter && { ...this.shownFilter, isFolded: false };
    return { rows: writtenOf(view, filter && rowTest(filter, this.names)), release };
  }

  mark(): void {
    this.#byId.mark();
  }

  unmark(): void {
    this.#byId.unmark();
  }

  holdAll(): SearchedRows {
    return { ...this.#store.hold(), isShown: this.test };
  }

  protected filterRows(test: RowTest | null): void {
    this.#store.filter(test);
  }

  #unfreeze(): void {
    this.#store.unpin();
    this.#frozenById = null;
    this.#olderCount = 0;
  }

  get #oldestFrame(): RowPosition | null {
    for (const { chunk, row } of this.#store.view.unfiltered()) {
      const kind = chunk.kind[row];
      if (kind !== gapKind && kind !== droppedKind) return { chunk, row };
    }
    return null;
  }

  #noteGap(note: GapNote): void {
    this.#store.addGap(note.gap);
    this.#checks?.reset();
    this.gapNotes.push(note);
    if (this.gapNotes.length > notedGaps) this.gapNotes.shift();
    this.changed();
  }

  #dropOlderOfSome(): void {
    if (this.#olderOfSome.size === 0) return;
    this.#store.remove(this.#olderOfSome);
    for (const { count } of this.#olderOfSome) {
      this.#olderCount = Math.max(0, this.#olderCount - count);
    }
    this.#olderOfSome.clear();
    const oldest = this.#oldestFrame;
    this.#originUs = oldest ? (oldest.chunk.timestampUs[oldest.row] as number) : Number.NaN;
  }
}
