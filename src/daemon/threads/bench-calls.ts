import type { Remote } from '../../base/threads/call-port.ts';
import {
  type CancelReason,
  cancelReasonOf,
  withCancelReason,
} from '../../operations/cancellation.ts';
import {
  type Caller,
  type Dispatcher,
  type PlainCaller,
  plainCaller,
} from '../../operations/dispatcher.ts';

/** What the bench thread does for calls of the client thread. */
export type CallOffer = {
  /** `call` names a call that reports progress and may be cancelled; null where it does neither. */
  invoke(
    operationId: string,
    input: unknown,
    caller: PlainCaller,
    call: number | null,
  ): Promise<unknown>;
  /** The caller waits for that call no longer. */
  cancel(call: number, reason: CancelReason): void;
};

/** Heard of also by a bench thread that answers late. */
export const lateCalls = ['cancel'] as const satisfies readonly (keyof CallOffer)[];

/**
 * Calls from the client thread to the bench thread that report progress, which for streams is their
 * records, and end with their caller.
 */
export class BenchCalls {
  readonly #bench: Remote<CallOffer>;
  readonly #reports = new Map<number, (progress: unknown) => void>();
  #nextCall = 1;

  constructor(bench: Remote<CallOffer>) {
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
      const answer = this.#bench.invoke(operationId, input, plainCaller(caller), call);
      // A signal that was aborted while the call was being prepared reports no further abort.
      if (signal?.aborted) cancel();
      return await answer;
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#reports.delete(call);
    }
  }

  progress(call: number, value: unknown): void {
    this.#reports.get(call)?.(value);
  }
}

/** Calls that can be cancelled while they run, by the number their caller gave them. */
export class RunningCalls {
  readonly #running = new Map<number, AbortController>();

  async run<T>(call: number, carryOut: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#running.set(call, controller);
    try {
      return await carryOut(controller.signal);
    } catch (thrown) {
      throw withCancelReason(thrown, controller.signal);
    } finally {
      // A new client thread counts from the start again.
      if (this.#running.get(call) === controller) this.#running.delete(call);
    }
  }

  cancel(call: number, reason: CancelReason): void {
    this.#running.get(call)?.abort(reason);
  }

  /** The client thread, which made the calls, is gone. */
  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }
}

/** Carries out calls of the client thread; `progress` goes back to it while they run. */
export const offerCalls = (
  dispatcher: Pick<Dispatcher, 'invoke'>,
  calls: RunningCalls,
  progress: (call: number, value: unknown) => void,
): CallOffer => ({
  invoke: (id, input, caller, call) => {
    if (call === null) return dispatcher.invoke(id, input, caller);
    const report = (value: unknown): void => progress(call, value);
    return calls.run(call, (signal) => dispatcher.invoke(id, input, { ...caller, signal, report }));
  },
  cancel: (call, reason) => calls.cancel(call, reason),
});
