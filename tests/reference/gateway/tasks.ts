import { bitsOfRaw } from './codecs.ts';
import { decide, type FaultDecision, type FaultRule, rearm } from './faults.ts';
import type { FrameBuilder } from './frames.ts';
import type { Output, Outputs } from './outputs.ts';
import type { MessageRow, TaskRow } from './project.ts';
import type { TaskEntry } from './script.ts';
import { isValid } from './signals.ts';
import { createCounts } from './task-counts.ts';
import { Timings } from './timings.ts';

/** Hands a frame to the bus; the code of the refusal, or null if it was accepted. */
export type Submit = (task: TaskRow, message: MessageRow, data: Uint8Array) => string | null;

/** What became of an opportunity: a fault can hold a frame back, which counts as sent. */
type Attempt = 'accepted' | 'refused' | 'held';

const leastRetryUs = 100_000;
const lateUs = 1000;

/** Raws, validity and presence of the bindings of a frame: what a change is a change of. */
const snapshotOf = (active: readonly Output[]): string =>
  active
    .map(({ row, codec, raw, valid }) => `${row.id}=${bitsOfRaw(codec, raw)}${valid ? '' : '!'}`)
    .join(' ');

/** A task that sends a CAN message. */
export class Task {
  readonly row: TaskRow;
  readonly message: MessageRow;
  error: string | null = null;
  readonly #rules: readonly FaultRule[];
  readonly #outputs: Outputs;
  readonly #frames: FrameBuilder;
  readonly #submit: Submit;

  readonly #counts = createCounts();
  readonly #sourceAge = new Timings();
  readonly #completionWait = new Timings();

  #startUs = 0;
  /** The last due time on the grid that was looked at. */
  #lastDue = -1;
  /** When the frame in flight was submitted. */
  #inFlightUs: number | null = null;
  #active: readonly Output[] = [];
  #snapshot: string | null = null;
  /** The snapshot was accepted, or taken by a fault. */
  #isTaken = false;
  /** On change: what was sent last, when, and when a retry may be. */
  #remembered: string | null = null;
  #acceptedUs: number | null = null;
  #retryUs = 0;
  #refused: { readonly snapshot: string | null; readonly decision: FaultDecision } | null = null;

  constructor(
    row: TaskRow,
    message: MessageRow,
    rules: readonly FaultRule[],
    outputs: Outputs,
    frames: FrameBuilder,
    submit: Submit,
  ) {
    this.row = row;
    this.message = message;
    this.#rules = rules;
    this.#outputs = outputs;
    this.#frames = frames;
    this.#submit = submit;
  }

  get #isOnChange(): boolean {
    return this.row.policy === 'on_change';
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
    this.#frames.start();
    this.#rules.forEach(rearm);
  }

  /** What was in flight when everything stopped will not be heard of any more. */
  abandon(): void {
    if (this.#inFlightUs !== null) this.#counts.unconfirmed += 1;
    this.#inFlightUs = null;
  }

  /** The bus says what became of the frame in flight. */
  complete(isSent: boolean, atUs: number): void {
    if (this.#inFlightUs === null) return;
    this.#completionWait.add(atUs - this.#inFlightUs);
    this.#inFlightUs = null;
    if (isSent) {
      this.#counts.sent += 1;
      this.error = null;
      return;
    }
    this.#counts.failed += 1;
    this.error = 'tx_failed';
    this.#remembered = null;
    this.#retryUs = atUs + Math.max(this.#minIntervalUs, leastRetryUs);
  }

  round(nowUs: number): void {
    this.#active = this.#outputs.activeOf(this.message);
    if (this.#isOnChange && !this.#active.some(({ hasBeenValid }) => hasBeenValid)) return;
    this.#look();
    if (this.#isOnChange) this.#sendChange(nowUs);
    else this.#sendPeriodic(nowUs);
  }

  /** Counts what was replaced before it was accepted. */
  #look(): void {
    const snapshot = snapshotOf(this.#active);
    if (snapshot === this.#snapshot) return;
    if (this.#snapshot !== null && !this.#isTaken) this.#counts.coalesced += 1;
    this.#snapshot = snapshot;
    this.#isTaken = false;
  }

  #sendPeriodic(nowUs: number): void {
    const periodUs = 1000 * (this.row.period_ms ?? this.message.period_ms ?? 0);
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
    const attempt = this.#attempt(decide(this.#rules), false, nowUs);
    if (attempt !== 'refused') this.#isTaken = true;
  }

  #sendChange(nowUs: number): void {
    const isTooSoon =
      nowUs < this.#retryUs ||
      (this.#acceptedUs !== null && nowUs < this.#acceptedUs + this.#minIntervalUs);
    if (this.#inFlightUs !== null || isTooSoon || this.#snapshot === this.#remembered) return;
    const isRetry = this.#refused !== null && this.#refused.snapshot === this.#snapshot;
    const decision = isRetry && this.#refused ? this.#refused.decision : decide(this.#rules);
    if (this.#attempt(decision, isRetry, nowUs) === 'refused') {
      this.#remembered = null;
      this.#retryUs = nowUs + Math.max(this.#minIntervalUs, leastRetryUs);
      this.#refused = { snapshot: this.#snapshot, decision };
      return;
    }
    this.#isTaken = true;
    this.#remembered = this.#snapshot;
    this.#acceptedUs = nowUs;
    this.#refused = null;
  }

  /** Builds what the decision says and submits it. A retry is the same opportunity: not counted. */
  #attempt(decision: FaultDecision, isRetry: boolean, nowUs: number): Attempt {
    const count = (name: 'generated' | 'injected' | 'unprotected' | 'repeated'): void => {
      if (!isRetry) this.#counts[name] += 1;
    };
    switch (decision.kind) {
      case 'conflict':
        this.#counts.faultConflicts += 1;
        this.error = 'fault_conflict';
        return 'held';
      case 'suppress':
        this.#counts.suppressed += 1;
        return 'held';
      case 'drop':
        this.#counts.generated += 1;
        this.#counts.dropped += 1;
        this.#frames.commit(this.#frames.protect([]));
        return 'held';
      case 'repeat': {
        const last = this.#frames.lastUnaltered;
        if (last === undefined) {
          this.#counts.suppressed += 1;
          return 'held';
        }
        count('repeated');
        return this.#hand(last, nowUs);
      }
      case 'bypass':
        count('unprotected');
        return this.#hand(this.#frames.bypass(), nowUs);
      default: {
        const frame = this.#frames.protect(decision.overrides);
        count('generated');
        if (decision.kind === 'override') count('injected');
        const attempt = this.#hand(frame.data, nowUs);
        if (attempt === 'accepted') {
          this.#frames.commit(frame);
          this.#frames.remember(frame);
        }
        return attempt;
      }
    }
  }

  #hand(data: Uint8Array, nowUs: number): Attempt {
    const refusal = this.#submit(this.row, this.message, data);
    if (refusal !== null) {
      this.error = refusal;
      return 'refused';
    }
    this.#counts.accepted += 1;
    this.#inFlightUs = nowUs;
    const times = this.#active.flatMap(({ signal }) =>
      isValid(signal) && signal.observedUs !== null ? [signal.observedUs] : [],
    );
    if (times.length > 0) this.#sourceAge.add(nowUs - Math.min(...times));
    return 'accepted';
  }

  entry(): TaskEntry {
    const { accepted, sent, failed } = this.#counts;
    return {
      id: this.row.id,
      ...this.#counts,
      pending: accepted - sent - failed,
      error: this.error,
      sourceAge: this.#sourceAge.entry(),
      completionWait: this.#completionWait.entry(),
    };
  }
}
