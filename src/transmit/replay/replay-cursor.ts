import { channelKeyAt } from '../../trace/channel-key.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { type Page, ReadAhead, type ReadAheadEvents } from './read-ahead.ts';
import type { ReplayTimeline } from './replay-timeline.ts';
import type { TracePiece, TraceStream } from './trace-stream.ts';

/**
 * What comes next in a trace: an event, one before the offset, the end of a lap or of the trace, or
 * `nothing` while that is still being read.
 */
export type Upcoming = 'event' | 'before_offset' | 'lap' | 'end' | 'nothing';

const noEvents = new TraceBatch(0);

/** A place in a trace that only moves on. */
export class ReplayCursor {
  readonly #size: number;
  readonly #timeline: ReplayTimeline;
  readonly #readAhead: ReadAhead;
  #page: Page | undefined;
  /** Byte of the file at which the page begins. */
  #pageStart = 0;
  #row = 0;
  #passedUs = 0;
  #dueUs = Number.NaN;
  #laps = 0;
  #malformed = 0;
  #unread: TracePiece['skipped'] = {};
  #isTruncated = false;
  #durationUs: number | null = null;

  constructor(stream: TraceStream, timeline: ReplayTimeline, events: ReadAheadEvents) {
    this.#size = stream.size;
    this.#timeline = timeline;
    this.#readAhead = new ReadAhead(stream, {
      onPage: (page) => {
        this.#take(page);
        events.onPage(page);
      },
      onFailure: events.onFailure,
    });
  }

  start(): void {
    this.#readAhead.start();
  }

  /** Stays where it is, and lets go of the trace. */
  stop(): void {
    this.#pageStart = this.#bytes();
    this.#page = undefined;
    this.#row = 0;
    this.#readAhead.stop();
  }

  /** Looks at what comes next. Of an event, `batch`, `row` and `dueUs` tell the rest. */
  look(nowUs: number): Upcoming {
    let page = this.#page;
    while (!page || (page.kind === 'events' && this.#row === page.count)) {
      if (page) this.#turnOver(page.position);
      page = this.#readAhead.first;
      this.#page = page;
      if (!page) return 'nothing';
    }
    if (page.kind !== 'events') {
      this.#dueUs = this.#timeline.endUs(nowUs);
      return page.kind;
    }
    if (Number.isNaN(this.#dueUs)) {
      this.#dueUs = this.#timeline.dueUs(page.batch.timeNs[this.#row] as number, nowUs);
    }
    return Number.isNaN(this.#dueUs) ? 'before_offset' : 'event';
  }

  /** Goes on behind the event or the end of a lap that `look` has found. */
  pass(nowUs: number): void {
    if (this.#page?.kind === 'events') {
      this.#row += 1;
      this.#passedUs = this.#timeline.positionUs;
    } else {
      this.#laps += 1;
      this.#passedUs = 0;
      this.#timeline.nextLap(nowUs);
      this.#turnOver(0);
    }
    this.#dueUs = Number.NaN;
  }

  /** The trace was played to its end. */
  finish(): void {
    this.#laps += 1;
    this.#turnOver(this.#size);
  }

  get batch(): TraceBatch {
    return this.#page?.batch ?? noEvents;
  }

  get row(): number {
    return this.#row;
  }

  /** The key of the channel of the event that comes next. */
  get channel(): number {
    return channelKeyAt(this.batch, this.#row);
  }

  /** When what comes next is due. */
  get dueUs(): number {
    return this.#dueUs;
  }

  /** When the event that comes next is due by its own time: its order may make it wait longer. */
  get ownDueUs(): number {
    return this.#timeline.ownDueUs;
  }

  /** Events so far that were older than the one before them in the file. */
  get outOfOrder(): number {
    return this.#timeline.outOfOrder;
  }

  /** How often the file was played to its end. */
  get laps(): number {
    return this.#laps;
  }

  /** Where in the trace the event is that was passed last. */
  get positionUs(): number {
    return Math.floor(this.#passedUs);
  }

  get durationUs(): number | null {
    return this.#durationUs;
  }

  /** Parts of the file that could not be understood; of one lap, since they are the same in each. */
  get malformed(): number {
    return this.#malformed;
  }

  /** What the file holds beside events, by what it is. */
  get unread(): Readonly<Record<string, number>> {
    return this.#unread;
  }

  /** The file ends in the middle of something. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** How far it is in the file, from 0 to 1. */
  get progress(): number {
    if (this.#size === 0) return this.#laps > 0 ? 1 : 0;
    return Math.min(1, this.#bytes() / this.#size);
  }

  /** Notes what a page tells of the file; once all of it was read, there is nothing new. */
  #take(page: Page): void {
    if (this.#durationUs !== null) return;
    this.#malformed = page.malformed;
    this.#unread = page.skipped;
    this.#isTruncated = page.truncated;
    this.#durationUs = page.durationUs;
  }

  #bytes(): number {
    const page = this.#page;
    if (!page || page.count === 0) return this.#pageStart;
    const share = this.#row / page.count;
    return this.#pageStart + share * (page.position - this.#pageStart);
  }

  #turnOver(position: number): void {
    this.#pageStart = position;
    this.#page = undefined;
    this.#row = 0;
    this.#readAhead.release();
  }
}
