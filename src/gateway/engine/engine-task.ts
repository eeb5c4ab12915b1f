import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import type { TaskError } from '../values/task-error.ts';
import type { HotPart } from './generated/hot-parts.ts';
import type { TaskFaults } from './task-faults.ts';

/** Minimum time between two attempts after the transport rejected a frame. */
export const retryUs = 100_000;

export const never = Number.POSITIVE_INFINITY;

export interface EngineTask extends HeapEntry {
  readonly number: number;
  readonly faults: TaskFaults;
  /** Infinity if only a change can make the task send. */
  readonly nextUs: number;
  /** True if the task has something to send, regardless of its period. */
  readonly isWaiting: boolean;
  readonly hotParts: readonly HotPart[];
  start(nowUs: number): void;
  refresh(): void;
  serve(): void;
  started?(atUs: number): void;
  settled(error: TaskError | null): void;
  /**
   * True if something is in flight or due, so that its outcome will show the state of the endpoint.
   */
  readonly hasToSend: boolean;
  stop?(): void;
  mark?(): void;
  cancelMarked?(): void;
  release(): void;
}
