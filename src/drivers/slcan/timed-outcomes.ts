import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { FrameLine, SlcanTransmitter } from './slcan-transmitter.ts';

/** Longer than the slowest line needs. */
const stuckUs = 10_000_000;

export interface TimedOutcomesOptions {
  readonly scheduler: Scheduler;
  readonly transmitter: SlcanTransmitter;
  readonly complete: (atUs: number) => void;
  readonly onSettled: () => void;
  readonly onStuck: () => void;
}

/**
 * Outcomes for a silent device. A frame counts as sent once its bytes have left and its bus
 * time has passed.
 */
export class TimedOutcomes {
  readonly #options: TimedOutcomesOptions;
  readonly #task: Task;
  #line: FrameLine | undefined;
  #bufferedBytes = 0;
  #stuckAtUs = Number.POSITIVE_INFINITY;

  constructor(options: TimedOutcomesOptions) {
    this.#options = options;
    this.#task = options.scheduler.createTask('slcan sent', (nowUs) => this.#take(nowUs));
  }

  wrote(line: FrameLine, nowUs: number): void {
    this.#line = line;
    this.#watch(line, nowUs);
    this.#task.scheduleAt(this.#nextUs(line));
  }

  drained(nowUs: number): void {
    const line = this.#line;
    if (!line) return;
    this.#options.transmitter.drained(nowUs);
    this.#watch(line, nowUs);
    this.#task.scheduleAt(this.#nextUs(line));
  }

  stop(): void {
    this.#task.cancel();
    this.#line = undefined;
    this.#bufferedBytes = 0;
    this.#stuckAtUs = Number.POSITIVE_INFINITY;
  }

  #take(nowUs: number): number {
    const line = this.#line;
    if (!line) return Number.POSITIVE_INFINITY;
    const { transmitter, complete, onSettled, onStuck } = this.#options;
    while (transmitter.dueUs <= nowUs && transmitter.hasLeft(line)) complete(transmitter.dueUs);
    onSettled();
    this.#watch(line, nowUs);
    if (nowUs >= this.#stuckAtUs) {
      onStuck();
      return Number.POSITIVE_INFINITY;
    }
    return this.#nextUs(line);
  }

  #nextUs(line: FrameLine): number {
    const { transmitter } = this.#options;
    return transmitter.hasLeft(line) ? transmitter.dueUs : this.#stuckAtUs;
  }

  /** Any byte that leaves restarts the timeout. */
  #watch({ bufferedBytes }: FrameLine, nowUs: number): void {
    if (bufferedBytes === 0) this.#stuckAtUs = Number.POSITIVE_INFINITY;
    else if (bufferedBytes !== this.#bufferedBytes) this.#stuckAtUs = nowUs + stuckUs;
    this.#bufferedBytes = bufferedBytes;
  }
}
