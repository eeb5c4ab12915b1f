import { eventKindCode } from '../../frame/frm2-layout.ts';
import { isPduId, Reassembler, type ReassemblerOptions } from '../j1939/reassembler.ts';
import type { Pdu } from '../pdu.ts';

/** A frame as `18ECFF00#200E0002FFCAFE00`, some time after the one before. */
export interface GivenFrame {
  readonly id: number;
  readonly data: Uint8Array;
  readonly afterMs: number;
  readonly kind: number;
}

export const frame = (
  text: string,
  afterMs = 50,
  kind: number = eventKindCode.rx_frame,
): GivenFrame => {
  const [id = '', data = ''] = text.split('#');
  return { id: Number.parseInt(id, 16), data: Buffer.from(data, 'hex'), afterMs, kind };
};

/** A listener on channel 0 whose time starts at 1 s and whose events count from 1. */
export class Listener {
  readonly pdus: Pdu[] = [];
  readonly reassembler: Reassembler;
  timeUs = 1_000_000;
  eventId = 0;

  constructor(options: Omit<ReassemblerOptions, 'onPdu'> = {}) {
    this.reassembler = new Reassembler({ ...options, onPdu: (pdu) => this.pdus.push(pdu) });
  }

  hear(...frames: readonly (GivenFrame | string)[]): this {
    for (const given of frames) {
      const { id, data, afterMs, kind } = typeof given === 'string' ? frame(given) : given;
      this.timeUs += afterMs * 1000;
      this.eventId += 1;
      if (!isPduId(id)) continue;
      const { length } = data;
      this.reassembler.take(0, kind, id, data, 0, length, this.timeUs, this.eventId);
    }
    return this;
  }

  wait(ms: number): this {
    this.timeUs += ms * 1000;
    this.reassembler.expire(this.timeUs);
    return this;
  }

  get statuses(): string[] {
    return this.pdus.map(({ status }) => status);
  }

  get payloads(): string[] {
    return this.pdus
      .filter(({ status }) => status === 'complete')
      .map(({ payload }) => Buffer.from(payload).toString('hex').toUpperCase());
  }

  get findings(): string[] {
    return this.pdus.flatMap(({ findings }) => findings.map(({ code }) => code));
  }
}
