import { canErrorClass, canErrorLocation, canProtocolError } from '../../frame/can-error-frame.ts';
import { maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { maxLinLength } from '../../frame/lin.ts';
import { errorDetailsAt, errorFramesAt, isDeviceNotice } from '../error-frames.ts';
import { type TraceBatch, traceDetail } from '../trace-batch.ts';
import { setTimeNs } from '../uint64.ts';
import { checksumModel, errorType } from './mf4-events.ts';
import {
  dlcBit,
  errorField,
  esiBit,
  field,
  type GroupId,
  groupId,
  ideBit,
  linField,
  linSentBit,
} from './our-groups.ts';

export const groupOf = (batch: TraceBatch, row: number): GroupId => {
  const flags = batch.flags[row] as number;
  if (isDeviceNotice(batch, row)) return groupId.device;
  if (batch.bus[row] === busCode.lin) return linGroupOf(batch, row, flags);
  if ((flags & frameFlag.error) !== 0) return groupId.error;
  if ((flags & frameFlag.remote) !== 0) return groupId.remote;
  return (batch.length[row] as number) > maxClassicLength ? groupId.longData : groupId.shortData;
};

const linGroupOf = (batch: TraceBatch, row: number, flags: number): GroupId => {
  if ((flags & frameFlag.wakeUp) !== 0) return groupId.linWakeUp;
  const detail = batch.detail[row] as number;
  if ((flags & frameFlag.syncBreak) !== 0 || (detail & traceDetail.syncError) !== 0) {
    return groupId.linSyncError;
  }
  if ((flags & frameFlag.noResponse) !== 0) return groupId.linNoResponse;
  if ((flags & frameFlag.error) !== 0) return groupId.linReceiveError;
  if ((flags & frameFlag.checksumError) !== 0) return groupId.linChecksumError;
  return (flags & frameFlag.sleep) !== 0 && batch.length[row] === 0
    ? groupId.linSleep
    : groupId.lin;
};

const errorTypeOf = (id: number, protocol: number, location: number): number => {
  if ((id & canErrorClass.noAcknowledge) !== 0) return errorType.acknowledge;
  if ((id & canErrorClass.protocol) === 0) return errorType.other;
  if ((protocol & canProtocolError.bit) !== 0) return errorType.bit;
  if ((protocol & canProtocolError.form) !== 0) return errorType.form;
  if ((protocol & canProtocolError.stuff) !== 0) return errorType.stuff;
  return location === canErrorLocation.crcSequence ? errorType.crc : errorType.other;
};

/** Writes the fields that all frames on CAN have, and their data followed by zeros. */
const putCan = (
  view: DataView,
  bytes: Uint8Array,
  at: number,
  batch: TraceBatch,
  row: number,
  length: number,
  room: number,
): void => {
  const flags = batch.flags[row] as number;
  const ide = (flags & frameFlag.extended) !== 0 ? ideBit : 0;
  view.setUint32(at + field.id, ((batch.id[row] as number) | ide) >>> 0, true);
  bytes[at + field.dlcBits] =
    ((batch.dlc[row] as number) & 0x0f) |
    (batch.kind[row] === eventKindCode.tx_complete ? dlcBit.dir : 0) |
    ((flags & frameFlag.fd) !== 0 ? dlcBit.edl : 0) |
    ((flags & frameFlag.brs) !== 0 ? dlcBit.brs : 0);
  bytes[at + field.lengthBits] = length | ((flags & frameFlag.esi) !== 0 ? esiBit : 0);
  putData(bytes, at + field.data, batch, row, length, room);
};

const putData = (
  bytes: Uint8Array,
  at: number,
  { payload }: TraceBatch,
  row: number,
  length: number,
  room: number,
): void => {
  const from = row * maxFdLength;
  for (let i = 0; i < length; i++) bytes[at + i] = payload[from + i] as number;
  for (let i = length; i < room; i++) bytes[at + i] = 0;
};

/** The count follows the details in the payload and has a member of its own in the record. */
const putError = (
  view: DataView,
  bytes: Uint8Array,
  at: number,
  batch: TraceBatch,
  row: number,
): void => {
  const length = Math.min(errorDetailsAt(batch, row), maxClassicLength);
  putCan(view, bytes, at, batch, row, length, maxClassicLength);
  const from = row * maxFdLength;
  const id = batch.id[row] as number;
  const protocol = length > 2 ? (batch.payload[from + 2] as number) : 0;
  const location = length > 3 ? (batch.payload[from + 3] as number) : 0;
  bytes[at + errorField.errorType] = errorTypeOf(id, protocol, location);
  bytes[at + errorField.detail] = batch.detail[row] as number;
  bytes[at + errorField.bus] = batch.bus[row] as number;
  bytes[at + errorField.counted] = (batch.length[row] as number) > length ? 1 : 0;
  view.setUint32(at + errorField.count, errorFramesAt(batch, row), true);
  view.setUint32(at + errorField.flags, batch.flags[row] as number, true);
};

const putLin = (
  view: DataView,
  bytes: Uint8Array,
  at: number,
  batch: TraceBatch,
  row: number,
): void => {
  const flags = batch.flags[row] as number;
  const detail = batch.detail[row] as number;
  const length = Math.min(batch.length[row] as number, maxLinLength);
  const isSent = batch.kind[row] === eventKindCode.tx_complete;
  bytes[at + linField.idBits] = (batch.id[row] as number) | (isSent ? linSentBit : 0);
  bytes[at + linField.lengths] = length | ((batch.dlc[row] as number) << 4);
  bytes[at + linField.checksum] = batch.checksum[row] as number;
  bytes[at + linField.model] = modelOf(flags, detail);
  bytes[at + linField.detail] = detail;
  bytes[at + linField.detail + 1] = 0;
  putData(bytes, at + linField.data, batch, row, length, maxLinLength);
  view.setUint32(at + linField.flags, flags, true);
};

const modelOf = (flags: number, detail: number): number => {
  if ((flags & frameFlag.enhancedChecksum) !== 0) return checksumModel.enhanced;
  return (detail & traceDetail.noModel) !== 0 ? checksumModel.unknown : checksumModel.classic;
};

/** Writes the record of a row. */
export const encodeRecord = (
  view: DataView,
  bytes: Uint8Array,
  at: number,
  group: GroupId,
  batch: TraceBatch,
  row: number,
  timeNs: number,
): void => {
  setTimeNs(view, at + field.timeNs, timeNs);
  view.setUint16(at + field.channel, batch.channel[row] as number, true);
  switch (group) {
    case groupId.shortData:
      putCan(view, bytes, at, batch, row, batch.length[row] as number, maxClassicLength);
      break;
    case groupId.longData:
      putCan(view, bytes, at, batch, row, batch.length[row] as number, maxFdLength);
      break;
    case groupId.remote:
      putCan(view, bytes, at, batch, row, 0, 0);
      break;
    case groupId.error:
    case groupId.device:
      putError(view, bytes, at, batch, row);
      break;
    default:
      putLin(view, bytes, at, batch, row);
  }
};
