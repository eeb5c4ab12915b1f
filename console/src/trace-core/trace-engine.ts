import { frm2TimestampUs, isFrm2 } from '../../../src/frame/frm2-codec.ts';
import type { MessageEvent as FrameEvent } from '../api/client.ts';
import { ByIdTable } from './by-id-table.ts';
import type { ChunkView, RowPosition } from './chunk-view.ts';
import { droppedKind, everyChannel, FrameChunk, gapKind, someChannels } from './frame-chunk.ts';
import { type FrameFilter, isOpen, rowTest } from './frame-filter.ts';
import { rowBytes, writeByIdRow, writeRow } from './frame-row.ts';
import { FrameStore, type RowTest } from './frame-store.ts';
import { MessageNames, type NameSources, noNames } from './message-names.ts';
import { type GapBounds, type GapNote, StreamStats } from './stream-stats.ts';

/** Capacity of the trace; new frames evict the oldest. */
export const keptFrames = 262_144;
const keptIds = 4096;
/** Additional capacity for frames loaded from the history. */
export const maxOlder = 262_144;

const notedGaps = 100;
/** Rows among which the oldest event is. */
const firstRows = 256;

export type WindowPlace =
  | { readonly at: 'end' }
  | { readonly at: 'index'; readonly index: number }
  | { readonly at: 'serial'; readonly serial: number; readonly shift: number };

export interface WindowRequest {
  readonly view: 'frames' | 'by-id';
  readonly rows: number;
  readonly place: WindowPlace;
  /** Serial of a row that is always included in the view by ID. */
  readonly selected: number | null;
}

export interface WindowFacts {
  readonly first: number;
  readonly rows: number;
  readonly count: number;
  readonly total: number;
  readonly originUs: number;
  /** The selected row follows the rows of the window. */
  readonly hasSelected: boolean;
}

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

export class TraceEngine {
  readonly stats: StreamStats;
  readonly gapNotes: GapNote[] = [];
  malformed = 0;
  readonly #store = new FrameStore(keptFrames);
  readonly #byId = new ByIdTable(keptIds);
  #frozenById: ByIdTable | null = null;
  #names: MessageNames = noNames;
  #filter: FrameFilter | null = null;
  #test: RowTest | null = null;
  #originUs = Number.NaN;
  #olderCount = 0;
  readonly #olderOfSome = new Set<FrameChunk>();
  #daemon = '';
  #daemonStartedUs = 0;
  readonly #onChange: () => void;

  /** `onChange` is called whenever a window changes, and can request one. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.stats = new StreamStats((note) => this.#noteGap(note));
  }

  get names(): MessageNames {
    return this.#names;
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
    return this.#shownById.unlisted;
  }

  readonly #takeById = (chunk: FrameChunk, row: number): void => this.#byId.take(chunk, row);

  takeRecord(record: DataView): void {
    if (!isFrm2(record)) {
      this.malformed++;
      return;
    }
    if (!this.stats.take(record)) return;
    this.#store.addRecord(record, this.#takeById);
    if (Number.isNaN(this.#originUs)) this.#originUs = frm2TimestampUs(record, 0);
    if (!this.isPaused) this.#onChange();
  }

  takeGap(bounds: GapBounds): void {
    this.stats.gap(bounds);
  }

  /** Adds frames that gateway fault rules kept off the bus. */
  takeDropped(events: readonly FrameEvent[]): void {
    this.#store.addDropped(events);
    this.#onChange();
  }

  /** Called before every connection with the daemon that serves it. */
  meetDaemon(id: string, startedAtUs: number): void {
    const isAnother = this.#daemon !== '' && this.#daemon !== id;
    this.#daemon = id;
    this.#daemonStartedUs = startedAtUs;
    if (!isAnother) return;
    if (this.stats.cursor !== null) this.stats.restart();
    this.#byId.clear();
    if (!this.isPaused) this.#onChange();
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
      if (chunk.eventId[row] !== eventId) continue;
      const kind = chunk.kind[row];
      if (kind !== gapKind && kind !== droppedKind) return chunk.serial[row] as number;
    }
    return null;
  }

  get hasRoomForOlder(): boolean {
    return this.#olderCount < maxOlder;
  }

  /** The filtered channels as text; older frames are loaded for these only. */
  get shownChannels(): string {
    return JSON.stringify(this.#filter?.channels ?? null);
  }

  /** Adds older frames of the filtered channels. `isEnd`: other channels have no older frames. */
  takeOlder(events: readonly FrameEvent[], isEnd: boolean): void {
    const first = this.#store.view.unfiltered().next().value;
    const chunk = new FrameChunk(events.length + (isEnd ? 1 : 0));
    if (isEnd && (first || events[0])) {
      const timestampUs = events[0]?.timestamp_us ?? first?.chunk.timestampUs[first.row] ?? 0;
      chunk.addGap({ eventId: 0, missing: someChannels, channel: everyChannel, timestampUs });
    }
    for (const event of inOrderOfTime(events)) chunk.addEvent(event);
    if (chunk.count === 0) return;
    this.#store.prepend(chunk);
    if (this.#filter?.channels) this.#olderOfSome.add(chunk);
    this.#olderCount += chunk.count;
    this.#originUs = chunk.timestampUs[0] as number;
    this.#onChange();
  }

  pause(): void {
    this.#store.pin();
    this.#frozenById ??= this.#byId.copy();
    this.#onChange();
  }

  resume(): void {
    this.#unfreeze();
    this.#onChange();
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
    this.#originUs = Number.NaN;
    if (wasPaused) this.pause();
    else this.#onChange();
  }

  filter(filter: FrameFilter): void {
    const shown = this.shownChannels;
    this.#filter = isOpen(filter) ? null : filter;
    // With frames of some channels only, the others would seem silent.
    if (this.shownChannels !== shown) this.#dropOlderOfSome();
    this.#refilter();
  }

  name(sources: NameSources): void {
    this.#names = new MessageNames(sources);
    if (this.#filter && this.#filter.names.length > 0) this.#refilter();
  }

  /** The filtered frames as of now, for a reader that runs while new frames arrive. */
  holdShown(): { readonly rows: Iterable<RowPosition>; readonly release: () => void } {
    const { view, release } = this.#store.hold();
    return { rows: writtenOf(view, this.#test), release };
  }

  window(request: WindowRequest, buffer: ArrayBuffer): WindowFacts {
    const view = new DataView(buffer);
    const room = Math.floor(buffer.byteLength / rowBytes) - 1;
    const rows = Math.min(request.rows, room);
    return request.view === 'by-id'
      ? this.#byIdWindow(request, rows, view)
      : this.#frameWindow(request, rows, view);
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

  get #shownById(): ByIdTable {
    return this.#frozenById ?? this.#byId;
  }

  #noteGap(note: GapNote): void {
    this.#store.addGap(note.gap);
    this.gapNotes.push(note);
    if (this.gapNotes.length > notedGaps) this.gapNotes.shift();
    this.#onChange();
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

  #refilter(): void {
    this.#test = this.#filter && rowTest(this.#filter, this.#names);
    this.#store.filter(this.#test);
    this.#onChange();
  }

  #frameWindow({ place }: WindowRequest, rows: number, view: DataView): WindowFacts {
    const shown = this.#store.view;
    const { count } = shown;
    const wanted =
      place.at === 'end'
        ? count
        : place.at === 'index'
          ? place.index
          : shown.indexOf(place.serial) + place.shift;
    const first = Math.max(0, Math.min(wanted, count - rows));
    const last = Math.min(count, first + rows);
    const before = first > 0 ? shown.at(first - 1) : null;
    let previousUs = before ? (before.chunk.timestampUs[before.row] as number) : Number.NaN;
    for (let index = first; index < last; index++) {
      const found = shown.at(index);
      if (!found) break;
      writeRow(view, index - first, found, found.chunk.serial[found.row] as number, previousUs);
      previousUs = found.chunk.timestampUs[found.row] as number;
    }
    const originUs = this.#originUs;
    return { first, rows: last - first, count, total: shown.rows, originUs, hasSelected: false };
  }

  #byIdWindow({ place, selected }: WindowRequest, rows: number, view: DataView): WindowFacts {
    const table = this.#shownById;
    const test = this.#test;
    const all = table.sorted;
    const shown = test === null ? all : all.filter((row) => test(table.last, row));
    const count = shown.length;
    const wanted = place.at === 'index' ? place.index : 0;
    const first = Math.max(0, Math.min(wanted, count - rows));
    const last = Math.min(count, first + rows);
    for (let index = first; index < last; index++) {
      writeByIdRow(view, index - first, table, shown[index] as number);
    }
    const wantedRow = selected === null ? -1 : selected - table.firstSerial;
    const hasSelected = wantedRow >= 0 && wantedRow < table.last.count;
    if (hasSelected) writeByIdRow(view, last - first, table, wantedRow);
    const originUs = this.#originUs;
    return { first, rows: last - first, count, total: all.length, originUs, hasSelected };
  }
}
