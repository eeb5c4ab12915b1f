import { noPayload, type Pdu } from '../pdu.ts';

export const samplePdu = (more: Partial<Pdu> = {}): Pdu => ({
  protocol: 'j1939',
  channel: 0,
  firstEventId: 1,
  lastEventId: 1,
  timestampUs: 0,
  durationUs: 0,
  frames: 1,
  length: 0,
  payload: noPayload,
  status: 'complete',
  findings: [],
  pgn: 0xef00,
  source: 0,
  destination: 255,
  priority: 6,
  acknowledged: null,
  id: null,
  extended: null,
  address: null,
  ...more,
});
