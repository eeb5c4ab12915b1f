import { DurationHistogram } from '../../base/durations/duration-histogram.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { durationRecord } from '../../base/schedule/duration-record.ts';
import type { Lane } from '../../bench/outbox/lane.ts';
import type { RefusedSend, SendResult } from '../../drivers/send-result.ts';
import { type Frame, frameFlags, maxExtendedId, maxStandardId } from '../../frame/frame.ts';
import { linMasterRequestId } from '../../frame/lin.ts';
import { lastErrorOf } from '../last-error.ts';
import type { LastError } from '../record-fields.ts';
import type { OwnedBits } from './owned-bits.ts';
import type { TaskChange, TaskProgress } from './task-work.ts';
import type { CyclicSettings, TxPattern } from './tx-task-request.ts';

/** Last identifier of a count pattern; LIN reserves those above. */
const lastIdOf = (frame: Frame): number => {
  if (frame.bus === 'lin') return linMasterRequestId - 1;
  return frame.extended ? maxExtendedId : maxStandardId;
};

/** Spreads task numbers over the range, so that neighbours differ. */
const seedFactor = 0x9e37_79b1;

/** Changes between frames of a task, in reused memory. */
export class FramePattern {
  id: number;
  readonly data: Uint8Array;
  readonly #pattern: TxPattern;
  readonly #lastId: number;
  #random: number;

  /** Tasks with equal seeds send equal random data. */
  constructor(frame: Frame, pattern: TxPattern, seed: number) {
    this.id = frame.id;
    this.data = frame.data.slice();
    this.#pattern = pattern;
    this.#lastId = lastIdOf(frame);
    this.#random = Math.imul(seed, seedFactor) | 1;
    if (pattern === 'random_data') this.#fillRandom();
  }

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

  /** Treats the data as one big-endian number that wraps to zero. */
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
      // 32-bit xorshift (Marsaglia), never zero.
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
  readonly lane: Lane;
  readonly frame: Frame;
  readonly plan: CyclicSettings;
  readonly startUs: number;
  readonly seed: number;
  readonly owned?: OwnedBits | undefined;
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
 * A cyclic task submitted frame by frame on the bench thread. Due times are on a grid from its
 * start. A late frame is sent once and the missed ones are counted, so frames never bunch up.
 */
export class CyclicTask {
  dueUs: number;
  #sent = 0;
  #failed = 0;
  #missed = 0;
  #refusal: RefusedSend | undefined;
  #defect: LastError | undefined;
  #turn = 0;
  #startUs: number;
  #periodUs: number;
  #isPaused = false;
  readonly #owned: OwnedBits | undefined;
  readonly #plan: CyclicSettings;
  readonly #pattern: FramePattern;
  readonly #submit: () => SendResult;
  readonly #lateness = new DurationHistogram();

  constructor({ lane, frame, plan, startUs, seed, owned }: CyclicTaskParts) {
    this.#startUs = startUs;
    this.dueUs = startUs;
    this.#plan = plan;
    this.#pattern = new FramePattern(frame, plan.pattern, seed);
    this.#periodUs = plan.periodUs;
    this.#owned = owned;
    this.#owned?.prepare(this.#pattern.data);
    this.#submit = submitOf(frame, lane, this.#pattern);
  }

  /** Payload of the last frame, or of the next one after a change. */
  get data(): Uint8Array {
    return this.#pattern.data;
  }

  get periodUs(): number {
    return this.#periodUs;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isFinished(): boolean {
    return this.#plan.count > 0 && this.#sent >= this.#plan.count;
  }

  handOver(nowUs: number): void {
    this.#lateness.record(nowUs - this.dueUs);
    this.#goOn(1);
    this.#send();
    if (!this.isFinished) this.#skipUntil(nowUs);
  }

  /** The next frame has all changes. Due times stay on their grid, also after a pause. */
  change({ data, periodUs, isEnabled }: TaskChange, nowUs: number): void {
    if (data !== undefined) this.#changeData(data);
    if (periodUs !== undefined && periodUs !== this.#periodUs) this.#changePeriod(periodUs, nowUs);
    if (isEnabled === undefined || isEnabled === !this.#isPaused) return;
    this.#isPaused = !isEnabled;
    if (isEnabled) this.#resume(nowUs);
  }

  #changeData(data: Uint8Array): void {
    const current = this.#pattern.data;
    if (this.#owned) this.#owned.change(current, data);
    else current.set(data);
  }

  /** The next frame is due one new period after the last one. */
  #changePeriod(periodUs: number, nowUs: number): void {
    const lastUs = this.#turn === 0 ? this.dueUs : this.dueUs - this.#periodUs;
    const nextUs = this.#turn === 0 ? lastUs : lastUs + periodUs;
    this.#periodUs = periodUs;
    this.#startUs = Math.max(nextUs, nowUs);
    this.#turn = 0;
    this.dueUs = this.#startUs;
  }

  #resume(nowUs: number): void {
    const passed = Math.ceil((nowUs - this.dueUs) / this.#periodUs);
    if (passed > 0) this.#goOn(passed);
  }

  get #state(): TaskProgress['state'] {
    if (this.isFinished) return 'finished';
    return this.#isPaused ? 'paused' : 'running';
  }

  progress(): TaskProgress {
    return {
      state: this.#state,
      offloaded: false,
      sent: this.#sent,
      failed: this.#failed,
      missed: this.#missed,
      lateness_us: durationRecord(this.#lateness.summary()),
      last_error: this.#defect ?? lastErrorOf(this.#refusal),
    };
  }

  #send(): void {
    const owned = this.#owned;
    let isAccepted = false;
    try {
      owned?.prepare(this.#pattern.data);
      const result = this.#submit();
      if (result === 'accepted') {
        isAccepted = true;
        this.#sent += 1;
        this.#pattern.next();
        return;
      }
      this.#refusal = result;
      this.#defect = undefined;
    } catch (thrown) {
      const { code, message } = BusbarError.from(thrown);
      this.#defect = { code, message };
    } finally {
      owned?.settle(isAccepted);
    }
    this.#failed += 1;
  }

  #skipUntil(nowUs: number): void {
    const passed = Math.floor((nowUs - this.dueUs) / this.#periodUs) + 1;
    if (passed <= 0) return;
    this.#missed += passed;
    this.#goOn(passed);
  }

  /** Counted from the start, so that fractions do not drift. */
  #goOn(turns: number): void {
    this.#turn += turns;
    this.dueUs = this.#startUs + this.#turn * this.#periodUs;
  }
}
