import type { Clock } from '../base/clock/clock.ts';
import { nextPeriod } from '../base/schedule/period.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import type { Channel } from './channel.ts';
import { samplePeriodUs } from './rate-meter.ts';

/** Takes the samples of all channels for their rates, as long as any is open. */
export class RateSampler {
  readonly #clock: Clock;
  readonly #task: Task;

  constructor(clock: Clock, scheduler: Scheduler, channels: () => Iterable<Channel>) {
    this.#clock = clock;
    this.#task = scheduler.createTask('channel rates', (nowUs, dueUs) => {
      for (const channel of channels()) if (channel.state !== 'closing') channel.sampleRates();
      return nextPeriod(dueUs, samplePeriodUs, nowUs);
    });
  }

  start(): void {
    if (Number.isFinite(this.#task.dueUs)) return;
    this.#task.scheduleAt(this.#clock.monotonicUs() + samplePeriodUs);
  }

  stop(): void {
    this.#task.cancel();
  }
}
