import type { Clock } from '../clock/clock.ts';
import type { Alarm } from './alarm.ts';
import type { MetronomeReport, MetronomeStart } from './metronome-messages.ts';
import { MetronomeWords } from './metronome-words.ts';

/** The owner's end of a metronome thread, such as a `Worker` whose code calls `runMetronome`. */
export interface MetronomeWorker {
  postMessage(start: MetronomeStart): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

export interface MetronomeOptions {
  readonly clock: Clock;
  /** Have the thread ask for SCHED_FIFO with this priority. */
  readonly fifoPriority?: number;
  /** Told what the system granted to each thread attached. */
  readonly onReport?: (report: MetronomeReport) => void;
}

/**
 * An alarm kept by a thread that does nothing else. A Node timer is a millisecond late; this thread
 * sleeps until the exact deadline and wakes its owner with a message.
 *
 * It starts no thread itself: whoever supervises threads attaches one, and another after that one has
 * died. What is armed meanwhile rings late, but it rings.
 */
export class Metronome implements Alarm {
  onRing: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #fifoPriority: number | undefined;
  readonly #onReport: ((report: MetronomeReport) => void) | undefined;
  #words = new MetronomeWords();
  #detach: (() => void) | undefined;
  #armedUs = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor({ clock, fifoPriority, onReport }: MetronomeOptions) {
    this.#clock = clock;
    this.#fifoPriority = fifoPriority;
    this.#onReport = onReport;
  }

  arm(atUs: number): void {
    if (this.#stopped) return;
    this.#armedUs = atUs;
    if (atUs !== Number.POSITIVE_INFINITY) this.#words.arm(atUs);
  }

  /**
   * Hands the work to a thread, in place of the one before, which is stopped if it still lives. Each
   * has words of its own, so that a dying one cannot take a deadline with it.
   */
  attach(worker: MetronomeWorker): void {
    this.#release();
    this.#words = new MetronomeWords();
    const words = this.#words;
    let reported = false;
    const receive = (message: unknown): void => {
      if (reported) {
        this.#answer(words);
        return;
      }
      reported = true;
      this.#onReport?.(message as MetronomeReport);
    };
    worker.on('message', receive);
    this.#detach = () => worker.off('message', receive);
    worker.postMessage({
      memory: words.memory,
      ...(this.#fifoPriority === undefined ? {} : { fifoPriority: this.#fifoPriority }),
    });
    if (this.#stopped) this.#release();
    else this.arm(this.#armedUs);
  }

  /** Ends the attached thread, which then exits by itself. Nothing rings afterwards. */
  stop(): void {
    this.#stopped = true;
    this.#armedUs = Number.POSITIVE_INFINITY;
    this.#release();
  }

  #release(): void {
    this.#words.stop();
    this.#detach?.();
    this.#detach = undefined;
  }

  #answer(words: MetronomeWords): void {
    words.answer();
    if (this.#armedUs === Number.POSITIVE_INFINITY) return;
    if (this.#clock.monotonicUs() < this.#armedUs) {
      // A ring for a time that was replaced, or a thread whose clock is a fraction ahead of ours.
      words.arm(this.#armedUs);
      return;
    }
    this.#armedUs = Number.POSITIVE_INFINITY;
    this.onRing?.();
  }
}
