import type { ApiError } from '../api/api-error.ts';
import { readEvents } from './sse-connection.ts';

/** A page that follows a stream of states. */
export interface ReportReader {
  readonly onOpen: () => void;
  /** Events, as they stand in a stream of server-sent events. */
  readonly onText: (text: string) => void;
  /** Nothing more comes. The error says why; null if the service closed the stream. */
  readonly onEnd: (error: ApiError | null) => void;
}

interface SharedReportOptions {
  readonly path: string;
  readonly token: string | null;
  /** The last reader has gone. */
  readonly onEmpty: () => void;
}

/**
 * One connection to a stream that tells all it knows when it is opened, and then what is new. It is opened
 * anew for each reader that joins; the others are told once more what they know, which does no harm.
 */
export class SharedReport {
  readonly #options: SharedReportOptions;
  /** Those that were told that it is open. */
  readonly #readers = new Map<ReportReader, { isOpen: boolean }>();
  #run = new AbortController();

  constructor(options: SharedReportOptions) {
    this.#options = options;
  }

  /** Answers how the reader leaves. */
  join(reader: ReportReader): () => void {
    this.#readers.set(reader, { isOpen: false });
    this.#connect();
    return () => {
      if (this.#readers.delete(reader) && this.#readers.size === 0) this.#close();
    };
  }

  #connect(): void {
    this.#run.abort();
    this.#run = new AbortController();
    const stopped = this.#run.signal;
    let text = '';
    void readEvents({
      path: this.#options.path,
      token: this.#options.token,
      after: null,
      stopped,
      onOpen: () => this.#open(),
      onEvent: (type, data) => {
        text += `event: ${type}\ndata: ${data}\n\n`;
      },
      onPause: () => {
        const whole = text;
        text = '';
        if (whole !== '') for (const reader of this.#readers.keys()) reader.onText(whole);
      },
    }).then((error) => {
      if (!stopped.aborted) this.#endAll(error);
    });
  }

  #open(): void {
    for (const [reader, state] of this.#readers) {
      if (state.isOpen) continue;
      state.isOpen = true;
      reader.onOpen();
    }
  }

  #endAll(error: ApiError | null): void {
    const readers = [...this.#readers.keys()];
    this.#readers.clear();
    this.#close();
    for (const reader of readers) reader.onEnd(error);
  }

  #close(): void {
    this.#run.abort();
    this.#options.onEmpty();
  }
}
