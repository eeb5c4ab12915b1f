import { canErrorClass } from '../frame/can-error-frame.ts';
import { busCode, frameFlag } from '../frame/frm2-layout.ts';
import { errorFramesAt, isDeviceNotice } from '../trace/error-frames.ts';
import { type TraceBatch, traceDetail } from '../trace/trace-batch.ts';

const errorFlags = frameFlag.error | frameFlag.checksumError | frameFlag.noResponse;
const noticeFlags = frameFlag.syncBreak | frameFlag.wakeUp;

export const rowKind = { frame: 0, error: 1, other: 2 } as const;

/** Most rows are frames: two reads decide. */
export const rowKindAt = (batch: TraceBatch, row: number): number => {
  const flags = batch.flags[row] as number;
  const detail = batch.detail[row] as number;
  if ((flags & (errorFlags | noticeFlags | frameFlag.sleep)) === 0 && detail === 0) {
    return rowKind.frame;
  }
  return unusualKind(batch, row, flags, detail);
};

const unusualKind = (batch: TraceBatch, row: number, flags: number, detail: number): number => {
  if (isDeviceNotice(batch, row)) return rowKind.other;
  if ((flags & errorFlags) !== 0 || (detail & traceDetail.syncError) !== 0) return rowKind.error;
  if ((flags & noticeFlags) !== 0 || (detail & traceDetail.noId) !== 0) return rowKind.other;
  // The go-to-sleep command is a frame; some formats only report that the bus sleeps.
  const isNotice = (flags & frameFlag.sleep) !== 0 && batch.length[row] === 0;
  return isNotice ? rowKind.other : rowKind.frame;
};

/** Of a row of the kind error: a report of a CAN controller's state alone is no error frame. */
export const isErrorFrame = (batch: TraceBatch, row: number): boolean =>
  errorFramesAt(batch, row) > 0;

export const isBusOff = (batch: TraceBatch, row: number): boolean =>
  batch.bus[row] !== busCode.lin &&
  ((batch.flags[row] as number) & frameFlag.error) !== 0 &&
  ((batch.id[row] as number) & canErrorClass.busOff) !== 0;
