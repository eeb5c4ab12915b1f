import type { Clock, Timer } from '../../base/clock/clock.ts';
import {
  RoundRobin,
  type Sink,
  type Subscription,
  type SubscriptionHandle,
} from '../../base/subscription.ts';
import type { PlanSet, SampleChoice } from './plan-set.ts';
import { SampleCursor } from './sample-cursor.ts';
import type { Sample } from './sample-record.ts';

const collectMs = 20;
const yieldMs = 1;
const sliceSamples = 512;
const passSamples = 4096;

export type SampleSink = Sink<Sample, string>;

export interface SampleHubOptions {
  readonly plans: PlanSet;
  readonly clock: Clock;
  readonly onDefect?: (thrown: unknown) => void;
}

export interface SubscribeSamplesOptions {
  readonly choices: readonly SampleChoice[];
  /** Sequence to continue after; 0 for the oldest available, null for live samples only. */
  readonly after: number | null;
  readonly sink: SampleSink;
}

/**
 * All subscriptions to samples. The first sample after a pause is delivered immediately, later
 * ones in batches, about fifty times a second. A sink that is not ready costs nothing.
 */
export class SampleHub {
  readonly #plans: PlanSet;
  readonly #clock: Clock;
  readonly #robin: RoundRobin<Sample, string, SampleCursor>;
  #timer: Timer | undefined;
  #isNudged = false;

  constructor({ plans, clock, onDefect = () => {} }: SampleHubOptions) {
    this.#plans = plans;
    this.#clock = clock;
    this.#robin = new RoundRobin({
      slice: sliceSamples,
      perPass: passSamples,
      onResume: (subscription) => this.#resume(subscription),
      onRemoved: () => this.#rest(),
      onDefect,
    });
    plans.onRemoved = () => this.#endDone();
  }

  get streams(): number {
    return this.#robin.subscriptions.length;
  }

  /** Starts a stream. Its first samples can be delivered before this returns. */
  subscribe({ choices, after, sink }: SubscribeSamplesOptions): SubscriptionHandle {
    const cursor = new SampleCursor(this.#plans, choices);
    const startsAfterGap = after !== null && cursor.seek(after);
    const subscription = this.#robin.subscribe({ cursor, sink, startsAfterGap });
    subscription.resume();
    return subscription;
  }

  wake(): void {
    if (this.streams === 0) return;
    if (this.#timer) this.#isNudged = true;
    else this.#pass();
  }

  close(): void {
    this.#robin.endAll('shut_down');
  }

  #pass(): void {
    this.#isNudged = false;
    this.#robin.serveAll();
    this.#hold(this.#robin.subscriptions.some(({ isBehind }) => isBehind) ? yieldMs : collectMs);
  }

  #resume(subscription: Subscription<Sample, string, SampleCursor>): void {
    this.#robin.drain(subscription);
    if (subscription.isBehind) this.#hold(yieldMs);
    else this.#rest();
  }

  #hold(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.streams === 0) return;
    if (delayMs === yieldMs) this.#isNudged = true;
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = undefined;
      if (this.#isNudged) this.#pass();
    });
  }

  #endDone(): void {
    for (const subscription of this.#robin.subscriptions) {
      const { cursor } = subscription;
      cursor.forgetRemoved();
      if (cursor.isDone) subscription.end('plans_removed');
    }
  }

  #rest(): void {
    if (this.streams > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
