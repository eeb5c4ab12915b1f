import { canErrorClass } from '../frame/can-error-frame.ts';
import { maxFdLength } from '../frame/dlc.ts';
import {
  errorCountBytes,
  errorCountIn,
  hasErrorCount,
  putErrorCount,
} from '../frame/error-count.ts';
import { busCode, frameFlag } from '../frame/frm2-layout.ts';
import { type TraceBatch, traceDetail } from './trace-batch.ts';

const linErrors = frameFlag.error | frameFlag.checksumError | frameFlag.noResponse;

const stateClasses =
  canErrorClass.controller |
  canErrorClass.busOff |
  canErrorClass.restarted |
  canErrorClass.counters;

export const isDeviceNotice = (batch: TraceBatch, row: number): boolean =>
  ((batch.detail[row] as number) & (traceDetail.deviceLost | traceDetail.deviceReturned)) !== 0;

export const errorFramesAt = (batch: TraceBatch, row: number): number => {
  const flags = batch.flags[row] as number;
  if (isDeviceNotice(batch, row)) return 0;
  if (batch.bus[row] === busCode.lin) return (flags & linErrors) === 0 ? 0 : 1;
  if ((flags & frameFlag.error) === 0) return 0;
  const dlc = batch.dlc[row] as number;
  if (hasErrorCount(flags, dlc, batch.length[row] as number)) {
    return errorCountIn(batch.payload, row * maxFdLength + dlc);
  }
  const id = batch.id[row] as number;
  return id === 0 || (id & ~stateClasses) !== 0 ? 1 : 0;
};

export const errorDetailsAt = (batch: TraceBatch, row: number): number =>
  Math.min(batch.length[row] as number, batch.dlc[row] as number);

export const countErrorFrames = (batch: TraceBatch, row: number, count: number): void => {
  const dlc = batch.dlc[row] as number;
  batch.length[row] = dlc + errorCountBytes;
  putErrorCount(batch.payload, row * maxFdLength + dlc, count);
};

export const countIfError = (batch: TraceBatch, row: number, count: number): void => {
  const isCan = batch.bus[row] !== busCode.lin;
  if (isCan && ((batch.flags[row] as number) & frameFlag.error) !== 0) {
    countErrorFrames(batch, row, count);
  }
};

/** Remark before an error frame that represents several. */
export const errorCountRemark = (count: number): string =>
  `The next error frame stands for ${count} of them`;

const remark = /^The next error frame stands for (\d{1,10}) of them$/;
const maxErrorFrames = 0xffff_ffff;

export const errorCountBy = (text: string): number | undefined => {
  const match = remark.exec(text.trimEnd());
  return match ? Math.min(Number(match[1]), maxErrorFrames) : undefined;
};
