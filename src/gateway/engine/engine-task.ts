import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import type { TaskError } from '../values/task-error.ts';
import type { HotPart } from './generated/hot-parts.ts';
import type { TaskFaults } from './task-faults.ts';

/** Minimum time between two attempts after a refusal. */
export const retryUs = 100_000;

export const never = Number.POSITIVE_INFINITY;

/** A task of the engine. */
export interface EngineTask extends HeapEntry {
  readonly number: number;
  readonly faults: TaskFaults;
  /** Its next deadline; Infinity if only a change can make it send. */
  readonly nextUs: number;
  /** It has something to send, regardless of its period. */
  readonly isWaiting: boolean;
  readonly hotParts: readonly HotPart[];
  start(nowUs: number): void;
  /** Bindings may have changed in this round. */
  refresh(): void;
  serve(): void;
  /** The request got the link. */
  started?(atUs: number): void;
  /** Outcome of the frame in flight, at `settledUs`; `error` is the reason of a failure. */
  settled(error: TaskError | null): void;
  /** Something is in flight or due, so its outcome will show the state of the endpoint. */
  readonly hasToSend: boolean;
  stop?(): void;
  /** Marks the queue, so that later entries of the round can be cancelled. */
  mark?(): void;
  /** Cancels entries since `mark`. */
  cancelMarked?(): void;
  release(): void;
}
