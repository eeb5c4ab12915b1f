import { type Libc, loadLibc, requestFifo } from '../../base/native/libc.ts';
import { niceThisThread } from '../../base/native/this-thread.ts';
import type { Port } from '../../base/threads/rpc-port.ts';
import type { RealtimeState } from '../../operations/health.ts';
import type { ThreadName } from './supervisor.ts';

const niceness = {
  // Preferred over clients, which can retry.
  recorder: 3,
  client: 5,
  // After other client work.
  builder: 10,
  decoder: 10,
} satisfies Partial<Record<ThreadName, number>>;

export const takeNiceness = (thread: keyof typeof niceness): void => {
  niceThisThread(niceness[thread]);
};

/**
 * SCHED_FIFO priority of threads that the bench thread may wait for: below its own, above
 * ordinary work.
 */
export const ceilingPriority = 10;

/**
 * A port from a thread with lower priority to the bench thread. Node holds the port's lock
 * while it wakes the receiver, which then waits for that lock. Ordinary work could preempt the
 * sender meanwhile, so the sender gets the ceiling priority for the call.
 */
export const raisedPort = (
  port: Port,
  { requestFifo, leaveFifo }: Pick<Libc, 'requestFifo' | 'leaveFifo'>,
): Port => ({
  postMessage(message, transfer) {
    requestFifo(ceilingPriority);
    try {
      port.postMessage(message, transfer);
    } finally {
      leaveFifo();
    }
  },
  on: (event, listener) => port.on(event, listener),
});

export const benchPort = async (port: Port, isRealtime: boolean): Promise<Port> => {
  if (!isRealtime) return port;
  const loaded = await loadLibc();
  return loaded.available ? raisedPort(port, loaded.libc) : port;
};

/** SCHED_FIFO priority of the bench thread: below the kernel's own threads. */
const benchPriority = 20;

/** Shortest slice of Linux: the thread preempts others when it wakes. */
const sliceNs = 100_000;

interface RealtimeOptions {
  /** V8's compiler threads, which a collection waits for. */
  readonly compilerThreads?: readonly number[] | undefined;
  readonly onRefused: (reason: string) => void;
}

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

  async shortenSlices(): Promise<void> {
    const loaded = await loadLibc();
    if (loaded.available) loaded.libc.requestSlice(sliceNs);
  }
}
