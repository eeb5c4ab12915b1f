import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import type { TaskError } from '../values/task-error.ts';
import type { HotPart } from './generated/hot-parts.ts';
import type { TaskFaults } from './task-faults.ts';

/** Least time between two attempts for what was not taken: what is refused for good does not hammer. */
export const retryUs = 100_000;

export const never = Number.POSITIVE_INFINITY;

/** A task as the engine runs it. */
export interface EngineTask extends HeapEntry {
  readonly number: number;
  readonly faults: TaskFaults;
  /** When it has to be served next, whatever happens; Infinity if only something new can make it send. */
  readonly nextUs: number;
  /** It has something to send, whatever its period. */
  readonly isWaiting: boolean;
  /** Parts that functions of their own can take the place of. */
  readonly hotParts: readonly HotPart[];
  start(nowUs: number): void;
  /** Bindings may have changed in this round. */
  refresh(): void;
  /** Sends what is due in this round. */
  serve(): void;
  /** What is under way has got the link. */
  started?(atUs: number): void;
  /** The frame that is under way has its outcome, at `settledUs` of the time; `error` is why it failed. */
  settled(error: TaskError | null): void;
  /** Something is under way, or will be without anything new: its outcome tells how the endpoint is. */
  readonly hasToSend: boolean;
  /** Sends nothing more; what is under way may still have its outcome. */
  stop?(): void;
  /** Notes what is queued, so that what is queued later in the round can be given up. */
  mark?(): void;
  /** Gives up what was queued since `mark`. */
  cancelMarked?(): void;
  /** Nothing more will be heard of what is under way. */
  release(): void;
}
