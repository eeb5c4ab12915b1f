import type { Clock, Timer } from '../../base/clock/clock.ts';
import type { GapEvent } from '../../frame/event-record.ts';
import type { StreamSink } from '../../operations/stream.ts';

export interface LimitedStreamOptions {
  readonly sink: StreamSink;
  readonly clock: Clock;
  /** When it ends by itself: never, where neither is given. */
  readonly end: {
    /** After so many of what it delivers. */
    readonly count?: number | undefined;
    readonly duration_ms?: number | undefined;
  };
}

/** A hold on what is streamed. */
interface Held {
  resume(): void;
  close(): void;
}

/** A stream to a caller of the CLI that may be limited in number and time. It ends once only. */
export abstract class LimitedStream<EndReason extends string> {
  protected readonly sink: StreamSink;
  protected delivered = 0;
  readonly #count: number;
  readonly #deadline: Timer | undefined;
  #subscription: Held | undefined;
  #isOver = false;

  constructor({ sink, clock, end }: LimitedStreamOptions) {
    const { count = Number.POSITIVE_INFINITY, duration_ms } = end;
    this.sink = sink;
    this.#count = count;
    sink.onReady(() => this.#subscription?.resume());
    this.#deadline =
      duration_ms === undefined
        ? undefined
        : clock.after(duration_ms, () => this.#finish('duration'));
  }

  attach(subscription: Held): void {
    this.#subscription = subscription;
    if (this.#isOver) subscription.close();
  }

  get isReady(): boolean {
    return !this.#isOver && this.sink.isReady;
  }

  flush(): void {
    this.sendRest();
    if (this.isComplete) this.#finish('count');
  }

  end(reason: EndReason): void {
    this.#finish(reason);
  }

  close(): void {
    this.#isOver = true;
    this.#deadline?.cancel();
    this.#subscription?.close();
  }

  /** Whether as much was delivered as was wanted. */
  protected get isComplete(): boolean {
    return this.delivered >= this.#count;
  }

  protected tellGap(
    { oldestAvailable, newestAvailable }: { oldestAvailable: number; newestAvailable: number },
    missed: number | null,
  ): void {
    const gap: GapEvent = {
      oldest_available: oldestAvailable,
      newest_available: newestAvailable,
      missed,
    };
    this.sink.message({ event: 'gap', ...gap });
  }

  /** Hands over what was put together so far. */
  protected abstract sendRest(): void;

  #finish(reason: 'count' | 'duration' | EndReason): void {
    if (this.#isOver) return;
    this.close();
    this.sendRest();
    this.sink.end({ reason, delivered: this.delivered });
  }
}
