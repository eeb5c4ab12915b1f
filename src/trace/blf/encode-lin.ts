import { maxFdLength } from '../../frame/dlc.ts';
import { eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { type TraceBatch, traceDetail } from '../trace-batch.ts';
import { setTimeNs } from '../uint64.ts';
import {
  checksumModel,
  checksumModelVersion,
  direction,
  lin,
  lin2,
  linSleep,
  linSleepFlag,
  objectType,
} from './blf-layout.ts';
import type { ContainerWriter, EncodeRow } from './container-writer.ts';
import { putData } from './encode-can.ts';

const bodySize = { message: 152, sendError: 72, syncError: 40, wakeUp: 24, sleep: 8 } as const;
const unknownReason = 0x40;
const sleepFrameReason = 1;

const isSent = (batch: TraceBatch, row: number): boolean =>
  batch.kind[row] === eventKindCode.tx_complete;

type BeginObject = (
  to: ContainerWriter,
  type: number,
  size: number,
  batch: TraceBatch,
  row: number,
  timeNs: number,
) => number;

const beginEvent: BeginObject = (to, type, size, batch, row, timeNs) => {
  const body = to.begin(type, size, timeNs, checksumModelVersion);
  setTimeNs(to.view, body + lin2.startOfFrame, timeNs);
  to.view.setUint16(body + lin2.channel, batch.channel[row] as number, true);
  return body;
};

/** Errors do not contain the model, except the one with a flag. */
const modelOf = (batch: TraceBatch, row: number): number => {
  const flags = batch.flags[row] as number;
  if ((flags & frameFlag.enhancedChecksum) !== 0) return checksumModel.enhanced;
  const isUnreported =
    (flags & (frameFlag.noResponse | frameFlag.error)) !== 0 ||
    ((batch.detail[row] as number) & traceDetail.noModel) !== 0;
  return isUnreported ? checksumModel.unknown : checksumModel.classic;
};

const beginFrame: BeginObject = (to, type, size, batch, row, timeNs) => {
  const body = beginEvent(to, type, size, batch, row, timeNs);
  const { view } = to;
  view.setUint8(body + lin2.id, batch.id[row] as number);
  view.setUint8(body + lin2.dlc, batch.dlc[row] as number);
  view.setUint8(body + lin2.checksumModel, modelOf(batch, row));
  return body;
};

const encodeMessage = (
  to: ContainerWriter,
  type: number,
  batch: TraceBatch,
  row: number,
  timeNs: number,
): void => {
  const body = beginFrame(to, type, bodySize.message, batch, row, timeNs);
  putData(to, body + lin2.data, batch, row);
  to.view.setUint8(body + lin2.checksum, batch.checksum[row] as number);
  to.view.setUint8(body + lin2.direction, isSent(batch, row) ? direction.tx : direction.rx);
};

const encodeReceiveError: EncodeRow = (to, batch, row, timeNs) => {
  const type = objectType.linReceiveError2;
  const body = beginFrame(to, type, bodySize.message, batch, row, timeNs);
  to.view.setUint8(body + lin2.errorState, unknownReason);
  const hasId = ((batch.detail[row] as number) & traceDetail.noId) === 0;
  to.view.setUint8(body + lin2.errorIsFull, hasId ? 1 : 0);
  if (batch.length[row] === 0) return;
  putData(to, body + lin2.data, batch, row);
  to.view.setUint8(body + lin2.errorHasData, 1);
};

const isSyncError = (batch: TraceBatch, row: number): boolean =>
  ((batch.detail[row] as number) & traceDetail.syncError) !== 0;

/** Written as an object, it would read back as a break alone. */
export const isSyncErrorWithoutEdges = (batch: TraceBatch, row: number): boolean => {
  if (!isSyncError(batch, row)) return false;
  const from = row * maxFdLength;
  const end = from + (batch.length[row] as number);
  for (let i = from; i < end; i++) if (batch.payload[i] !== 0) return false;
  return true;
};

const encodeSyncError: EncodeRow = (to, batch, row, timeNs) => {
  const type = objectType.linSyncError2;
  const body = beginEvent(to, type, bodySize.syncError, batch, row, timeNs);
  putData(to, body + lin2.syncEdges, batch, row);
};

const encodeWakeUp: EncodeRow = (to, batch, row, timeNs) => {
  const body = beginEvent(to, objectType.linWakeUp2, bodySize.wakeUp, batch, row, timeNs);
  to.view.setUint8(body + lin2.wakeUpExternal, isSent(batch, row) ? 0 : 1);
  if (batch.length[row] === 0) return;
  to.view.setUint8(body + lin2.wakeUpByte, batch.payload[row * maxFdLength] as number);
};

const encodeSleep = (to: ContainerWriter, batch: TraceBatch, row: number, timeNs: number): void => {
  const body = to.begin(objectType.linSleep, bodySize.sleep, timeNs);
  to.view.setUint16(body + lin.channel, batch.channel[row] as number, true);
  to.view.setUint8(body + linSleep.reason, sleepFrameReason);
  to.view.setUint8(body + linSleep.flags, linSleepFlag.wasAwake | linSleepFlag.external);
};

export const encodeLin: EncodeRow = (to, batch, row, timeNs) => {
  const flags = batch.flags[row] as number;
  if ((flags & frameFlag.wakeUp) !== 0) {
    encodeWakeUp(to, batch, row, timeNs);
  } else if ((flags & frameFlag.syncBreak) !== 0 || isSyncError(batch, row)) {
    encodeSyncError(to, batch, row, timeNs);
  } else if ((flags & frameFlag.noResponse) !== 0) {
    beginFrame(to, objectType.linSendError2, bodySize.sendError, batch, row, timeNs);
  } else if ((flags & frameFlag.error) !== 0) {
    encodeReceiveError(to, batch, row, timeNs);
  } else if ((flags & frameFlag.checksumError) !== 0) {
    encodeMessage(to, objectType.linCrcError2, batch, row, timeNs);
  } else if ((flags & frameFlag.sleep) !== 0 && batch.length[row] === 0) {
    encodeSleep(to, batch, row, timeNs);
  } else {
    encodeMessage(to, objectType.linMessage2, batch, row, timeNs);
  }
};
