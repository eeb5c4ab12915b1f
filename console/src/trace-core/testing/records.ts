import {
  busCode,
  eventKindCode,
  frameFlag,
  frm2,
  frm2HeaderLength,
} from '../../../../src/frame/frm2-layout.ts';
import type { MessageEvent } from '../../api/client.ts';
import { bytesOf } from '../../codec/testing/models.ts';
import { FrameChunk } from '../frame-chunk.ts';

interface RecordFields {
  readonly eventId?: number;
  readonly sequence?: number;
  readonly epoch?: number;
  readonly timestampUs?: number;
  readonly channel?: number;
  readonly kind?: number;
  readonly bus?: number;
  readonly id?: number;
  readonly flags?: number;
  readonly status?: number;
  readonly dlc?: number;
  readonly checksum?: number;
  readonly data?: string;
}

/** An FRM2 record as the service sends it. */
export const aRecord = (fields: RecordFields = {}): DataView => {
  const data = bytesOf(fields.data ?? '');
  const view = new DataView(new ArrayBuffer(frm2HeaderLength + data.length));
  view.setUint32(frm2.magic, 0x46524d32);
  view.setUint8(frm2.version, 2);
  view.setUint8(frm2.headerLength, 64);
  view.setUint8(frm2.bus, fields.bus ?? busCode.can);
  view.setUint8(frm2.eventKind, fields.kind ?? eventKindCode.rx_frame);
  view.setUint16(frm2.channel, fields.channel ?? 0);
  view.setUint8(frm2.payloadLength, data.length);
  view.setUint8(frm2.dlc, fields.dlc ?? data.length);
  view.setUint32(frm2.id, fields.id ?? 0x100);
  const flags = fields.flags ?? 0;
  view.setUint32(frm2.flags, flags);
  view.setUint32(frm2.status, fields.status ?? ((flags & frameFlag.error) === 0 ? 0 : 1));
  view.setBigUint64(frm2.eventId, BigInt(fields.eventId ?? 1));
  view.setBigUint64(frm2.sourceSequence, BigInt(fields.sequence ?? fields.eventId ?? 1));
  view.setBigUint64(frm2.streamEpoch, BigInt(fields.epoch ?? 1));
  view.setBigUint64(frm2.timestampUs, BigInt(fields.timestampUs ?? 0));
  view.setUint8(frm2.checksum, fields.checksum ?? 0);
  new Uint8Array(view.buffer, frm2HeaderLength).set(data);
  return view;
};

/** An event as in the history. */
export const anEvent = (given: Partial<MessageEvent> = {}): MessageEvent => ({
  event_id: 1,
  source_sequence: 1,
  stream_epoch: 1,
  kind: 'rx_frame',
  bus: 'can',
  channel: 0,
  selector: 'SIM00001/0',
  id: 0x100,
  extended: false,
  remote: false,
  fd: false,
  brs: false,
  esi: false,
  error: false,
  dlc: 0,
  data: '',
  flags: 0,
  status: 0,
  timestamp_us: 0,
  hardware_sequence: 0,
  filter_hit: 0,
  checksum: 0,
  ...given,
});

/** A chunk with these frames. */
export const aChunk = (...records: RecordFields[]): FrameChunk => {
  const chunk = new FrameChunk(Math.max(1, records.length));
  for (const fields of records) chunk.addRecord(aRecord(fields));
  return chunk;
};

export const { extended, remote, fd, brs, error } = frameFlag;
