import type { ApiError } from '../api/api-error.ts';
import { type Followed, isWithin, unionOf } from './followed.ts';
import { readEvents } from './sse-connection.ts';

interface SharedEvent {
  readonly id: number;
  readonly type: string;
  readonly text: string;
  /** Plan and signal of a sample; null for events that concern all readers. */
  readonly sample: { readonly plan_id: string; readonly signal: string } | null;
}

class RecentEvents {
  readonly #max: number;
  readonly #events: SharedEvent[] = [];
  #from: number | null;

  constructor(from: number | null, max = 10_000) {
    this.#from = from;
    this.#max = max;
  }

  push(event: SharedEvent): void {
    this.#from ??= event.id - 1;
    this.#events.push(event);
    if (this.#events.length < 2 * this.#max) return;
    const dropped = this.#events.splice(0, this.#events.length - this.#max);
    this.#from = dropped.at(-1)?.id ?? this.#from;
  }

  covers(id: number): boolean {
    return this.#from !== null && id >= this.#from;
  }

  after(id: number): readonly SharedEvent[] {
    return this.#events.slice(this.#events.findLastIndex((event) => event.id <= id) + 1);
  }
}

/** Readers that join or leave together cause only one new connection. */
const settleMs = 20;

export interface Piece {
  /** As in the SSE stream; empty if no event concerns the reader. */
  readonly text: string;
  readonly position: number;
  readonly isFirst: boolean;
}

export interface StreamReader {
  readonly followed: Followed | null;
  readonly after: number | null;
  readonly epoch: string;
  readonly onOpen: () => void;
  readonly onPiece: (piece: Piece) => void;
  /** Called when the stream ends, with an error or closed by the service. */
  readonly onEnd: (error: ApiError | null) => void;
}

interface ReaderState {
  isOpen: boolean;
  ahead: number;
  hasHadAny: boolean;
}

interface SharedStreamOptions {
  readonly path: (followed: Followed) => string;
  readonly token: string | null;
  readonly onEmpty: () => void;
}

/**
 * One SSE connection for any number of readers, each with its own cursor. It follows all
 * signals that any reader follows. If the set changes, or a reader lags far behind, it reopens
 * after the oldest cursor. The other readers get no event twice.
 */
export class SharedStream {
  readonly #options: SharedStreamOptions;
  readonly #readers = new Map<StreamReader, ReaderState>();
  #run: AbortController | null = null;
  #isLive = false;
  #followed: Followed = new Map();
  #start: number | null = null;
  #position: number | null = null;
  #recent = new RecentEvents(null);
  #fresh: SharedEvent[] = [];
  #isFirst = true;
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SharedStreamOptions) {
    this.#options = options;
  }

  join(reader: StreamReader): void {
    this.#readers.set(reader, { isOpen: false, ahead: 0, hasHadAny: false });
    const [first] = this.#readers.keys();
    // IDs are only valid for one daemon run: readers have to check which daemon runs now.
    if (first && first.epoch !== reader.epoch) this.#endAll(null);
    else this.#settleSoon();
  }

  leave(reader: StreamReader): void {
    if (!this.#readers.delete(reader)) return;
    if (this.#readers.size === 0) this.#close();
    else this.#settleSoon();
  }

  #settleSoon(): void {
    this.#settling ??= setTimeout(() => this.#settle(), settleMs);
  }

  #settle(): void {
    this.#settling = undefined;
    const wanted = unionOf([...this.#readers.keys()].flatMap(({ followed }) => followed ?? []));
    const isSame = isWithin(wanted, this.#followed) && isWithin(this.#followed, wanted);
    const isServing = this.#run !== null && isSame;
    if (isServing && !this.#isLive) return;
    if (isServing && this.#waiting().every((reader) => this.#canServe(reader))) this.#admit();
    else this.#connect(wanted);
  }

  #waiting(): readonly StreamReader[] {
    return [...this.#readers].filter(([, { isOpen }]) => !isOpen).map(([reader]) => reader);
  }

  #canServe({ after }: StreamReader): boolean {
    const position = this.#position;
    if (after === null) return true;
    return position !== null && (after >= position || this.#recent.covers(after));
  }

  #connect(followed: Followed): void {
    this.#run?.abort();
    this.#run = new AbortController();
    const stopped = this.#run.signal;
    this.#followed = followed;
    this.#isLive = false;
    this.#isFirst = true;
    this.#fresh = [];
    for (const state of this.#readers.values()) {
      if (state.isOpen) state.ahead = Math.max(state.ahead, this.#position ?? 0);
    }
    const start = this.#startFor();
    void readEvents({
      path: this.#options.path(followed),
      token: this.#options.token,
      after: start,
      stopped,
      onOpen: () => this.#begin(start),
      onEvent: (type, data, id) => this.#take(type, data, id),
      onPause: () => this.#passOn(),
    }).then((error) => {
      if (!stopped.aborted) this.#break(error);
    });
  }

  #startFor(): number | null {
    const waiting = this.#waiting();
    const cursors = waiting.flatMap(({ after }) => after ?? []);
    const isUsed = waiting.length < this.#readers.size;
    // A live start would lose events in between; 0 repeats some samples at worst.
    if (isUsed) cursors.push(this.#position ?? 0);
    return cursors.length > 0 ? Math.min(...cursors) : null;
  }

  #begin(start: number | null): void {
    this.#isLive = true;
    this.#start = start;
    this.#position = start;
    this.#recent = new RecentEvents(start);
    this.#admit();
  }

  #admit(): void {
    for (const reader of this.#waiting()) {
      const state = this.#readers.get(reader);
      if (!state || !this.#canServe(reader)) continue;
      state.isOpen = true;
      state.ahead = reader.after ?? this.#position ?? 0;
      reader.onOpen();
      const missing = this.#recent.after(state.ahead);
      if (missing.length > 0) this.#give(reader, state, missing, false);
    }
    if (this.#waiting().length > 0) this.#settleSoon();
  }

  #take(type: string, data: string, idText: string | null): void {
    const id = Number(idText ?? Number.NaN);
    if (!Number.isSafeInteger(id)) return;
    const isNew = type === 'gap' && this.#start !== null && id < this.#start;
    if (isNew) {
      for (const state of this.#readers.values()) state.ahead = 0;
      this.#recent = new RecentEvents(id);
    }
    const event = {
      id,
      type,
      text: `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`,
      sample: type === 'sample' ? (JSON.parse(data) as SharedEvent['sample']) : null,
    };
    this.#recent.push(event);
    this.#fresh.push(event);
    this.#position = id;
  }

  #passOn(): void {
    const events = this.#fresh;
    if (events.length === 0) return;
    this.#fresh = [];
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    for (const [reader, state] of this.#readers) {
      if (state.isOpen) this.#give(reader, state, events, isFirst);
    }
  }

  #give(
    reader: StreamReader,
    state: ReaderState,
    events: readonly SharedEvent[],
    isFirstOfConnection: boolean,
  ): void {
    const { followed } = reader;
    const wanted = events.filter(
      ({ id, sample }) =>
        id > state.ahead && (!sample || followed?.get(sample.plan_id)?.has(sample.signal)),
    );
    let isFirst = isFirstOfConnection && wanted.length > 0 && wanted[0] === events[0];
    // Another reader's cursor expired; a reader that starts live misses nothing.
    if (isFirst && wanted[0]?.type === 'gap' && reader.after === null && !state.hasHadAny) {
      wanted.shift();
      isFirst = false;
    }
    state.hasHadAny ||= wanted.length > 0;
    const text = wanted.map((event) => event.text).join('');
    reader.onPiece({ text, position: Math.max(this.#position ?? 0, state.ahead), isFirst });
  }

  #break(error: ApiError | null): void {
    this.#run = null;
    this.#isLive = false;
    const { plan, signal } = error?.details ?? {};
    const concerned = [...this.#readers.keys()].filter(({ followed }) =>
      error?.code === 'signal_not_found'
        ? [...(followed?.values() ?? [])].some((names) => names.has(String(signal)))
        : error?.code === 'plan_not_found' && followed?.has(String(plan)),
    );
    if (concerned.length === 0 || concerned.length === this.#readers.size) {
      this.#endAll(error);
      return;
    }
    for (const reader of concerned) {
      this.#readers.delete(reader);
      reader.onEnd(error);
    }
    this.#settleSoon();
  }

  #endAll(error: ApiError | null): void {
    const readers = [...this.#readers.keys()];
    this.#readers.clear();
    this.#close();
    for (const reader of readers) reader.onEnd(error);
  }

  #close(): void {
    clearTimeout(this.#settling);
    this.#run?.abort();
    this.#run = null;
    this.#options.onEmpty();
  }
}
