import type { Clock, Timer } from '../../base/clock/clock.ts';
import type { StreamSink } from '../../operations/stream.ts';
import type { Sample, SampleBounds } from '../../signal/live/sample.ts';
import type { SampleSubscription } from '../../signal/live/sample-hub.ts';
import type {
  SampleEndReason,
  SampleOutlet as SignalOutlet,
} from '../../signal/live/sample-outlet.ts';

interface SampleOutletOptions {
  readonly sink: StreamSink;
  readonly clock: Clock;
  /** Ends after so many samples; Infinity for never. */
  readonly count: number;
  readonly durationMs: number | null;
}

/** Sends samples to a caller of the CLI, one message each. */
export class SampleOutlet implements SignalOutlet {
  readonly #sink: StreamSink;
  readonly #count: number;
  readonly #deadline: Timer | undefined;
  #subscription: SampleSubscription | undefined;
  #delivered = 0;
  #isOver = false;

  constructor({ sink, clock, count, durationMs }: SampleOutletOptions) {
    this.#sink = sink;
    this.#count = count;
    sink.onReady(() => this.#subscription?.resume());
    this.#deadline =
      durationMs === null ? undefined : clock.after(durationMs, () => this.#finish('duration'));
  }

  attach(subscription: SampleSubscription): void {
    this.#subscription = subscription;
    if (this.#isOver) subscription.close();
  }

  get isReady(): boolean {
    return !this.#isOver && this.#sink.isReady;
  }

  sample(sample: Sample, planId: string): boolean {
    this.#sink.message({ plan_id: planId, ...sample });
    return ++this.#delivered < this.#count && this.#sink.isReady;
  }

  gap({ oldestAvailable, newestAvailable }: SampleBounds, missed: number | null): void {
    this.#sink.message({
      event: 'gap',
      oldest_available: oldestAvailable,
      newest_available: newestAvailable,
      missed,
    });
  }

  flush(): void {
    if (this.#delivered >= this.#count) this.#finish('count');
  }

  end(reason: SampleEndReason): void {
    this.#finish(reason);
  }

  close(): void {
    this.#isOver = true;
    this.#deadline?.cancel();
    this.#subscription?.close();
  }

  #finish(reason: 'count' | 'duration' | SampleEndReason): void {
    if (this.#isOver) return;
    this.close();
    this.#sink.end({ reason, delivered: this.#delivered });
  }
}
