import type { ModbusPoll } from '../../modbus/service/poll-record.ts';
import type { StreamOutlet } from '../../operations/forwarded-streams.ts';
import { LimitedStream } from './limited-stream.ts';

/** As much of a poll's record as the stream itself looks at. */
type PollRecord = Pick<ModbusPoll, 'coalesced'>;

/** Sends results of polls to a caller of the CLI. Of those that it cannot take, the newest waits. */
export class PollOutlet extends LimitedStream<'shut_down'> implements StreamOutlet<PollRecord> {
  #waiting: PollRecord | null = null;
  #replaced = 0;

  record(record: PollRecord): void {
    if (this.#waiting) this.#replaced += 1;
    this.#waiting = record;
    if (this.isReady) this.flush();
  }

  /** Results that were replaced on the way here count like those replaced before. */
  protected sendRest(): void {
    const record = this.#waiting;
    if (!record) return;
    this.#waiting = null;
    this.delivered += 1;
    this.sink.message({ ...record, coalesced: record.coalesced + this.#replaced });
  }
}
