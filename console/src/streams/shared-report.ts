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
  readonly token: string | null;
  /** The last reader has gone. */
  readonly onEmpty: () => void;
}

/** The path that asks for all that any of these ask for. */
export const mergedPath = (paths: Iterable<string>): string => {
  let place = '';
  const parameters = new Set<string>();
  for (const path of paths) {
    const [before = '', query = ''] = path.split('?');
    place = before;
    for (const parameter of query.split('&')) parameters.add(parameter);
  }
  parameters.delete('');
  return parameters.size === 0 ? place : `${place}?${[...parameters].sort().join('&')}`;
};

/**
 * One connection to a stream that tells all it knows when it is opened, and then what is new. It asks for
 * all that its readers ask for. It is opened anew for each reader that joins; the others are told once
 * more what they know, and what they have not asked for, which does no harm.
 */
export class SharedReport {
  readonly #options: SharedReportOptions;
  /** What each asks for, and whether it was told that the connection is open. */
  readonly #readers = new Map<ReportReader, { readonly path: string; isOpen: boolean }>();
  #run = new AbortController();
  #path = '';

  constructor(options: SharedReportOptions) {
    this.#options = options;
  }

  /** Answers how the reader leaves. */
  join(reader: ReportReader, path: string): () => void {
    this.#readers.set(reader, { path, isOpen: false });
    this.#connect();
    return () => {
      if (!this.#readers.delete(reader)) return;
      if (this.#readers.size === 0) this.#close();
      else if (this.#wanted() !== this.#path) this.#connect();
    };
  }

  #wanted(): string {
    return mergedPath([...this.#readers.values()].map(({ path }) => path));
  }

  #connect(): void {
    this.#run.abort();
    this.#run = new AbortController();
    this.#path = this.#wanted();
    const stopped = this.#run.signal;
    let text = '';
    void readEvents({
      path: this.#path,
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
