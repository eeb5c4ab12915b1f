import {
  frm2EventId,
  frm2Flags,
  frm2Id,
  setFrm2EventId,
  setFrm2TimestampUs,
  writeFrm2,
} from '../../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import type { LongRecord, LongRecords } from '../../frame/long-record.ts';
import { isTransferData } from '../j1939/transport-frames.ts';
import { idOfPdu, isLong } from '../long-pdu.ts';
import { noPayload, type Pdu } from '../pdu.ts';
import type { PduService } from './pdu-service.ts';

const firstPayload = 2048;

/** PDUs as records, so that they are decoded like frames. One record is reused for all. */
export class LongPdus implements LongRecords {
  readonly #pdus: PduService;
  #bytes = new Uint8Array(frm2.payload + firstPayload);

  constructor(pdus: PduService) {
    this.#pdus = pdus;
  }

  follow(listener: (record: LongRecord) => void): () => void {
    return this.#pdus.follow(({ pdu }) => {
      if (isLong(pdu)) listener(this.#recordOf(pdu));
    });
  }

  endingWith(record: DataView, at: number): LongRecord | null {
    if ((frm2Flags(record, at) & frameFlag.extended) === 0) return null;
    if (!isTransferData(frm2Id(record, at))) return null;
    const stored = this.#pdus.endingWith(frm2EventId(record, at));
    return stored ? this.#recordOf(stored.pdu) : null;
  }

  #recordOf(pdu: Pdu): LongRecord {
    const { payload, channel, lastEventId, timestampUs } = pdu;
    const { length } = payload;
    if (this.#bytes.length < frm2.payload + length) {
      this.#bytes = new Uint8Array(frm2.payload + length);
    }
    const id = idOfPdu(pdu);
    const view = new DataView(this.#bytes.buffer);
    const { rx_frame } = eventKindCode;
    writeFrm2(view, 0, busCode.can, rx_frame, channel, id, frameFlag.extended, 0, noPayload, 0, 0);
    setFrm2EventId(view, 0, lastEventId);
    setFrm2TimestampUs(view, 0, timestampUs);
    this.#bytes.set(payload, frm2.payload);
    return { view, length };
  }
}
