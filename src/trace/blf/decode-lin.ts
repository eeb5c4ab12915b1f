import { maxLinId } from '../../frame/frame.ts';
import { eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import {
  checksumModel,
  direction,
  lin,
  linReceiveError,
  linSleep,
  linSleepFlag,
  linSyncError,
  linWakeUp,
  objectType,
} from './blf-layout.ts';
import {
  appendLinMessage,
  appendLinNotice,
  appendLinReceiveError,
  appendLinSyncError,
  appendLinWakeUp,
} from './lin-event.ts';
import { type BlfObject, type EventRows, kindOf, type Outcome, outcome } from './object-event.ts';

/** LIN objects of the first generation. */
const { rx_frame: rx } = eventKindCode;

const channelOf = ({ window, at, headerSize }: BlfObject): number =>
  window.view.getUint16(at + headerSize + lin.channel, true);

/** LIN_MESSAGE and LIN_CRC_ERROR. They do not tell the model of the checksum. */
export const decodeLinMessage = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + lin.end) return outcome.tooShort;
  const way = view.getUint8(body + lin.direction);
  if (way === direction.txRequest) return outcome.request;
  return appendLinMessage(
    rows,
    object,
    kindOf(way),
    channelOf(object),
    view.getUint8(body + lin.id) & maxLinId,
    view.getUint8(body + lin.dlc),
    body + lin.data,
    view.getUint8(body + lin.checksum),
    checksumModel.unknown,
    object.type === objectType.linCrcError,
  );
};

export const decodeLinSendError = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + lin.data) return outcome.tooShort;
  const id = view.getUint8(body + lin.id) & maxLinId;
  const asked = view.getUint8(body + lin.dlc);
  return appendLinNotice(rows, object, rx, channelOf(object), id, frameFlag.noResponse, asked);
};

export const decodeLinReceiveError = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + linReceiveError.end) return outcome.tooShort;
  const isFull = view.getUint8(body + linReceiveError.isFull) !== 0;
  const id = view.getUint8(body + lin.id) & maxLinId;
  const dlc = view.getUint8(body + lin.dlc);
  return appendLinReceiveError(rows, object, channelOf(object), id, dlc, isFull);
};

export const decodeLinSyncError = (object: BlfObject, rows: EventRows): Outcome => {
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + linSyncError.end) return outcome.tooShort;
  return appendLinSyncError(rows, object, channelOf(object), body + linSyncError.edges);
};

export const decodeLinWakeUp = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + linWakeUp.end) return outcome.tooShort;
  const byte = view.getUint8(body + linWakeUp.byte);
  const isExternal = view.getUint8(body + linWakeUp.external) !== 0;
  return appendLinWakeUp(rows, object, channelOf(object), byte, isExternal);
};

/** The object tells any change of the bus' state; only falling asleep is an event of its own. */
export const decodeLinSleep = (object: BlfObject, rows: EventRows): Outcome => {
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + linSleep.end) return outcome.tooShort;
  const bits = object.window.view.getUint8(body + linSleep.flags);
  if ((bits & linSleepFlag.isAwake) !== 0) return outcome.passed;
  return appendLinNotice(rows, object, rx, channelOf(object), 0, frameFlag.sleep, 0);
};
