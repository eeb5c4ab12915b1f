import type { Output } from './outputs.ts';
import type { TaskRow } from './project.ts';
import type { Failure, TaskEntry } from './script.ts';
import { isValid } from './signals.ts';
import { createCounts, type FaultCounts } from './task-counts.ts';
import { Timings } from './timings.ts';

/** Result of an opportunity: a fault can drop a frame, which counts as sent. */
export interface Attempt {
  readonly kind: 'accepted' | 'refused' | 'held';
  /** New error of the task. */
  readonly error?: string;
}

/** Output of a task, and its endpoint. */
export interface Sender {
  readonly endpoint: string;
  readonly periodMs: number;
  readonly faultCounts: FaultCounts;
  start(): void;
  /** The bindings that it currently carries. */
  outputs(): readonly Output[];
  /** Raw values, validity and presence: any difference is a change. */
  snapshotOf(outputs: readonly Output[]): string;
  /** Sends the current values. A retry is the same opportunity again. */
  attempt(isRetry: boolean): Attempt;
}

const lossErrors = ['channel_not_open', 'modbus_unreachable'];
const leastRetryUs = 100_000;
const lateUs = 1000;

/** Send times of a task, with its counters and measurements. */
export class Task {
  readonly row: TaskRow;
  error: string | null = null;
  readonly #sender: Sender;

  readonly #counts = createCounts();
  readonly #sourceAge = new Timings();
  readonly #tickToSubmit = new Timings();
  readonly #completionWait = new Timings();
  readonly #queueWait = new Timings();
  readonly #protocolWait = new Timings();

  #startUs = 0;
  /** The last due time on the grid that was checked. */
  #lastDue = -1;
  /** When the pending output was submitted, and when its transmission started. */
  #inFlightUs: number | null = null;
  #startedUs: number | null = null;
  #outputs: readonly Output[] = [];
  #snapshot: string | null = null;
  /** The snapshot was accepted, or dropped by a fault. */
  #isTaken = false;
  /** On change: the last sent values, their time, and the earliest retry. */
  #remembered: string | null = null;
  #acceptedUs: number | null = null;
  #retryUs = 0;
  #refused: string | null = null;

  constructor(row: TaskRow, sender: Sender) {
    this.row = row;
    this.#sender = sender;
  }

  get endpoint(): string {
    return this.#sender.endpoint;
  }

  get #isOnChange(): boolean {
    return this.row.policy === 'on_change';
  }

  get #isReady(): boolean {
    return this.#outputs.some(({ hasBeenValid }) => hasBeenValid);
  }

  get #minIntervalUs(): number {
    return 1000 * (this.row.min_interval_ms ?? 0);
  }

  start(nowUs: number): void {
    this.#startUs = nowUs;
    this.#lastDue = -1;
    this.#inFlightUs = null;
    this.#snapshot = null;
    this.#isTaken = false;
    this.#remembered = null;
    this.#acceptedUs = null;
    this.#retryUs = 0;
    this.#refused = null;
    this.#forgetLoss();
    this.#sender.start();
  }

  /** The endpoint is up again: a task with nothing to send is no longer in error. */
  reconnect(): void {
    const hasToSend = this.#inFlightUs !== null || this.#snapshot !== this.#remembered;
    if (this.#isOnChange && !hasToSend) this.#forgetLoss();
  }

  #forgetLoss(): void {
    if (this.error !== null && lossErrors.includes(this.error)) this.error = null;
  }

  /** Pending frames at a stop have no outcome. */
  abandon(): void {
    if (this.#inFlightUs !== null) this.#counts.unconfirmed += 1;
    this.#inFlightUs = null;
  }

  /** The pending requests start transmission. */
  begin(atUs: number): void {
    if (this.#inFlightUs === null || this.#startedUs !== null) return;
    this.#startedUs = atUs;
    this.#queueWait.add(atUs - this.#inFlightUs);
  }

  /** The bus reports the outcome of the pending output. */
  complete(failure: Failure | null, atUs: number): void {
    if (this.#inFlightUs === null) return;
    this.#completionWait.add(atUs - this.#inFlightUs);
    if (this.#startedUs !== null) this.#protocolWait.add(atUs - this.#startedUs);
    this.#inFlightUs = null;
    if (failure === null) {
      this.#counts.sent += 1;
      this.error = null;
      return;
    }
    this.#counts.failed += 1;
    this.error = failure;
    this.#remembered = null;
    this.#retryUs = atUs + Math.max(this.#minIntervalUs, leastRetryUs);
  }

  round(nowUs: number): void {
    this.#outputs = this.#sender.outputs();
    if (this.#isOnChange && !this.#isReady) return;
    this.#look();
    if (this.#isOnChange) this.#sendChange(nowUs);
    else this.#sendPeriodic(nowUs);
  }

  /** Counts values that were replaced before they were accepted. */
  #look(): void {
    const snapshot = this.#sender.snapshotOf(this.#outputs);
    if (snapshot === this.#snapshot) return;
    if (this.#snapshot !== null && !this.#isTaken) this.#counts.coalesced += 1;
    this.#snapshot = snapshot;
    this.#isTaken = false;
  }

  #sendPeriodic(nowUs: number): void {
    const periodUs = 1000 * this.#sender.periodMs;
    const due = Math.floor((nowUs - this.#startUs) / periodUs);
    const fresh = due - this.#lastDue;
    if (fresh === 0) return;
    this.#lastDue = due;
    if (this.#inFlightUs !== null) {
      this.#counts.missed += fresh;
      return;
    }
    this.#counts.missed += fresh - 1;
    const lateness = nowUs - (this.#startUs + due * periodUs);
    this.#counts.lastLatenessUs = lateness;
    this.#counts.maxLatenessUs = Math.max(this.#counts.maxLatenessUs, lateness);
    if (lateness > lateUs) this.#counts.late += 1;
    if (this.#attempt(false, nowUs) !== 'refused') this.#isTaken = true;
  }

  #sendChange(nowUs: number): void {
    const isTooSoon =
      nowUs < this.#retryUs ||
      (this.#acceptedUs !== null && nowUs < this.#acceptedUs + this.#minIntervalUs);
    if (this.#inFlightUs !== null || isTooSoon || this.#snapshot === this.#remembered) return;
    const isRetry = this.#refused !== null && this.#refused === this.#snapshot;
    if (this.#attempt(isRetry, nowUs) === 'refused') {
      this.#remembered = null;
      this.#retryUs = nowUs + Math.max(this.#minIntervalUs, leastRetryUs);
      this.#refused = this.#snapshot;
      return;
    }
    this.#isTaken = true;
    this.#remembered = this.#snapshot;
    this.#acceptedUs = nowUs;
    this.#refused = null;
  }

  /** Sends the current values, and measures accepted ones. */
  #attempt(isRetry: boolean, nowUs: number): Attempt['kind'] {
    const attempt = this.#sender.attempt(isRetry);
    if (attempt.error !== undefined) this.error = attempt.error;
    if (attempt.kind !== 'accepted') return attempt.kind;
    this.#counts.accepted += 1;
    this.#inFlightUs = nowUs;
    this.#startedUs = null;
    const times = this.#outputs.flatMap(({ signal }) =>
      isValid(signal) && signal.observedUs !== null ? [signal.observedUs] : [],
    );
    if (times.length > 0) this.#sourceAge.add(nowUs - Math.min(...times));
    // A round takes no time here.
    this.#tickToSubmit.add(0);
    return attempt.kind;
  }

  entry(): TaskEntry {
    const { accepted, sent, failed } = this.#counts;
    return {
      id: this.row.id,
      ...this.#counts,
      ...this.#sender.faultCounts,
      pending: accepted - sent - failed,
      error: this.error,
      sourceAge: this.#sourceAge.entry(),
      tickToSubmit: this.#tickToSubmit.entry(),
      completionWait: this.#completionWait.entry(),
      queueWait: this.#queueWait.entry(),
      protocolWait: this.#protocolWait.entry(),
    };
  }
}
