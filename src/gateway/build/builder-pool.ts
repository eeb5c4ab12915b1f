import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type Port, type Remote, RpcPort } from '../../base/threads/rpc-port.ts';
import type { BuilderRpc } from './builder-contract.ts';

export interface BuilderThread extends Port {
  terminate(): Promise<unknown>;
}

const endedEarly = (thrown: unknown): BusbarError => {
  if ((thrown as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new BusbarError('capacity_exceeded', {
      message: 'The project exceeds the memory limit for loading',
      details: { limit: 'build_memory' },
      retryable: false,
      cause: thrown,
    });
  }
  return new BusbarError('internal_error', {
    message: 'The thread that reads projects ended unexpectedly',
    cause: thrown,
  });
};

/**
 * Reads, builds and writes projects one at a time, each in its own thread. The thread's memory
 * is freed when it exits.
 */
export class BuilderPool {
  readonly #startThread: () => BuilderThread;
  readonly #onDefect: (thrown: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor(startThread: () => BuilderThread, onDefect: (thrown: unknown) => void) {
    this.#startThread = startThread;
    this.#onDefect = onDefect;
  }

  run<Result>(work: (builder: Remote<BuilderRpc>) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => this.#runNow(work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #runNow<Result>(work: (builder: Remote<BuilderRpc>) => Promise<Result>): Promise<Result> {
    const thread = this.#startThread();
    const failure = new Promise<never>((_, reject) => {
      thread.on('error', (thrown) => reject(endedEarly(thrown)));
      thread.on('exit', () => reject(endedEarly(undefined)));
    });
    const { remote } = new RpcPort<BuilderRpc>(thread, {}, this.#onDefect);
    try {
      return await Promise.race([work(remote), failure]);
    } finally {
      failure.catch(() => undefined);
      await thread.terminate();
    }
  }
}
