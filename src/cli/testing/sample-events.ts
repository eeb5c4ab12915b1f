import { encodeFrm2, type Frm2Event } from '../../frame/frm2-event.ts';

const usual: Frm2Event = {
  bus: 'can',
  kind: 'rx_frame',
  channel: 0,
  dlc: 4,
  id: 0x123,
  flags: 0,
  status: 0,
  eventId: 1,
  sourceSequence: 1,
  streamEpoch: 0,
  timestampUs: 1_699_999_999_123_456,
  hardwareSequence: 0,
  filterHit: 0,
  checksum: 0,
  data: Uint8Array.of(0xde, 0xad, 0xbe, 0xef),
};

/** A record as sent by the daemon: by default a frame on channel 0. */
export const sampleRecord = (change: Partial<Frm2Event> = {}): Uint8Array =>
  encodeFrm2({ ...usual, ...change });

export const sampleChannel = { slot: 0, selector: 'SIM00001/0', name: null };
