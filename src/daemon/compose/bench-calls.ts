import type { Remote } from '../../base/threads/call-port.ts';
import { cancelReasonOf } from '../../operations/cancellation.ts';
import { type Caller, plainCaller } from '../../operations/dispatcher.ts';
import type { BenchOffer } from './thread-contracts.ts';

/**
 * Calls from the client thread to the bench thread that report progress, which for streams is their
 * records, and end with their caller.
 */
export class BenchCalls {
  readonly #bench: Remote<BenchOffer>;
  readonly #reports = new Map<number, (progress: unknown) => void>();
  #nextCall = 1;

  constructor(bench: Remote<BenchOffer>) {
    this.#bench = bench;
  }

  async invoke(operationId: string, input: unknown, caller: Caller): Promise<unknown> {
    const { signal, report } = caller;
    if (!signal && !report) {
      return this.#bench.invoke(operationId, input, plainCaller(caller), null);
    }
    const call = this.#nextCall++;
    const cancel = (): void => {
      if (signal) void this.#bench.cancel(call, cancelReasonOf(signal));
    };
    signal?.addEventListener('abort', cancel, { once: true });
    if (report) this.#reports.set(call, report);
    try {
      return await this.#bench.invoke(operationId, input, plainCaller(caller), call);
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#reports.delete(call);
    }
  }

  progress(call: number, value: unknown): void {
    this.#reports.get(call)?.(value);
  }
}
