import { type CancelReason, withCancelReason } from '../../operations/cancellation.ts';

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
