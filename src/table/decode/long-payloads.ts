import { idOfPdu, isLong } from '../../pdu/long-pdu.ts';
import type { Pdu } from '../../pdu/pdu.ts';
import { TracePdus } from '../../pdu/trace-pdus.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';

/** A J1939 payload that is longer than a frame. */
export interface LongPayload {
  /** Row of its last frame. */
  readonly row: number;
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Reassembles the payloads of a trace, in the order of their last frames. */
export class LongPayloads {
  readonly #pdus: TracePdus;
  #rows = 0;
  #found: LongPayload[] = [];

  constructor(startUnixUs: number | null) {
    this.#pdus = new TracePdus(startUnixUs, (pdu) => this.#add(pdu), {
      awaitsAcknowledgement: false,
      isJ1939Only: true,
    });
  }

  /** Returns the payloads that are complete with a row of the batch. */
  take(batch: TraceBatch): readonly LongPayload[] {
    this.#found = [];
    this.#pdus.take(batch);
    this.#rows += batch.count;
    return this.#found;
  }

  #add(pdu: Pdu): void {
    if (!isLong(pdu)) return;
    const row = pdu.lastEventId - this.#rows - 1;
    this.#found.push({ row, id: idOfPdu(pdu), bytes: pdu.payload });
  }
}
