import type { Clock, Timer } from '../../base/clock/clock.ts';
import { FeedTurns } from '../../base/feeds/feed-turns.ts';
import type { PlanSet, SampleChoice } from './plan-set.ts';
import { SampleCursor } from './sample-cursor.ts';
import { SampleFeed } from './sample-feed.ts';
import type { SampleEndReason, SampleOutlet } from './sample-outlet.ts';

/** How long samples are collected between two passes. */
const collectMs = 20;
/** How long others get the thread when a pass has left something behind. */
const yieldMs = 1;
/** The most samples that one outlet is given before the next one has its turn. */
const turnSamples = 512;
/** About the most samples of one pass: some milliseconds of putting them into words. */
const passSamples = 4096;

export interface SampleHubOptions {
  readonly plans: PlanSet;
  readonly clock: Clock;
  /** Told what an outlet has thrown. That one is closed, the others go on. */
  readonly onDefect?: (thrown: unknown) => void;
}

export interface SubscribeSamplesOptions {
  readonly choices: readonly SampleChoice[];
  /** The sequence to go on behind, 0 for the oldest to be had; null: live. */
  readonly after: number | null;
  readonly outlet: SampleOutlet;
}

/** A client's hold on its stream of samples. */
export interface SampleSubscription {
  /** The outlet takes samples again. */
  resume(): void;
  /** Nothing more is wanted; the outlet hears of nothing more. */
  close(): void;
}

/**
 * All streams of samples. The first sample after a pause is delivered at once, then what came is
 * delivered together, some fifty times a second. Outlets are served in turns; one that is not ready
 * costs nothing.
 */
export class SampleHub {
  readonly #plans: PlanSet;
  readonly #clock: Clock;
  readonly #turns: FeedTurns<SampleFeed>;
  #timer: Timer | undefined;
  #isNudged = false;

  constructor({ plans, clock, onDefect = () => {} }: SampleHubOptions) {
    this.#plans = plans;
    this.#clock = clock;
    this.#turns = new FeedTurns(onDefect);
    plans.onRemoved = () => this.#endDone();
  }

  get streams(): number {
    return this.#turns.feeds.length;
  }

  /** Starts a stream. Its first samples may be given before this returns. */
  subscribe({ choices, after, outlet }: SubscribeSamplesOptions): SampleSubscription {
    const cursor = new SampleCursor(this.#plans, choices);
    const startsBehindGap = after !== null && cursor.seek(after);
    const feed = new SampleFeed({ cursor, outlet, startsBehindGap });
    this.#turns.add(feed);
    this.#resume(feed);
    return { resume: () => this.#resume(feed), close: () => this.#remove(feed) };
  }

  /** The plans have taken records. */
  wake(): void {
    if (this.streams === 0) return;
    if (this.#timer) this.#isNudged = true;
    else this.#pass();
  }

  /** Ends all streams. */
  close(): void {
    for (const feed of this.#turns.feeds) this.#end(feed, 'shut_down');
  }

  /** Serves outlets in turns until none takes more, or enough is done for now. */
  #pass(): void {
    this.#isNudged = false;
    this.#turns.serveAll(turnSamples, passSamples);
    this.#hold(this.#turns.feeds.some(({ isBehind }) => isBehind) ? yieldMs : collectMs);
  }

  /** A client that has just read is served at once: others are not kept waiting for its sake. */
  #resume(feed: SampleFeed): void {
    let left = passSamples;
    let served = left;
    while (served > 0 && left > 0) {
      served = this.#turns.serve(feed, turnSamples);
      left -= served;
    }
    if (feed.isBehind) this.#hold(yieldMs);
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
    for (const feed of this.#turns.feeds) {
      feed.cursor.forgetRemoved();
      if (feed.cursor.isDone) this.#end(feed, 'plans_removed');
    }
  }

  #end(feed: SampleFeed, reason: SampleEndReason): void {
    this.#turns.guard(feed, () => feed.end(reason));
    this.#remove(feed);
  }

  #remove(feed: SampleFeed): void {
    this.#turns.remove(feed);
    this.#rest();
  }

  /** Without streams no clock runs. */
  #rest(): void {
    if (this.streams > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
