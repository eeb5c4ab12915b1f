import { loadLibc, requestFifo } from '../../base/native/libc.ts';
import type { RealtimeState } from '../../operations/health.ts';
import { ceilingPriority } from './priority-ceiling.ts';

/** The SCHED_FIFO priority of deadlines: above ordinary work, below the kernel's own threads. */
const benchPriority = 20;

/** The shortest slice that Linux grants: a thread with it preempts others as soon as it wakes. */
const sliceNs = 100_000;

interface RealtimeOptions {
  /** Those with which V8 compiles: a collection waits for them. */
  readonly compilerThreads?: readonly number[] | undefined;
  readonly onRefused: (reason: string) => void;
}

/** Real-time scheduling of the bench thread, which has it if it was asked for and granted. */
export class RealtimeScheduling {
  readonly #options: RealtimeOptions;
  #state: RealtimeState = 'off';

  constructor(options: RealtimeOptions) {
    this.#options = options;
  }

  get state(): RealtimeState {
    return this.#state;
  }

  get isActive(): boolean {
    return this.#state === 'active';
  }

  /** Asks for it, for the calling thread and those with which V8 compiles. */
  async enter(): Promise<void> {
    const { compilerThreads = [], onRefused } = this.#options;
    const outcome = await requestFifo(benchPriority);
    if (!outcome.granted) {
      this.#state = 'refused';
      onRefused(outcome.reason);
      return;
    }
    for (const thread of compilerThreads) await requestFifo(ceilingPriority, thread);
    this.#state = 'active';
  }

  /** The closest substitute without real-time scheduling; it needs no privilege. */
  async shortenSlices(): Promise<void> {
    const loaded = await loadLibc();
    if (loaded.available) loaded.libc.requestSlice(sliceNs);
  }
}
