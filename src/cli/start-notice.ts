import type { Clock, Timer } from '../base/clock/clock.ts';
import type { OutputFormat } from '../operations/global-options.ts';
import type { Output } from './output.ts';

/** A start that takes longer deserves a word, and then another one now and then. */
const firstNoticeMs = 5000;
const nextNoticeMs = 10_000;

export interface StartNoticeOptions {
  readonly clock: Clock;
  readonly stderr: Output;
  readonly format: OutputFormat;
}

/** Tells people what a daemon that takes its time to start is at. Programs wait without a word. */
export class StartNotice {
  readonly #options: StartNoticeOptions;
  readonly #startedUs: number;
  #stage = 'loads its program';
  #timer: Timer | undefined;

  constructor(options: StartNoticeOptions) {
    this.#options = options;
    this.#startedUs = options.clock.monotonicUs();
    if (options.format === 'text') this.#await(firstNoticeMs);
  }

  /** What it is at, in words that go on from "it". */
  set stage(stage: string) {
    this.#stage = stage;
  }

  end(): void {
    this.#timer?.cancel();
  }

  #await(delayMs: number): void {
    const { clock, stderr } = this.#options;
    this.#timer = clock.after(delayMs, () => {
      const seconds = Math.floor((clock.monotonicUs() - this.#startedUs) / 1e6);
      stderr.write(`The daemon is still starting after ${seconds} s: it ${this.#stage}\n`);
      this.#await(nextNoticeMs);
    });
  }
}
