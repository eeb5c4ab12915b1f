import { BusbarError } from '../../base/errors/busbar-error.ts';
import { DurationHistogram } from '../../base/schedule/duration-histogram.ts';
import { durationRecord } from '../../base/schedule/duration-record.ts';
import type { Lane } from '../../bench/outbox/lane.ts';
import type { NotTaken, SendResult } from '../../drivers/send-result.ts';
import { type Frame, frameFlags } from '../../frame/frame.ts';
import { lastErrorOf } from '../last-error.ts';
import type { LastError } from '../record-fields.ts';
import { FramePattern } from './frame-pattern.ts';
import type { TaskProgress } from './task-work.ts';
import type { CyclicPlan } from './tx-task-request.ts';

export interface CyclicTaskParts {
  /** Urgent: a frame that is due goes before others. */
  readonly lane: Lane;
  readonly frame: Frame;
  readonly plan: CyclicPlan;
  readonly startUs: number;
  readonly seed: number;
}

export interface CyclicCounts {
  /** Frames that the channel took. */
  readonly sent: number;
  /** Times when it did not. */
  readonly failed: number;
  /** Times that had passed before anything could be done. */
  readonly missed: number;
}

const submitOf = (frame: Frame, lane: Lane, pattern: FramePattern) => {
  const flags = frameFlags(frame);
  const { dlc } = frame;
  const { data } = pattern;
  const { length } = data;
  return frame.bus === 'lin'
    ? () => lane.masterWrite(pattern.id, flags, data, 0, length)
    : () => lane.send(pattern.id, flags, dlc, data, 0, length);
};

/**
 * A cyclic task that the bench thread hands to its channel frame by frame. Its times lie on a grid
 * from its start. One that comes late is used once, and those that went by meanwhile are missed:
 * frames never bunch up to make good for lost time.
 */
export class CyclicTask {
  /** When its next frame is due. */
  dueUs: number;
  #sent = 0;
  #failed = 0;
  #missed = 0;
  #refusal: NotTaken | undefined;
  #defect: LastError | undefined;
  /** Which of its times comes next. */
  #turn = 0;
  readonly #startUs: number;
  readonly #plan: CyclicPlan;
  readonly #pattern: FramePattern;
  readonly #submit: () => SendResult;
  readonly #lateness = new DurationHistogram();

  constructor({ lane, frame, plan, startUs, seed }: CyclicTaskParts) {
    this.#startUs = startUs;
    this.dueUs = startUs;
    this.#plan = plan;
    this.#pattern = new FramePattern(frame, plan.pattern, seed);
    this.#submit = submitOf(frame, lane, this.#pattern);
  }

  get isFinished(): boolean {
    return this.#plan.count > 0 && this.#sent >= this.#plan.count;
  }

  /** Hands over the frame that is due, and goes on to the first of its times still to come. */
  handOver(nowUs: number): void {
    this.#lateness.record(nowUs - this.dueUs);
    this.#goOn(1);
    this.#send();
    if (!this.isFinished) this.#skipUntil(nowUs);
  }

  /** What its frames came to so far; cheaper than all of its progress. */
  get counts(): CyclicCounts {
    return { sent: this.#sent, failed: this.#failed, missed: this.#missed };
  }

  get maxLatenessUs(): number {
    return this.#lateness.maxUs;
  }

  get lastError(): LastError | null {
    return this.#defect ?? lastErrorOf(this.#refusal);
  }

  progress(): TaskProgress {
    return {
      state: this.isFinished ? 'finished' : 'running',
      offloaded: false,
      ...this.counts,
      lateness_us: durationRecord(this.#lateness.summary()),
      last_error: this.lastError,
    };
  }

  #send(): void {
    try {
      const result = this.#submit();
      if (result === 'accepted') {
        this.#sent += 1;
        this.#pattern.next();
        return;
      }
      this.#refusal = result;
      this.#defect = undefined;
    } catch (thrown) {
      const { code, message } = BusbarError.from(thrown);
      this.#defect = { code, message };
    }
    this.#failed += 1;
  }

  #skipUntil(nowUs: number): void {
    const passed = Math.floor((nowUs - this.dueUs) / this.#plan.periodUs) + 1;
    if (passed <= 0) return;
    this.#missed += passed;
    this.#goOn(passed);
  }

  /** Counted from the start, so that sums of fractions do not drift. */
  #goOn(turns: number): void {
    this.#turn += turns;
    this.dueUs = this.#startUs + this.#turn * this.#plan.periodUs;
  }
}
