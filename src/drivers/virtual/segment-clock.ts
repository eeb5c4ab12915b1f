import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Segment } from './segment.ts';

const wakeGapUs = 250;

export class SegmentClock {
  /** Unix offset as an integer, because Unix times cannot represent its fraction. */
  readonly unixOffsetUs: number;
  readonly #clock: Clock;
  readonly #task: Task;
  readonly #segments: Segment[] = [];
  #wokenUs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, scheduler: Scheduler) {
    this.#clock = clock;
    this.unixOffsetUs = Math.floor(clock.unixOffsetUs);
    this.#task = scheduler.createTask('virtual bus', (nowUs) => this.#wake(nowUs));
  }

  get nowUs(): number {
    return this.#clock.monotonicUs();
  }

  add(segment: Segment): void {
    this.#segments.push(segment);
  }

  remove(segment: Segment): void {
    const place = this.#segments.indexOf(segment);
    if (place >= 0) this.#segments.splice(place, 1);
  }

  catchUp(segment: Segment): number {
    const nowUs = this.#clock.monotonicUs();
    segment.advance(nowUs);
    return nowUs;
  }

  attend(segment: Segment): void {
    const wakeUs = Math.max(segment.nextDeadlineUs, this.#wokenUs + wakeGapUs);
    if (wakeUs < this.#task.dueUs) this.#task.scheduleAt(wakeUs);
  }

  stop(): void {
    this.#task.cancel();
  }

  #wake(nowUs: number): number {
    this.#wokenUs = nowUs;
    let nextUs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#segments.length; i++) this.#segments[i]?.advance(nowUs);
    for (let i = 0; i < this.#segments.length; i++) {
      const deadlineUs = this.#segments[i]?.nextDeadlineUs ?? Number.POSITIVE_INFINITY;
      nextUs = Math.min(nextUs, deadlineUs);
    }
    return Math.max(nextUs, nowUs + wakeGapUs);
  }
}
