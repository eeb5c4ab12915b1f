import { ApiError } from '../api/api-error.ts';
import { GatheredPieces } from './gathered-pieces.ts';
import { PagePort, type Port } from './page-port.ts';
import { RawMonitor } from './raw-monitor.ts';
import {
  maxAccepted,
  maxSlots,
  maxStreams,
  SharedStreams,
  tooManyStreams,
} from './shared-streams.ts';
import { SharedWatch, type WatchReader } from './shared-watch.ts';
import { readEvents } from './sse-connection.ts';
import type { StreamRequest } from './stream-messages.ts';

interface ReportReader {
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  readonly onEnd: (error: ApiError | null) => void;
}

interface SharedReportOptions {
  readonly token: string | null;
  readonly onEmpty: () => void;
}

const mergedPath = (paths: Iterable<string>): string => {
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
 * One connection to a stream that sends its full state when it opens, then changes. It covers
 * the paths of all its readers and is reopened for each new one. The others receive some states
 * twice, which is harmless.
 */
class SharedReport {
  readonly #options: SharedReportOptions;
  readonly #readers = new Map<ReportReader, { readonly path: string; isOpen: boolean }>();
  #run = new AbortController();
  #path = '';

  constructor(options: SharedReportOptions) {
    this.#options = options;
  }

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

const checkMs = 1000;
const statusMs = 200;
/** Samples are drawn no more often than this; each message wakes the page. */
const gatherMs = 80;

type Request<Type> = Extract<StreamRequest, { readonly type: Type }>;

const now = (): number => performance.now();

const noSlot = (): ApiError =>
  new ApiError({
    code: 'too_many_long_requests',
    message: 'This browser already has too many long requests running',
    retryable: false,
  });

const every = (ms: number, run: () => void): (() => void) => {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
};

export class StreamService {
  readonly #streams = new SharedStreams(() => this.#followed < maxStreams);
  readonly #watches = new Map<string | null, SharedWatch>();
  readonly #reports = new Map<string, SharedReport>();
  #slots = 0;

  serve(port: Port): void {
    const page = new PagePort(port, now);
    port.onmessage = ({ data }) => {
      if (data.type === 'ack' || data.type === 'leave') return page.receive(data);
      const stopChecks = every(checkMs, () => page.check());
      const stop = this.#begin(page, data);
      page.onGone = () => {
        stopChecks();
        stop();
      };
      page.post({ type: 'heartbeat' });
    };
    port.addEventListener('close', () => page.receive({ type: 'leave' }));
  }

  #begin(page: PagePort, request: StreamRequest): () => void {
    switch (request.type) {
      case 'samples':
        return this.#follow(page, request);
      case 'monitor':
        return this.#monitor(page, request);
      case 'watch':
        return this.#watch(page, request);
      case 'report':
        return this.#report(page, request);
      case 'slot':
        return this.#hold(page);
    }
  }

  #watch(page: PagePort, { token, instance }: Request<'watch'>): () => void {
    if (!this.#watches.has(token) && this.#followed >= maxStreams) {
      page.end(tooManyStreams());
      return () => {};
    }
    const shared =
      this.#watches.get(token) ??
      new SharedWatch({ token, onEmpty: () => this.#watches.delete(token) });
    this.#watches.set(token, shared);
    const reader: WatchReader = {
      get isClear() {
        return page.isClear;
      },
      get isBehind() {
        return page.isBehind;
      },
      onOpen: () => page.post({ type: 'open' }),
      onPiece: (piece) => page.post({ type: 'watched', ...piece }, piece.data.length),
      onEnd: (error) => page.end(error),
    };
    return shared.join(instance, reader);
  }

  #report(page: PagePort, { token, path }: Request<'report'>): () => void {
    // Tabs show different parts, but one connection carries all of them.
    const key = JSON.stringify([path.split('?', 1)[0], token]);
    if (!this.#reports.has(key) && this.#followed >= maxStreams) {
      page.end(tooManyStreams());
      return () => {};
    }
    const shared =
      this.#reports.get(key) ??
      new SharedReport({ token, onEmpty: () => this.#reports.delete(key) });
    this.#reports.set(key, shared);
    const reader = {
      onOpen: () => page.post({ type: 'open' }),
      onText: (text: string) =>
        page.post({ type: 'piece', text, position: 0, isFirst: false }, text.length),
      onEnd: (error: ApiError | null) => page.end(error),
    };
    return shared.join(reader, path);
  }

  get #followed(): number {
    return this.#streams.size + this.#watches.size + this.#reports.size;
  }

  #hold(page: PagePort): () => void {
    if (this.#slots >= maxSlots || this.#slots + this.#followed >= maxAccepted) {
      page.end(noSlot());
      return () => {};
    }
    this.#slots += 1;
    page.post({ type: 'open' });
    return () => {
      this.#slots -= 1;
    };
  }

  #follow(page: PagePort, { token, followed, after }: Request<'samples'>): () => void {
    let position = after;
    let reported = after;
    const gathered = new GatheredPieces({
      pass: (piece) => {
        reported = piece.position;
        page.post({ type: 'piece', ...piece }, piece.text.length);
      },
      later: (run) => {
        const timer = setTimeout(run, gatherMs);
        return () => clearTimeout(timer);
      },
    });
    const leave = this.#streams.join('samples', token, {
      followed,
      after,
      epoch: '',
      onOpen: () => page.post({ type: 'open' }),
      onPiece: (piece) => {
        position = piece.position;
        if (piece.text === '') return;
        gathered.put(piece);
      },
      onEnd: (error) => {
        gathered.flush();
        page.end(error);
      },
    });
    const stop = every(checkMs, () => {
      if (!gathered.isEmpty || position === null || position === reported || !page.isClear) return;
      reported = position;
      page.post({ type: 'piece', text: '', position, isFirst: false });
    });
    return () => {
      gathered.stop();
      stop();
      leave();
    };
  }

  #monitor(page: PagePort, { token, status }: Request<'monitor'>): () => void {
    const monitor = new RawMonitor({ streams: this.#streams, token, status });
    const stop = every(statusMs, () => {
      const news = page.isClear ? monitor.news(now()) : null;
      if (news) page.post({ type: 'status', status: news });
    });
    return () => {
      stop();
      monitor.stop();
    };
  }
}
