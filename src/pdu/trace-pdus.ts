import { maxFdLength } from '../frame/dlc.ts';
import { busCode, frameFlag } from '../frame/frm2-layout.ts';
import type { TraceBatch } from '../trace/trace-batch.ts';
import { isPduId, Reassembler, type ReassemblerOptions } from './j1939/reassembler.ts';
import type { Pdu } from './pdu.ts';

const shapes = frameFlag.extended | frameFlag.remote | frameFlag.error | frameFlag.fd;

/**
 * PDUs of a trace, in the order in which they end. A transfer to one address ends with its
 * acknowledgement, unless that is not awaited. Event ids are the numbers of the events from 1; channels are numbers of CAN
 * channels.
 */
export class TracePdus {
  readonly #startUs: number;
  readonly #reassembler: Reassembler;
  #events = 0;
  #lastUs = Number.NEGATIVE_INFINITY;

  constructor(
    startUnixUs: number | null,
    onPdu: (pdu: Pdu) => void,
    { awaitsAcknowledgement = true }: Pick<ReassemblerOptions, 'awaitsAcknowledgement'> = {},
  ) {
    this.#startUs = startUnixUs ?? 0;
    this.#reassembler = new Reassembler({ onPdu, awaitsAcknowledgement });
  }

  take(batch: TraceBatch): void {
    let gap = 0;
    for (let row = 0; row < batch.count; row++) {
      this.#events += 1;
      for (; batch.gaps[gap] !== undefined && (batch.gaps[gap]?.row as number) <= row; gap++) {
        this.#reassembler.missed(this.#events);
      }
      this.#takeRow(batch, row);
    }
    if (gap < batch.gaps.length) this.#reassembler.missed(this.#events + 1);
    const last = batch.count - 1;
    if (last >= 0) this.#lastUs = Math.max(this.#lastUs, this.#timeOf(batch, last));
  }

  end(): void {
    this.#reassembler.expire(this.#lastUs);
    this.#reassembler.close();
  }

  #takeRow(batch: TraceBatch, row: number): void {
    if (((batch.flags[row] as number) & shapes) !== frameFlag.extended) return;
    const id = batch.id[row] as number;
    if (!isPduId(id) || batch.bus[row] === busCode.lin) return;
    this.#reassembler.take(
      batch.channel[row] as number,
      batch.kind[row] as number,
      id,
      batch.payload,
      row * maxFdLength,
      batch.length[row] as number,
      this.#timeOf(batch, row),
      this.#events,
    );
  }

  #timeOf(batch: TraceBatch, row: number): number {
    return this.#startUs + Math.floor((batch.timeNs[row] as number) / 1000);
  }
}
