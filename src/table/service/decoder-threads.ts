import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type Port, type Remote, type RpcMethods, RpcPort } from '../../base/threads/rpc-port.ts';

export interface DecoderThread extends Port {
  terminate(): Promise<unknown>;
}

const threadEnded = (cause: unknown): BusbarError =>
  new BusbarError('internal_error', {
    message: 'A thread that reads the trace ended before it was done',
    cause,
  });

/** Threads that work for a command on parts of a trace. */
export class DecoderThreads<Theirs extends RpcMethods> {
  readonly remotes: readonly Remote<Theirs>[];
  /** Rejects if a thread ends. */
  readonly failure: Promise<never>;
  readonly #threads: readonly DecoderThread[];

  constructor(count: number, start: () => DecoderThread, onDefect: (thrown: unknown) => void) {
    this.#threads = Array.from({ length: count }, start);
    this.failure = new Promise<never>((_, reject) => {
      for (const thread of this.#threads) {
        thread.on('error', (cause: unknown) => reject(threadEnded(cause)));
        thread.on('exit', () => reject(threadEnded(undefined)));
      }
    });
    this.failure.catch(() => undefined);
    this.remotes = this.#threads.map((thread) => new RpcPort<Theirs>(thread, {}, onDefect).remote);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}
