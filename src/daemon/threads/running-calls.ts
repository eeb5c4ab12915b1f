import { type CancelReason, withCancelReason } from '../../operations/cancellation.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import type { CallOffer } from './bench-calls.ts';

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
