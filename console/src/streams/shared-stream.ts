import type { ApiError } from '../api/api-error.ts';
import { type Followed, isWithin, unionOf } from './followed.ts';
import { readEvents } from './sse-connection.ts';

/** An event of a stream that several readers share. */
interface SharedEvent {
  readonly id: number;
  readonly type: string;
  /** As it stands in a stream of server-sent events. */
  readonly text: string;
  /** What a sample is of; null for everything that concerns all readers. */
  readonly sample: { readonly plan_id: string; readonly signal: string } | null;
}

/** The newest events of a stream, for readers that come with a cursor that is only little behind. */
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

  /** Whether all that came behind an id is here. */
  covers(id: number): boolean {
    return this.#from !== null && id >= this.#from;
  }

  after(id: number): readonly SharedEvent[] {
    return this.#events.slice(this.#events.findLastIndex((event) => event.id <= id) + 1);
  }
}

/** Readers that come and go together need one new connection, not one each. */
const settleMs = 20;

/** Events that came together. */
export interface Piece {
  /** As it stands in a stream of server-sent events; empty where none concerns the reader. */
  readonly text: string;
  /** The event up to which the reader has had all that concerns it. */
  readonly position: number;
  /** Whether its first event is the first of a connection. */
  readonly isFirst: boolean;
}

/** A consumer of a shared stream, with a cursor of its own. */
export interface StreamReader {
  /** Null for all that there is. */
  readonly followed: Followed | null;
  /** The event to go on behind; null to go on live. */
  readonly after: number | null;
  /** Which life of the daemon the cursor belongs to. */
  readonly epoch: string;
  /** Events come from now on. */
  readonly onOpen: () => void;
  readonly onPiece: (piece: Piece) => void;
  /** Nothing more comes. The error says why; null if the service closed the stream. */
  readonly onEnd: (error: ApiError | null) => void;
}

/** How far the stream is with a reader. */
interface ReaderState {
  /** Whether it gets events; else it waits for a connection. */
  isOpen: boolean;
  /** Events up to this one are known to the reader. */
  ahead: number;
  hasHadAny: boolean;
}

interface SharedStreamOptions {
  readonly path: (followed: Followed) => string;
  readonly token: string | null;
  /** The last reader has gone. */
  readonly onEmpty: () => void;
}

/**
 * One connection of server-sent events for any number of readers, each with a cursor of its own. The
 * connection follows all that any of them follows. When that changes, or when a reader comes whose
 * cursor is far behind, it is opened anew behind the cursor that is the farthest behind. The other
 * readers get nothing twice, and are not told.
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
    // Ids of one life mean nothing in another: all readers have to ask which daemon runs now.
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
    // A live start would lose what comes in between; 0 brings some samples twice at worst.
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
      // The service knows no such cursor: ids began anew, and cursors so far are of another life.
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
    // The cursor of another reader had expired; one that begins live misses nothing.
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
