import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { maxDlc, maxFdLength } from './dlc.ts';
import {
  frm2Bus,
  frm2Channel,
  frm2Checksum,
  frm2Dlc,
  frm2EventId,
  frm2EventKind,
  frm2FilterHit,
  frm2Flags,
  frm2HardwareSequence,
  frm2Id,
  frm2PayloadLength,
  frm2SourceSequence,
  frm2Status,
  frm2StreamEpoch,
  frm2TimestampUs,
  setFrm2Checksum,
  setFrm2EventId,
  setFrm2FilterHit,
  setFrm2HardwareSequence,
  setFrm2SourceSequence,
  setFrm2Status,
  setFrm2StreamEpoch,
  setFrm2TimestampUs,
  writeFrm2,
} from './frm2-codec.ts';
import {
  type Bus,
  busCode,
  type EventKind,
  eventKindCode,
  frm2,
  frm2HeaderLength,
  frm2Magic,
  frm2Version,
} from './frm2-layout.ts';

/** FRM2 record as an object, for code off the hot path. */
export interface Frm2Event {
  readonly bus: Bus;
  readonly kind: EventKind;
  readonly channel: number;
  readonly dlc: number;
  readonly id: number;
  readonly flags: number;
  readonly status: number;
  readonly eventId: number;
  readonly sourceSequence: number;
  readonly streamEpoch: number;
  readonly timestampUs: number;
  readonly hardwareSequence: number;
  readonly filterHit: number;
  readonly checksum: number;
  readonly data: Uint8Array;
}

const namesOf = <Name extends string>(codes: Readonly<Record<Name, number>>): readonly Name[] =>
  (Object.keys(codes) as Name[]).reduce<Name[]>((names, name) => {
    names[codes[name]] = name;
    return names;
  }, []);

/** Names by code; unused codes are holes. */
export const busNames: readonly Bus[] = namesOf(busCode);
export const eventKindNames: readonly EventKind[] = namesOf(eventKindCode);

/** Reads a record from our own memory without checking it. */
export const readFrm2 = (view: DataView, at: number): Frm2Event => ({
  bus: busNames[frm2Bus(view, at)] as Bus,
  kind: eventKindNames[frm2EventKind(view, at)] as EventKind,
  channel: frm2Channel(view, at),
  dlc: frm2Dlc(view, at),
  id: frm2Id(view, at),
  flags: frm2Flags(view, at),
  status: frm2Status(view, at),
  eventId: frm2EventId(view, at),
  sourceSequence: frm2SourceSequence(view, at),
  streamEpoch: frm2StreamEpoch(view, at),
  timestampUs: frm2TimestampUs(view, at),
  hardwareSequence: frm2HardwareSequence(view, at),
  filterHit: frm2FilterHit(view, at),
  checksum: frm2Checksum(view, at),
  data: new Uint8Array(
    view.buffer,
    view.byteOffset + at + frm2.payload,
    frm2PayloadLength(view, at),
  ).slice(),
});

export const encodeFrm2 = (event: Frm2Event): Uint8Array => {
  const bytes = new Uint8Array(frm2HeaderLength + event.data.length);
  const view = new DataView(bytes.buffer);
  writeFrm2(
    view,
    0,
    busCode[event.bus],
    eventKindCode[event.kind],
    event.channel,
    event.id,
    event.flags,
    event.dlc,
    event.data,
    0,
    event.data.length,
  );
  setFrm2Status(view, 0, event.status);
  setFrm2EventId(view, 0, event.eventId);
  setFrm2SourceSequence(view, 0, event.sourceSequence);
  setFrm2StreamEpoch(view, 0, event.streamEpoch);
  setFrm2TimestampUs(view, 0, event.timestampUs);
  setFrm2HardwareSequence(view, 0, event.hardwareSequence);
  setFrm2FilterHit(view, 0, event.filterHit);
  setFrm2Checksum(view, 0, event.checksum);
  return bytes;
};

const notFrm2 = (field: string, message: string): BusbarError =>
  invalidArgument(field, `Not an FRM2 record: ${message}`);

const expectCode = (field: string, found: number, expected: number): void => {
  if (found !== expected) throw notFrm2(field, `${field} is ${found}, not ${expected}`);
};

const counters = {
  event_id: frm2EventId,
  source_sequence: frm2SourceSequence,
  stream_epoch: frm2StreamEpoch,
  timestamp_us: frm2TimestampUs,
} as const;

/** Decodes untrusted bytes, which must be exactly one well-formed record. */
export const decodeFrm2 = (bytes: Uint8Array): Frm2Event => {
  if (bytes.length < frm2HeaderLength) {
    throw notFrm2('length', `${bytes.length} bytes hold no header of ${frm2HeaderLength}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(frm2.magic) !== frm2Magic) throw notFrm2('magic', 'the magic is not FRM2');
  expectCode('version', view.getUint8(frm2.version), frm2Version);
  expectCode('header_length', view.getUint8(frm2.headerLength), frm2HeaderLength);
  expectCode('payload_length', frm2PayloadLength(view, 0), bytes.length - frm2HeaderLength);
  expectCode('reserved', view.getUint32(frm2.reserved), 0);
  if (frm2PayloadLength(view, 0) > maxFdLength) {
    throw notFrm2('payload_length', `no frame has more than ${maxFdLength} bytes`);
  }
  if (frm2Dlc(view, 0) > maxDlc) throw notFrm2('dlc', `dlc is above ${maxDlc}`);
  if (!busNames[frm2Bus(view, 0)]) throw notFrm2('bus', `no bus has code ${frm2Bus(view, 0)}`);
  if (!eventKindNames[frm2EventKind(view, 0)]) {
    throw notFrm2('event_kind', `no event kind has code ${frm2EventKind(view, 0)}`);
  }
  for (const [field, read] of Object.entries(counters)) {
    if (!Number.isSafeInteger(read(view, 0))) throw notFrm2(field, `${field} is 2^53 or more`);
  }
  return readFrm2(view, 0);
};
