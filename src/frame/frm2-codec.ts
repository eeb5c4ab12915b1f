/**
 * Accessors for FRM2 records in larger memory, by DataView and record offset. They do not
 * allocate. 64-bit fields stay below 2^53, so plain numbers are exact.
 */
import { maxFdLength } from './dlc.ts';
import { frm2, frm2HeaderLength, frm2Magic, frm2Version } from './frm2-layout.ts';

const twoTo32 = 0x1_0000_0000;
const fixedWord = (frm2Version << 24) | (frm2HeaderLength << 16);

const setUint64 = (view: DataView, at: number, value: number): void => {
  view.setUint32(at, value / twoTo32);
  view.setUint32(at + 4, value);
};

const wordOf = (data: Uint8Array, at: number): number =>
  ((data[at] as number) << 24) |
  ((data[at + 1] as number) << 16) |
  ((data[at + 2] as number) << 8) |
  (data[at + 3] as number);

const getUint64 = (view: DataView, at: number): number =>
  view.getUint32(at) * twoTo32 + view.getUint32(at + 4);

/**
 * Writes the frame part of a record. The setters below write the other fields, which are not
 * cleared here. `bus` and `eventKind` are codes; `length` bytes of `data` start at `from`.
 */
export const writeFrm2Frame = (
  view: DataView,
  at: number,
  bus: number,
  eventKind: number,
  channel: number,
  id: number,
  flags: number,
  dlc: number,
  data: Uint8Array,
  from: number,
  length: number,
): void => {
  view.setUint32(at + frm2.magic, frm2Magic);
  view.setUint32(at + frm2.version, fixedWord | (bus << 8) | eventKind);
  view.setUint32(at + frm2.channel, (channel << 16) | (length << 8) | dlc);
  view.setUint32(at + frm2.id, id);
  view.setUint32(at + frm2.flags, flags);
  const payload = at + frm2.payload;
  let i = 0;
  for (; i + 4 <= length; i += 4) view.setUint32(payload + i, wordOf(data, from + i));
  for (; i < length; i++) view.setUint8(payload + i, data[from + i] as number);
};

/** Writes a whole record with status good and all counters and times 0. */
export const writeFrm2 = (
  view: DataView,
  at: number,
  bus: number,
  eventKind: number,
  channel: number,
  id: number,
  flags: number,
  dlc: number,
  data: Uint8Array,
  from: number,
  length: number,
): void => {
  writeFrm2Frame(view, at, bus, eventKind, channel, id, flags, dlc, data, from, length);
  for (let zeroed = frm2.status; zeroed < frm2.payload; zeroed += 4) {
    view.setUint32(at + zeroed, 0);
  }
};

export const setFrm2Status = (view: DataView, at: number, status: number): void =>
  view.setUint32(at + frm2.status, status);

export const setFrm2EventId = (view: DataView, at: number, eventId: number): void =>
  setUint64(view, at + frm2.eventId, eventId);

export const setFrm2SourceSequence = (view: DataView, at: number, sequence: number): void =>
  setUint64(view, at + frm2.sourceSequence, sequence);

export const setFrm2StreamEpoch = (view: DataView, at: number, epoch: number): void =>
  setUint64(view, at + frm2.streamEpoch, epoch);

/**
 * Inside the daemon a record has no stream epoch; readers add it on output. Until then the field
 * contains the number of the accepted frame that a `tx_complete` belongs to, and 0 in other events.
 */
export const setFrm2TxNumber = setFrm2StreamEpoch;

export const setFrm2TimestampUs = (view: DataView, at: number, timestampUs: number): void =>
  setUint64(view, at + frm2.timestampUs, timestampUs);

/** Writes the fields that the port supplies, and zeros in the reserved bytes after them. */
export const setFrm2PortFields = (
  view: DataView,
  at: number,
  hardwareSequence: number,
  filterHit: number,
  checksum: number,
): void => {
  view.setUint32(
    at + frm2.hardwareSequence,
    (hardwareSequence << 16) | (filterHit << 8) | checksum,
  );
  view.setUint32(at + frm2.reserved, 0);
};

export const setFrm2HardwareSequence = (view: DataView, at: number, sequence: number): void =>
  view.setUint16(at + frm2.hardwareSequence, sequence);

export const setFrm2FilterHit = (view: DataView, at: number, filterHit: number): void =>
  view.setUint8(at + frm2.filterHit, filterHit);

export const setFrm2Checksum = (view: DataView, at: number, checksum: number): void =>
  view.setUint8(at + frm2.checksum, checksum);

export const frm2Bus = (view: DataView, at: number): number => view.getUint8(at + frm2.bus);

export const frm2EventKind = (view: DataView, at: number): number =>
  view.getUint8(at + frm2.eventKind);

export const frm2Channel = (view: DataView, at: number): number =>
  view.getUint16(at + frm2.channel);

export const frm2PayloadLength = (view: DataView, at: number): number =>
  view.getUint8(at + frm2.payloadLength);

export const frm2Dlc = (view: DataView, at: number): number => view.getUint8(at + frm2.dlc);

export const frm2Id = (view: DataView, at: number): number => view.getUint32(at + frm2.id);

export const frm2Flags = (view: DataView, at: number): number => view.getUint32(at + frm2.flags);

export const frm2Status = (view: DataView, at: number): number => view.getUint32(at + frm2.status);

export const frm2EventId = (view: DataView, at: number): number =>
  getUint64(view, at + frm2.eventId);

export const frm2SourceSequence = (view: DataView, at: number): number =>
  getUint64(view, at + frm2.sourceSequence);

export const frm2StreamEpoch = (view: DataView, at: number): number =>
  getUint64(view, at + frm2.streamEpoch);

export const frm2TxNumber = frm2StreamEpoch;

export const frm2TimestampUs = (view: DataView, at: number): number =>
  getUint64(view, at + frm2.timestampUs);

export const frm2HardwareSequence = (view: DataView, at: number): number =>
  view.getUint16(at + frm2.hardwareSequence);

export const frm2FilterHit = (view: DataView, at: number): number =>
  view.getUint8(at + frm2.filterHit);

export const frm2Checksum = (view: DataView, at: number): number =>
  view.getUint8(at + frm2.checksum);

export const frm2Length = (view: DataView, at: number): number =>
  frm2HeaderLength + frm2PayloadLength(view, at);

export const isFrm2 = (record: DataView): boolean =>
  record.byteLength >= frm2HeaderLength &&
  record.getUint32(frm2.magic) === frm2Magic &&
  record.getUint8(frm2.version) === frm2Version &&
  record.getUint8(frm2.headerLength) === frm2HeaderLength &&
  frm2PayloadLength(record, 0) <= maxFdLength &&
  record.byteLength === frm2Length(record, 0);
