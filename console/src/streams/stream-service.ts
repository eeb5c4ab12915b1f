import { ApiError } from '../api/api-error.ts';
import { PagePort, type Port } from './page-port.ts';
import { RawMonitor } from './raw-monitor.ts';
import { SharedStreams } from './shared-streams.ts';
import type { StreamRequest } from './stream-messages.ts';

/**
 * A browser has six connections for a service. Streams have two of them, and requests that take long may
 * have three, so that there is always one for everything else.
 */
const mostSlots = 3;
const checkMs = 1000;
const statusMs = 200;

type Request<Type> = Extract<StreamRequest, { readonly type: Type }>;

const now = (): number => performance.now();

const noSlot = (): ApiError =>
  new ApiError({
    code: 'too_many_long_requests',
    message: `${mostSlots} requests of this browser that take long are under way already`,
    retryable: false,
  });

const every = (ms: number, run: () => void): (() => void) => {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
};

/** Has the connections of server-sent events, and gives pages what they follow of them. */
export class StreamService {
  readonly #streams = new SharedStreams();
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
      case 'slot':
        return this.#hold(page);
    }
  }

  #hold(page: PagePort): () => void {
    if (this.#slots === mostSlots) {
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
