import type { TaskError } from '../values/task-error.ts';
import { type EngineTask, never, retryUs } from './engine-task.ts';
import type { FaultLog } from './fault-log.ts';
import type { FrameBuilder } from './frame-builder.ts';
import type { FrameCounts } from './frame-counts.ts';
import { FrameOpportunity } from './frame-opportunity.ts';
import type { HotPart, HotParts } from './generated/hot-parts.ts';
import type { ValueStoreEmitter } from './generated/value-store-emitter.ts';
import type { RoundTime, SignalStates } from './signal-states.ts';
import type { TaskFaults } from './task-faults.ts';
import type { SnapshotMember, TaskSnapshot } from './task-snapshot.ts';
import { counter, type TaskStates, timing } from './task-states.ts';
/** Sends the engine's frames and items. */
export interface EngineTransport {
  /** Submits a copy of a task's frame or items. Returns null if accepted. */
  send(task: number, bytes: Uint8Array): TaskError | null;
  channelOf(task: number): number | null;
  serve(server: number, resource: number): void;
}

export interface ValueTaskParts {
  readonly number: number;
  readonly periodUs: number | null;
  readonly minIntervalUs: number;
  readonly members: readonly SnapshotMember[];
  readonly snapshot: TaskSnapshot;
  readonly builder: FrameBuilder;
  readonly faults: TaskFaults;
  readonly counts: FrameCounts;
}

export interface ValueTaskContext {
  readonly signals: SignalStates;
  readonly states: TaskStates;
  readonly transport: EngineTransport;
  readonly time: RoundTime;
  readonly clock: { monotonicUs(): number };
  readonly faultLog: FaultLog;
  readonly hot: HotParts;
  readonly stores: ValueStoreEmitter;
}

const lateUs = 1000;

/**
 * Sends a message or writes to a unit, periodically or on change. At most one frame or request
 * group is in flight, so that a bus without acknowledgment never gets a burst of old frames.
 */
export class ValueTask implements EngineTask {
  heapIndex = -1;
  readonly number: number;
  readonly faults: TaskFaults;
  readonly snapshot: TaskSnapshot;
  readonly counts: FrameCounts;
  readonly #periodUs: number | null;
  readonly #minIntervalUs: number;
  readonly #members: readonly SnapshotMember[];
  readonly #builder: FrameBuilder;
  readonly #opportunity: FrameOpportunity;
  readonly #isPlain: boolean;
  readonly #signals: SignalStates;
  readonly #states: TaskStates;
  readonly #transport: EngineTransport;
  readonly #time: RoundTime;
  readonly #clock: ValueTaskContext['clock'];
  #startUs = 0;
  #period = -1;
  #isInFlight = false;
  #submittedUs = 0;
  /** When the request got the link; NaN while it is queued, and for frames. */
  #startedUs = Number.NaN;
  #isReady = false;
  #freeAtUs = Number.NEGATIVE_INFINITY;

  constructor(parts: ValueTaskParts, context: ValueTaskContext) {
    this.number = parts.number;
    this.faults = parts.faults;
    this.counts = parts.counts;
    this.#periodUs = parts.periodUs;
    this.#minIntervalUs = parts.minIntervalUs;
    this.#members = parts.members;
    this.snapshot = parts.snapshot;
    this.#builder = parts.builder;
    const { builder, faults } = parts;
    this.#opportunity = new FrameOpportunity(parts, context);
    this.#isPlain = faults.isEmpty && !builder.isProtected;
    this.#signals = context.signals;
    this.#states = context.states;
    this.#transport = context.transport;
    this.#time = context.time;
    this.#clock = context.clock;
  }

  get hasToSend(): boolean {
    return this.#periodUs !== null || this.#isInFlight || this.isWaiting;
  }

  get nextUs(): number {
    if (this.#periodUs !== null) return this.#startUs + (this.#period + 1) * this.#periodUs;
    if (this.#isInFlight || !this.#isReady) return never;
    return this.snapshot.isNew ? this.#freeAtUs : never;
  }

  get hotParts(): readonly HotPart[] {
    return [this.snapshot, this.counts];
  }

  /** True if an on-change task has something to send and waits for its minimum interval. */
  get isWaiting(): boolean {
    const isFree = this.#periodUs === null && this.#isReady && !this.#isInFlight;
    return isFree && this.snapshot.isNew;
  }

  start(nowUs: number): void {
    this.#startUs = nowUs;
    this.#period = -1;
    this.#isInFlight = false;
    this.#isReady = false;
    this.#freeAtUs = Number.NEGATIVE_INFINITY;
    this.faults.rearm();
    this.#builder.reset();
  }

  refresh(): void {
    if (!this.#isReady) {
      this.snapshot.reset();
      this.#isReady = this.#periodUs !== null || this.#hasValidSignal();
      if (this.#isReady) this.snapshot.open();
      return;
    }
    if (this.snapshot.refresh() !== 'replaced') return;
    this.#states.count(this.number, counter.coalesced, 1);
  }

  serve(): void {
    const { nowUs } = this.#time;
    if (this.#periodUs !== null) this.#servePeriod(this.#periodUs);
    else if (this.#isReady && !this.#isInFlight && nowUs >= this.#freeAtUs && this.snapshot.isNew) {
      this.#attempt();
    }
  }

  started(atUs: number): void {
    if (!this.#isInFlight) return;
    this.#startedUs = atUs;
    const waitedUs = Math.max(0, atUs - this.#submittedUs);
    this.#states.measure(this.number, timing.queue_wait_us, waitedUs);
  }

  settled(error: TaskError | null): void {
    const time = this.#time;
    this.#isInFlight = false;
    time.submittedUs = this.#submittedUs;
    this.#states.setError(this.number, error, time.settledUs);
    if (!Number.isNaN(this.#startedUs)) {
      const waitedUs = Math.max(0, time.settledUs - this.#startedUs);
      this.#states.measure(this.number, timing.protocol_wait_us, waitedUs);
      this.#startedUs = Number.NaN;
    }
    if (error === null) {
      this.#opportunity.sent();
      this.counts.sent();
      return;
    }
    this.counts.failed();
    this.snapshot.forget();
    this.#freeAtUs = time.settledUs + Math.max(this.#minIntervalUs, retryUs);
  }

  release(): void {
    if (!this.#isInFlight) return;
    this.#isInFlight = false;
    this.#startedUs = Number.NaN;
    this.#states.count(this.number, counter.unconfirmed, 1);
  }

  #servePeriod(periodUs: number): void {
    const states = this.#states;
    const time = this.#time;
    const { nowUs } = time;
    const latest = Math.floor((nowUs - this.#startUs) / periodUs);
    const passed = latest - this.#period;
    if (passed <= 0) return;
    this.#period = latest;
    const missed = this.#isInFlight ? passed : passed - 1;
    if (missed > 0) states.count(this.number, counter.missed, missed);
    if (this.#isInFlight) return;
    const lateness = nowUs - (this.#startUs + latest * periodUs);
    states.lateness(this.number, lateness);
    if (lateness > lateUs) states.count(this.number, counter.late, 1);
    this.#attempt();
  }

  #attempt(): void {
    const { snapshot } = this;
    const isRetry = snapshot.hasRefused && this.#periodUs === null && snapshot.isRetry;
    if (this.#isPlain) {
      if (!isRetry) this.#states.count(this.number, counter.generated, 1);
      this.#submit(snapshot.frame);
      return;
    }
    const outcome = this.#opportunity.build(snapshot.now, isRetry);
    if (outcome === 'passed') this.#pass();
    else if (outcome === 'failed') this.#refused('native_failed');
    else this.#submit(this.#builder.bytes);
  }

  #submit(frame: Uint8Array): void {
    const error = this.#transport.send(this.number, frame);
    if (error === null) this.#accepted();
    else this.#refused(error);
  }

  #pass(): void {
    const { nowUs } = this.#time;
    if (this.#opportunity.isConflict) {
      this.#states.setError(this.number, 'fault_conflict', nowUs);
    }
    this.snapshot.settle();
    this.#freeAtUs = nowUs + this.#minIntervalUs;
  }

  #accepted(): void {
    const time = this.#time;
    time.acceptedUs = this.#clock.monotonicUs();
    if (!this.#isPlain) this.#builder.accepted();
    this.#isInFlight = true;
    this.#submittedUs = time.acceptedUs;
    this.snapshot.settle();
    this.#freeAtUs = time.nowUs + this.#minIntervalUs;
    this.counts.accepted();
  }

  #refused(error: TaskError): void {
    const { nowUs } = this.#time;
    this.#builder.discard();
    this.#states.refused(this.number, error, nowUs);
    this.snapshot.refuse();
    this.#freeAtUs = nowUs + Math.max(this.#minIntervalUs, retryUs);
  }

  #hasValidSignal(): boolean {
    const signals = this.#signals;
    return this.#members.some(({ isActive, signal }) => isActive && signals.isValid(signal));
  }
}
