import { TraceBatch } from '../../trace/trace-batch.ts';
import { type Page, ReadAhead, type ReadAheadEvents } from './read-ahead.ts';
import type { ReplayTimeline } from './replay-timeline.ts';
import type { TracePiece, TraceStream } from './trace-stream.ts';

/**
 * Next item of a trace: an event, one before the offset, the end of a lap or of the trace, or
 * `nothing` while reading.
 */
export type Upcoming = 'event' | 'before_offset' | 'lap' | 'end' | 'nothing';

const noEvents = new TraceBatch(0);

export class ReplayCursor {
  readonly #size: number;
  readonly #timeline: ReplayTimeline;
  readonly #readAhead: ReadAhead;
  #page: Page | undefined;
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

  stop(): void {
    this.#pageStart = this.#bytes();
    this.#page = undefined;
    this.#row = 0;
    this.#readAhead.stop();
  }

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

  /** Position of the mapping, or one of `rowChannel`. */
  get channel(): number {
    return this.batch.channel[this.#row] as number;
  }

  get dueUs(): number {
    return this.#dueUs;
  }

  /** Due time of the next event alone; a previous event can delay it. */
  get ownDueUs(): number {
    return this.#timeline.ownDueUs;
  }

  get outOfOrder(): number {
    return this.#timeline.outOfOrder;
  }

  get laps(): number {
    return this.#laps;
  }

  get positionUs(): number {
    return Math.floor(this.#passedUs);
  }

  get durationUs(): number | null {
    return this.#durationUs;
  }

  /** Malformed parts of one lap, because they repeat. */
  get malformed(): number {
    return this.#malformed;
  }

  get unread(): Readonly<Record<string, number>> {
    return this.#unread;
  }

  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  get progress(): number {
    if (this.#size === 0) return this.#laps > 0 ? 1 : 0;
    return Math.min(1, this.#bytes() / this.#size);
  }

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
