import { maxFdLength } from '../frame/dlc.ts';
import { busCode, frameFlag } from '../frame/frm2-layout.ts';
import { channelKeyAt } from '../trace/channel-key.ts';
import type { TraceBatch } from '../trace/trace-batch.ts';
import { walkRows } from '../trace/trace-gap.ts';
import type { IsotpPair } from './isotp/addressing.ts';
import { IsotpListener } from './isotp/listener.ts';
import { isPduId, Reassembler, type ReassemblerOptions } from './j1939/reassembler.ts';
import type { Pdu } from './pdu.ts';

const shapes = frameFlag.extended | frameFlag.remote | frameFlag.error | frameFlag.fd;

export interface TracePdusOptions extends Pick<ReassemblerOptions, 'awaitsAcknowledgement'> {
  /** Omits ISO-TP and LIN. */
  readonly isJ1939Only?: boolean;
}

/**
 * PDUs of a trace, in the order in which they end. A transfer to one address ends with its
 * acknowledgement, unless that is not awaited. Event ids are the numbers of the events from 1;
 * channels are keys of `channel-key.ts`.
 */
export class TracePdus {
  readonly #startUs: number;
  readonly #reassembler: Reassembler;
  readonly #isotp: IsotpListener | null;
  #events = 0;
  #lastUs = Number.NEGATIVE_INFINITY;

  constructor(
    startUnixUs: number | null,
    onPdu: (pdu: Pdu) => void,
    { awaitsAcknowledgement = true, isJ1939Only = false }: TracePdusOptions = {},
  ) {
    this.#startUs = startUnixUs ?? 0;
    this.#reassembler = new Reassembler({ onPdu, awaitsAcknowledgement });
    this.#isotp = isJ1939Only ? null : new IsotpListener({ onPdu });
  }

  take(batch: TraceBatch): void {
    walkRows(
      batch,
      (row) => this.takeRow(batch, row),
      () => this.missed(),
    );
  }

  /** For callers that read the gaps of a batch themselves. Marks the PDU of the frame. */
  takeRow(batch: TraceBatch, row: number, isMarked = false): void {
    this.#events += 1;
    this.#takeEvent(batch, row, isMarked);
    this.#lastUs = Math.max(this.#lastUs, this.#timeOf(batch, row));
  }

  /** Events before the next row are missing. */
  missed(): void {
    this.#reassembler.missed(this.#events + 1);
    this.#isotp?.missed(this.#events + 1);
  }

  /** Addresses of the bench's ECUs on a channel, by its key. */
  setPairs(channel: number, pairs: readonly IsotpPair[]): void {
    this.#isotp?.setPairs(channel, pairs);
  }

  end(): void {
    this.#reassembler.expire(this.#lastUs);
    this.#reassembler.close();
    this.#isotp?.expire(this.#lastUs);
    this.#isotp?.close(undefined, this.#lastUs);
  }

  #takeEvent(batch: TraceBatch, row: number, isMarked: boolean): void {
    const flags = batch.flags[row] as number;
    const id = batch.id[row] as number;
    const bus = batch.bus[row] as number;
    if ((flags & shapes) === frameFlag.extended && bus !== busCode.lin && isPduId(id)) {
      this.#reassembler.isMarked = isMarked;
      this.#takeJ1939(batch, row, id);
      return;
    }
    const isotp = this.#isotp;
    if (!isotp?.concerns(flags, id, batch.payload, row * maxFdLength)) return;
    const { frame } = isotp;
    // CAN and LIN channels are numbered separately.
    frame.channel = channelKeyAt(batch, row);
    frame.kind = batch.kind[row] as number;
    frame.id = id;
    frame.extended = (flags & frameFlag.extended) !== 0;
    frame.bytes = batch.payload;
    frame.at = row * maxFdLength;
    frame.length = batch.length[row] as number;
    frame.timestampUs = this.#timeOf(batch, row);
    frame.eventId = this.#events;
    frame.isMarked = isMarked;
    isotp.take(bus);
  }

  #takeJ1939(batch: TraceBatch, row: number, id: number): void {
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
