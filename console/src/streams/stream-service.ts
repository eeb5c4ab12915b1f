import { ApiError } from '../api/api-error.ts';
import { PagePort, type Port } from './page-port.ts';
import { RawMonitor } from './raw-monitor.ts';
import { SharedReport } from './shared-report.ts';
import { SharedStreams } from './shared-streams.ts';
import { SharedWatch, type WatchReader } from './shared-watch.ts';
import type { StreamRequest } from './stream-messages.ts';
import { mostSlots, mostStreams, mostTaken, tooManyStreams } from './too-many-streams.ts';

const checkMs = 1000;
const statusMs = 200;

type Request<Type> = Extract<StreamRequest, { readonly type: Type }>;

const now = (): number => performance.now();

const noSlot = (): ApiError =>
  new ApiError({
    code: 'too_many_long_requests',
    message: 'Too many requests of this browser that take long are under way already',
    retryable: false,
  });

const every = (ms: number, run: () => void): (() => void) => {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
};

/** Has the connections of server-sent events, and gives pages what they follow of them. */
export class StreamService {
  readonly #streams = new SharedStreams(() => this.#followed < mostStreams);
  readonly #watches = new Map<string | null, SharedWatch>();
  readonly #reports = new Map<string, SharedReport>();
  #slots = 0;

  /** Serves a page on a port that is for one stream of it. */
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
    // Not every browser tells; a page that is gone without a word is noticed by its silence.
    port.addEventListener('close', () => page.receive({ type: 'leave' }));
  }

  /** Answers how to end what was asked for. */
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
    if (!this.#watches.has(token) && this.#followed >= mostStreams) {
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
    // What tabs show of the bench, or of Modbus, differs, but one connection tells all of it.
    const key = JSON.stringify([path.split('?', 1)[0], token]);
    if (!this.#reports.has(key) && this.#followed >= mostStreams) {
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

  /** Connections that streams have. */
  get #followed(): number {
    return this.#streams.size + this.#watches.size + this.#reports.size;
  }

  #hold(page: PagePort): () => void {
    if (this.#slots >= mostSlots || this.#slots + this.#followed >= mostTaken) {
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
    let told = after;
    const leave = this.#streams.join('samples', token, {
      followed,
      after,
      epoch: '',
      onOpen: () => page.post({ type: 'open' }),
      onPiece: (piece) => {
        position = piece.position;
        if (piece.text === '') return;
        told = position;
        page.post({ type: 'piece', ...piece }, piece.text.length);
      },
      onEnd: (error) => page.end(error),
    });
    // A page whose own signals rest must not fall behind those of the others.
    const stop = every(checkMs, () => {
      if (position === null || position === told || !page.isClear) return;
      told = position;
      page.post({ type: 'piece', text: '', position, isFirst: false });
    });
    return () => {
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
