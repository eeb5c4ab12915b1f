import { maxFdLength } from '../../frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { isSleepFrame, linChecksum, maxLinLength } from '../../frame/lin.ts';
import { linModelOf } from '../lin-model.ts';
import { traceDetail } from '../trace-batch.ts';
import { checksumModel } from './blf-layout.ts';
import {
  appendEvent,
  type BlfObject,
  copyData,
  type EventRows,
  type Outcome,
  outcome,
} from './object-event.ts';

const { rx_frame: rx, tx_complete: tx } = eventKindCode;
const edgeBytes = 8;

/** The checksum determines the model if the file does not; undefined if it matches neither. */
const isEnhanced = (
  model: number,
  bytes: Uint8Array,
  from: number,
  length: number,
  id: number,
  checksum: number,
): boolean | undefined => {
  if (model === checksumModel.classic) return false;
  if (model === checksumModel.enhanced) return true;
  return linModelOf(checksum, id, bytes, from, length);
};

/** Writers that do not know the checksum leave it at 0. */
const isUnreported = (
  enhanced: boolean | undefined,
  bytes: Uint8Array,
  from: number,
  length: number,
  id: number,
): boolean => enhanced === undefined || linChecksum(enhanced, id, bytes, from, length) !== 0;

export const detailed = ({ batch }: EventRows, detail: number): Outcome => {
  batch.detail[batch.count - 1] = detail;
  return outcome.event;
};

export const appendLinMessage = (
  rows: EventRows,
  object: BlfObject,
  kind: number,
  channel: number,
  id: number,
  length: number,
  dataAt: number,
  checksum: number,
  model: number,
  isWrong: boolean,
): Outcome => {
  if (length > maxLinLength) return outcome.badLength;
  const { bytes } = object.window;
  const enhanced = isEnhanced(model, bytes, dataAt, length, id, checksum);
  const sleeps = !isWrong && isSleepFrame(id, bytes, dataAt, length);
  const flags =
    (enhanced ? frameFlag.enhancedChecksum : 0) |
    (isWrong ? frameFlag.checksumError : 0) |
    (sleeps ? frameFlag.sleep : 0);
  copyData(rows, object, dataAt, length, length);
  appendEvent(rows, object, busCode.lin, kind, channel, id, flags, length, length, checksum);
  const hasNone = checksum === 0 && !isWrong && isUnreported(enhanced, bytes, dataAt, length, id);
  return detailed(
    rows,
    (hasNone ? traceDetail.noChecksum : 0) | (enhanced === undefined ? traceDetail.noModel : 0),
  );
};

export const appendLinNotice = (
  rows: EventRows,
  object: BlfObject,
  kind: number,
  channel: number,
  id: number,
  flags: number,
  dlc: number,
  length = 0,
): Outcome => {
  if (dlc > maxLinLength) return outcome.badLength;
  return appendEvent(rows, object, busCode.lin, kind, channel, id, flags, dlc, length, 0);
};

/**
 * Adds a receive error. In files of Vector's own tools the flag for a full report is not set as
 * documented, so the content decides: a short report with no content contains only the channel.
 */
export const appendLinReceiveError = (
  rows: EventRows,
  object: BlfObject,
  channel: number,
  id: number,
  dlc: number,
  isFull: boolean,
  dataAt = 0,
): Outcome => {
  const hasData = dataAt > 0;
  if (dlc > maxLinLength && (isFull || hasData)) return outcome.badLength;
  const asked = dlc > maxLinLength ? 0 : dlc;
  const length = hasData ? asked : 0;
  if (hasData) copyData(rows, object, dataAt, length, length);
  appendLinNotice(rows, object, rx, channel, id, frameFlag.error, asked, length);
  const isEmpty = !isFull && !hasData && id === 0 && asked === 0;
  return detailed(rows, isEmpty ? traceDetail.noId : 0);
};

/** A break without edges was sent alone; edges mean an invalid sync byte. */
export const appendLinSyncError = (
  rows: EventRows,
  object: BlfObject,
  channel: number,
  edgesAt: number,
): Outcome => {
  const { view } = object.window;
  if (view.getUint32(edgesAt, true) === 0 && view.getUint32(edgesAt + 4, true) === 0) {
    return appendLinNotice(rows, object, rx, channel, 0, frameFlag.syncBreak, 0);
  }
  copyData(rows, object, edgesAt, edgeBytes, edgeBytes);
  appendLinNotice(rows, object, rx, channel, 0, frameFlag.error, 0, edgeBytes);
  return detailed(rows, traceDetail.noId | traceDetail.syncError);
};

export const appendLinWakeUp = (
  rows: EventRows,
  object: BlfObject,
  channel: number,
  byte: number,
  isExternal: boolean,
): Outcome => {
  const length = byte === 0 ? 0 : 1;
  rows.batch.payload[rows.batch.count * maxFdLength] = byte;
  const kind = isExternal ? rx : tx;
  return appendLinNotice(rows, object, kind, channel, 0, frameFlag.wakeUp, length, length);
};
