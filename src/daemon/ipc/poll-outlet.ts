import { LimitedStream } from './limited-stream.ts';

/** As much of a result as the stream itself looks at. */
interface PollResult {
  readonly coalesced: number;
}

/** Sends results of polls to a caller of the CLI. Of those that it cannot take, the newest waits. */
export class PollOutlet extends LimitedStream<'shut_down'> {
  #waiting: PollResult | null = null;
  #replaced = 0;

  result(result: PollResult): void {
    if (this.#waiting) this.#replaced += 1;
    this.#waiting = result;
    if (this.isReady) this.flush();
  }

  /** Results that were replaced on the way here count like those replaced before. */
  protected sendRest(): void {
    const result = this.#waiting;
    if (!result) return;
    this.#waiting = null;
    this.delivered += 1;
    this.sink.message({ ...result, coalesced: result.coalesced + this.#replaced });
  }
}
