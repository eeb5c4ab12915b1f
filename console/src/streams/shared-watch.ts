import type { ApiError } from '../api/api-error.ts';
import { readEvents } from './sse-connection.ts';
import { type WatchEvent, WatchedState, type WatchPiece, watchEvents } from './watched-state.ts';

/** A page that follows an instance. */
export interface WatchReader {
  /** Whether it has processed all that it was given, and whether much of that is left. */
  readonly isClear: boolean;
  readonly isBehind: boolean;
  /** All of the instance comes from now on. */
  onOpen(): void;
  onPiece(piece: WatchPiece): void;
  /** Nothing more comes. The error says why; null if the service closed the stream. */
  onEnd(error: ApiError | null): void;
}

interface SharedWatchOptions {
  readonly instance: string;
  readonly token: string | null;
  /** The last reader has gone. */
  readonly onEmpty: () => void;
}

/** How often a reader that was behind is looked at. */
const catchUpMs = 100;

const pathOf = (instance: string): string =>
  `/api/v1/gateways/${encodeURIComponent(instance)}/stream?include=tasks&include=faults&include=observed`;

const isWatchEvent = (type: string): type is WatchEvent =>
  watchEvents.some((each) => each === type);

/**
 * One connection to the stream of an instance for any number of readers. A reader that joins later gets
 * what came so far. One that is behind gets nothing until it has caught up, and then all there is: the
 * stream tells states, not events, so that nothing is lost by that.
 */
export class SharedWatch {
  readonly #options: SharedWatchOptions;
  /** Whether each has missed something. */
  readonly #readers = new Map<WatchReader, { isLate: boolean }>();
  readonly #stopped = new AbortController();
  readonly #catchUp: ReturnType<typeof setInterval>;
  readonly #state = new WatchedState();
  #isOpen = false;

  constructor(options: SharedWatchOptions) {
    this.#options = options;
    this.#catchUp = setInterval(() => this.#serveLate(), catchUpMs);
    void readEvents({
      path: pathOf(options.instance),
      token: options.token,
      after: null,
      stopped: this.#stopped.signal,
      onOpen: () => this.#open(),
      onEvent: (type, data) => {
        if (isWatchEvent(type)) this.#pass({ event: type, data });
      },
      onPause: () => {},
    }).then((error) => {
      if (!this.#stopped.signal.aborted) this.#endAll(error);
    });
  }

  join(reader: WatchReader): void {
    this.#readers.set(reader, { isLate: this.#isOpen });
    if (this.#isOpen) reader.onOpen();
    this.#serveLate();
  }

  leave(reader: WatchReader): void {
    if (this.#readers.delete(reader) && this.#readers.size === 0) this.#close();
  }

  #open(): void {
    this.#isOpen = true;
    for (const reader of this.#readers.keys()) reader.onOpen();
  }

  #pass(piece: WatchPiece): void {
    this.#state.take(piece);
    for (const [reader, place] of this.#readers) {
      place.isLate ||= reader.isBehind;
      if (!place.isLate) reader.onPiece(piece);
    }
  }

  #serveLate(): void {
    for (const [reader, place] of this.#readers) {
      if (!place.isLate || !reader.isClear) continue;
      place.isLate = false;
      for (const piece of this.#state.pieces()) reader.onPiece(piece);
    }
  }

  #endAll(error: ApiError | null): void {
    const readers = [...this.#readers.keys()];
    this.#readers.clear();
    this.#close();
    for (const reader of readers) reader.onEnd(error);
  }

  #close(): void {
    clearInterval(this.#catchUp);
    this.#stopped.abort();
    this.#options.onEmpty();
  }
}
