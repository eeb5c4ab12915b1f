import { Deferred } from '../base/deferred.ts';
import type { BusbarError } from '../base/errors/busbar-error.ts';
import type { LinRead } from './lin-read.ts';
import { withProgress } from './send-failures.ts';
import type { LinResponse } from './send-record.ts';
import type { SendPace } from './send-request.ts';
import type { Submission, Submit } from './submit.ts';

export interface SendProgress {
  readonly accepted: number;
  readonly count: number;
}

export interface BatchParts {
  readonly submission: Submission;
  readonly pace: SendPace;
  readonly startUs: number;
  readonly field: string;
  readonly maxDurationUs?: number | undefined;
  readonly onProgress?: ((progress: SendProgress) => void) | undefined;
}

/**
 * States of a batch:
 *
 * ```
 *       accepted, the next is due later
 *  ready ─────────────────────────────────▶ timed
 *  ▲ ▲ │                                      │
 *  │ └─┼───────────────── due ────────────────┘
 *  │   └─ accepted, expects a response ──▶ reading
 *  └──────── answered, more to send ──────────┘
 *
 *  last frame accepted or answered, or an error: from every state to over
 * ```
 *
 * `batch-send.ts` changes the state; `batch.ts` sets `over`.
 */
export type BatchState = 'ready' | 'timed' | 'reading' | 'over';

const progressGapUs = 100_000;

export class Batch {
  readonly submit: Submit;
  readonly read: LinRead | undefined;
  readonly pace: SendPace;
  readonly field: string;
  readonly maxDurationUs: number;
  state: BatchState = 'ready';
  accepted = 0;
  sinceUs: number;
  readonly #startUs: number;
  readonly #onProgress: BatchParts['onProgress'];
  readonly #done = new Deferred<LinResponse | null>();
  #nextProgressUs: number;

  constructor(parts: BatchParts) {
    this.submit = parts.submission.submit;
    this.read = parts.submission.read;
    this.pace = parts.pace;
    this.field = parts.field;
    this.maxDurationUs = parts.maxDurationUs ?? Number.POSITIVE_INFINITY;
    this.sinceUs = parts.startUs;
    this.#startUs = parts.startUs;
    this.#onProgress = parts.onProgress;
    this.#nextProgressUs = parts.startUs + progressGapUs;
  }

  get isOver(): boolean {
    return this.state === 'over';
  }

  get isComplete(): boolean {
    return this.accepted === this.pace.count;
  }

  /** Due time of the next frame, counted from the start so that lateness does not accumulate. */
  get dueUs(): number {
    return this.#startUs + this.accepted * this.pace.cycleUs;
  }

  /**
   * Time when the batch is abandoned. The duration of a cyclic batch was checked before, so
   * only its last frame can still wait.
   */
  get endUs(): number {
    const graceUs = this.pace.cycleUs > 0 ? this.pace.timeoutUs : 0;
    return this.#startUs + this.maxDurationUs + graceUs;
  }

  get deadlineUs(): number {
    return Math.min(this.sinceUs + this.pace.timeoutUs, this.endUs);
  }

  get response(): Promise<LinResponse | null> {
    return this.#done.promise;
  }

  accept(nowUs: number): void {
    this.accepted += 1;
    const { count } = this.pace;
    if (this.#onProgress === undefined || count === 1) return;
    if (nowUs < this.#nextProgressUs && !this.isComplete) return;
    this.#nextProgressUs = nowUs + progressGapUs;
    this.#onProgress({ accepted: this.accepted, count });
  }

  finish(): void {
    this.state = 'over';
    this.#done.resolve(this.read?.response ?? null);
  }

  fail(error: BusbarError): void {
    // A read without a response failed, not the frame after it.
    const failedIndex = this.state === 'reading' ? this.accepted - 1 : this.accepted;
    this.state = 'over';
    this.#done.reject(withProgress(error, this.accepted, failedIndex));
  }
}
