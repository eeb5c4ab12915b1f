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
} from './frm2-layout.ts';

/** FRM2 record as an object, for code outside the hot path. */
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

export const busNames: readonly Bus[] = namesOf(busCode);
export const eventKindNames: readonly EventKind[] = namesOf(eventKindCode);

/** Reads a trusted record without checking it. */
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
