import { maxLinId } from '../../frame/frame.ts';
import { eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import {
  checksumModel,
  checksumModelVersion,
  direction,
  lin2,
  objectHeader,
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

const { rx_frame: rx } = eventKindCode;
const dlcMask = 0x0f;

const channelOf = ({ window, at, headerSize }: BlfObject): number =>
  window.view.getUint16(at + headerSize + lin2.channel, true);

const idOf = ({ window, at, headerSize }: BlfObject): number =>
  window.view.getUint8(at + headerSize + lin2.id) & maxLinId;

const dlcOf = ({ window, at, headerSize }: BlfObject): number =>
  window.view.getUint8(at + headerSize + lin2.dlc) & dlcMask;

const modelOf = ({ window: { view }, at, headerSize }: BlfObject): number =>
  view.getUint16(at + objectHeader.objectVersion, true) >= checksumModelVersion
    ? view.getUint8(at + headerSize + lin2.checksumModel)
    : checksumModel.unknown;

export const decodeLin2Message = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + lin2.messageEnd) return outcome.tooShort;
  const way = view.getUint8(body + lin2.direction);
  if (way === direction.txRequest) return outcome.request;
  return appendLinMessage(
    rows,
    object,
    kindOf(way),
    channelOf(object),
    idOf(object),
    dlcOf(object),
    body + lin2.data,
    view.getUint8(body + lin2.checksum),
    modelOf(object),
    object.type === objectType.linCrcError2,
  );
};

export const decodeLin2SendError = (object: BlfObject, rows: EventRows): Outcome => {
  if (object.size < object.headerSize + lin2.sendErrorEnd) return outcome.tooShort;
  const flag = frameFlag.noResponse;
  return appendLinNotice(rows, object, rx, channelOf(object), idOf(object), flag, dlcOf(object));
};

/** Objects of old files do not have the data flag. */
export const decodeLin2ReceiveError = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  const bodySize = object.size - object.headerSize;
  if (bodySize < lin2.receiveErrorEnd) return outcome.tooShort;
  const isFull = view.getUint8(body + lin2.errorIsFull) !== 0;
  const hasData = bodySize > lin2.errorHasData && view.getUint8(body + lin2.errorHasData) !== 0;
  return appendLinReceiveError(
    rows,
    object,
    channelOf(object),
    idOf(object),
    dlcOf(object),
    isFull,
    hasData ? body + lin2.data : 0,
  );
};

export const decodeLin2SyncError = (object: BlfObject, rows: EventRows): Outcome => {
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + lin2.syncErrorEnd) return outcome.tooShort;
  return appendLinSyncError(rows, object, channelOf(object), body + lin2.syncEdges);
};

export const decodeLin2WakeUp = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  if (object.size < object.headerSize + lin2.wakeUpEnd) return outcome.tooShort;
  const byte = view.getUint8(body + lin2.wakeUpByte);
  const isExternal = view.getUint8(body + lin2.wakeUpExternal) !== 0;
  return appendLinWakeUp(rows, object, channelOf(object), byte, isExternal);
};
