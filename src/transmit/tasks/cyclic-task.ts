import { BusbarError } from '../../base/errors/busbar-error.ts';
import { DurationHistogram } from '../../base/schedule/duration-histogram.ts';
import { durationRecord } from '../../base/schedule/duration-record.ts';
import type { Lane } from '../../bench/outbox/lane.ts';
import type { NotTaken, SendResult } from '../../drivers/send-result.ts';
import { type Frame, frameFlags, maxExtendedId, maxStandardId } from '../../frame/frame.ts';
import { linMasterRequestId } from '../../frame/lin.ts';
import { lastErrorOf } from '../last-error.ts';
import type { LastError } from '../record-fields.ts';
import type { TaskProgress } from './task-work.ts';
import type { CyclicPlan, TxPattern } from './tx-task-request.ts';

/** The last identifier that counting through them comes to; LIN keeps those above for itself. */
const lastIdOf = (frame: Frame): number => {
  if (frame.bus === 'lin') return linMasterRequestId - 1;
  return frame.extended ? maxExtendedId : maxStandardId;
};

/** Spreads the numbers of tasks over the range, so that neighbours do not send alike. */
const seedFactor = 0x9e37_79b1;

/** What changes in a frame from one time to the next, in memory that is used again. */
export class FramePattern {
  id: number;
  readonly data: Uint8Array;
  readonly #pattern: TxPattern;
  readonly #lastId: number;
  #random: number;

  /** Tasks with the same seed send the same random data. */
  constructor(frame: Frame, pattern: TxPattern, seed: number) {
    this.id = frame.id;
    this.data = frame.data.slice();
    this.#pattern = pattern;
    this.#lastId = lastIdOf(frame);
    this.#random = Math.imul(seed, seedFactor) | 1;
    if (pattern === 'random_data') this.#fillRandom();
  }

  /** Goes on to the next frame. */
  next(): void {
    switch (this.#pattern) {
      case 'increment_data':
        this.#increment();
        return;
      case 'increment_id':
        this.id = this.id === this.#lastId ? 0 : this.id + 1;
        return;
      case 'random_data':
        this.#fillRandom();
    }
  }

  /** The data are one big-endian number, which starts anew at zero when it is full. */
  #increment(): void {
    const { data } = this;
    for (let i = data.length - 1; i >= 0; i--) {
      const byte = ((data[i] as number) + 1) & 0xff;
      data[i] = byte;
      if (byte !== 0) return;
    }
  }

  #fillRandom(): void {
    const { data } = this;
    for (let i = 0; i < data.length; i++) {
      // Marsaglia's xorshift with 32 bits: no state beside this number, and never zero.
      let random = this.#random;
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      this.#random = random;
      data[i] = random >>> 24;
    }
  }
}

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
