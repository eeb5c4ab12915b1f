import type { ApiError } from '../api/api-error.ts';
import { readEvents } from './sse-connection.ts';
import { isWatchEvent, WatchedState, type WatchPiece } from './watched-state.ts';

export interface WatchReader {
  readonly isClear: boolean;
  readonly isBehind: boolean;
  onOpen(): void;
  onPiece(piece: WatchPiece): void;
  /**
   * Called when the stream ends: with an error, because the instance was unloaded, or closed by
   * the service.
   */
  onEnd(error: ApiError | null): void;
}

interface SharedWatchOptions {
  readonly token: string | null;
  readonly onEmpty: () => void;
}

interface ReaderState {
  isOpen: boolean;
  isLate: boolean;
}

interface Watched {
  readonly readers: Map<WatchReader, ReaderState>;
  state: WatchedState;
}

const catchUpMs = 100;
const settleMs = 20;

/** Built by hand, so that the worker need not load the operations table. */
const streamPath = ([first = '', ...others]: readonly string[]): string => {
  const also = others.map((name) => `also=${encodeURIComponent(name)}&`).join('');
  return `/api/v1/gateways/${encodeURIComponent(first)}/stream?${also}include=tasks&include=faults&include=observed&include=fault_events`;
};

const instanceOf = (data: string): string =>
  /^\{"instance":"([^"]+)"/.exec(data)?.[1] ??
  (JSON.parse(data) as { readonly instance: string }).instance;

/**
 * One connection for any number of instances and readers; reopened when the set of instances
 * changes. A later reader gets the current state. A reader that lags gets nothing until it
 * caught up, then the whole state. The stream contains states, so nothing is lost.
 */
export class SharedWatch {
  readonly #options: SharedWatchOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #catchUp: ReturnType<typeof setInterval>;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #run: AbortController | null = null;
  #followed: readonly string[] = [];
  #isOpen = false;

  constructor(options: SharedWatchOptions) {
    this.#options = options;
    this.#catchUp = setInterval(() => this.#serveLate(), catchUpMs);
  }

  join(instance: string, reader: WatchReader): () => void {
    const watched = this.#watched.get(instance) ?? {
      readers: new Map(),
      state: new WatchedState(),
    };
    this.#watched.set(instance, watched);
    watched.readers.set(reader, { isOpen: false, isLate: true });
    if (this.#isOpen && this.#followed.includes(instance)) this.#admit(instance);
    else this.#settleSoon();
    return () => {
      if (!watched.readers.delete(reader) || watched.readers.size > 0) return;
      if (this.#watched.get(instance) === watched) this.#watched.delete(instance);
      if (this.#watched.size === 0) this.#close();
      else this.#settleSoon();
    };
  }

  #settleSoon(): void {
    this.#settling ??= setTimeout(() => this.#settle(), settleMs);
  }

  #settle(): void {
    this.#settling = undefined;
    const wanted = [...this.#watched.keys()];
    const isSame =
      wanted.length === this.#followed.length &&
      wanted.every((each) => this.#followed.includes(each));
    if (!this.#run || !isSame) this.#connect(wanted);
  }

  #connect(instances: readonly string[]): void {
    this.#run?.abort();
    this.#run = new AbortController();
    this.#followed = instances;
    this.#isOpen = false;
    for (const watched of this.#watched.values()) watched.state = new WatchedState();
    const stopped = this.#run.signal;
    void readEvents({
      path: streamPath(instances),
      token: this.#options.token,
      after: null,
      stopped,
      onOpen: () => {
        this.#isOpen = true;
        for (const instance of instances) this.#admit(instance);
      },
      onEvent: (type, data) => this.#take(type, data),
      onPause: () => {},
    }).then((error) => {
      if (!stopped.aborted) this.#break(error);
    });
  }

  #admit(instance: string): void {
    for (const [reader, place] of this.#watched.get(instance)?.readers ?? []) {
      if (place.isOpen) continue;
      place.isOpen = true;
      reader.onOpen();
    }
    this.#serveLate();
  }

  #take(type: string, data: string): void {
    const instance = instanceOf(data);
    const watched = this.#watched.get(instance);
    if (!watched) return;
    if (type === 'end') this.#endOne(instance, null);
    if (!isWatchEvent(type)) return;
    const piece = { event: type, data };
    watched.state.take(piece);
    for (const [reader, place] of watched.readers) {
      place.isLate ||= reader.isBehind;
      if (!place.isLate) reader.onPiece(piece);
    }
  }

  #serveLate(): void {
    for (const { readers, state } of this.#watched.values()) {
      for (const [reader, place] of readers) {
        if (!place.isOpen || !place.isLate || !reader.isClear) continue;
        place.isLate = false;
        for (const piece of state.pieces()) reader.onPiece(piece);
      }
    }
  }

  #break(error: ApiError | null): void {
    this.#run = null;
    const missing = error?.code === 'instance_not_found' ? error.details.instance : null;
    if (typeof missing === 'string' && this.#watched.has(missing)) this.#endOne(missing, error);
    else for (const instance of [...this.#watched.keys()]) this.#endOne(instance, error);
  }

  #endOne(instance: string, error: ApiError | null): void {
    const readers = [...(this.#watched.get(instance)?.readers.keys() ?? [])];
    this.#watched.delete(instance);
    if (this.#watched.size === 0) this.#close();
    else this.#settleSoon();
    for (const reader of readers) reader.onEnd(error);
  }

  #close(): void {
    clearInterval(this.#catchUp);
    clearTimeout(this.#settling);
    this.#run?.abort();
    this.#run = null;
    this.#options.onEmpty();
  }
}
