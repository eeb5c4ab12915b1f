import { maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { can, canErrorExt, canFdError64, idMask } from './blf-layout.ts';
import { errorDetailsLength, putErrorDetails } from './can-error-code.ts';
import {
  appendEvent,
  type BlfObject,
  copyData,
  type EventRows,
  type Outcome,
  outcome,
} from './object-event.ts';

const appendError = (
  rows: EventRows,
  object: BlfObject,
  channel: number,
  id: number,
  length: number,
): Outcome =>
  appendEvent(
    rows,
    object,
    busCode.can,
    eventKindCode.rx_frame,
    channel,
    id,
    frameFlag.error,
    length,
    length,
    0,
  );

/** An error by the code of a controller; the frame that it struck is not told. */
const appendCode = (
  rows: EventRows,
  object: BlfObject,
  channel: number,
  flags: number,
  code: number,
): Outcome => {
  const id = putErrorDetails(flags, code, rows.batch.payload, rows.batch.count * maxFdLength);
  return appendError(rows, object, channel, id, id === 0 ? 0 : errorDetailsLength);
};

export const decodeCanError = (object: BlfObject, rows: EventRows): Outcome => {
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + can.flags) return outcome.tooShort;
  return appendError(rows, object, object.window.view.getUint16(body + can.channel, true), 0, 0);
};

/**
 * With flags, the code tells the error, and id and data are those of the frame it struck. Without
 * any, id and data are the report of SocketCAN: so python-can writes them, and so do we.
 */
export const decodeCanErrorExt = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  const room = object.size - object.headerSize - canErrorExt.data;
  if (room < 0) return outcome.tooShort;
  const channel = view.getUint16(body + canErrorExt.channel, true);
  const flags = view.getUint32(body + canErrorExt.flags, true);
  if (flags !== 0) {
    return appendCode(rows, object, channel, flags, view.getUint8(body + canErrorExt.code));
  }
  const length = Math.min(view.getUint8(body + canErrorExt.dlc) & 0x0f, maxClassicLength);
  if (room < length) return outcome.tooShort;
  copyData(rows, object, body + canErrorExt.data, length, length);
  const id = view.getUint32(body + canErrorExt.id, true) & idMask;
  return appendError(rows, object, channel, id, length);
};

export const decodeCanFdError64 = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + canFdError64.data) return outcome.tooShort;
  return appendCode(
    rows,
    object,
    view.getUint8(body + canFdError64.channel),
    view.getUint16(body + canFdError64.flags, true),
    view.getUint8(body + canFdError64.code),
  );
};
