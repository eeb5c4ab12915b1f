import type { FifoOutcome } from '../native/libc.ts';

/** The bench thread's first and only message to a metronome. */
export interface MetronomeStart {
  readonly memory: SharedArrayBuffer;
  /** The SCHED_FIFO priority to ask for; without it the thread keeps its ordinary scheduling. */
  readonly fifoPriority?: number;
}

/** A metronome's first message: what the system granted. All later ones are rings. */
export interface MetronomeReport {
  /** Whether the kernel wakes it as exactly as it can. */
  readonly exactTimers: boolean;
  /** Absent where SCHED_FIFO was not asked for. */
  readonly fifo?: FifoOutcome;
}

/** A ring carries nothing: the cheapest message there is. */
export const RING = null;
