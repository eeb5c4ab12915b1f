import {
  canErrorClass,
  canErrorLength,
  canErrorLocation,
  canProtocolError,
} from '../../frame/can-error-frame.ts';
import { maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { can, canErrorExt, canFdError64, errorCodeFlag, idMask } from './blf-layout.ts';
import {
  appendEvent,
  type BlfObject,
  copyData,
  type EventRows,
  type Outcome,
  outcome,
} from './object-event.ts';

/**
 * Maps controller error codes to SocketCAN's id and eight bytes; frame positions are numbered
 * as in the SJA1000.
 */

const errorDetailsLength = canErrorLength;

const detail = { protocol: 2, location: 3 } as const;

const { transmitting } = canProtocolError;

const protocolOfKind = Uint8Array.of(0x01, 0x02, 0x04, 0x00);

const coreKind = { crc: 4, acknowledgeDelimiter: 5, noAcknowledge: 7 } as const;

/** Top two bits; the upper one separates errors from missing acknowledgments. */
const coreDirection = { isError: 2, isTransmitting: 1 } as const;

const put = (into: Uint8Array, at: number, protocol: number, place: number): void => {
  into.fill(0, at, at + errorDetailsLength);
  into[at + detail.protocol] = protocol;
  into[at + detail.location] = place;
};

const putSja1000 = (code: number, into: Uint8Array, at: number): number => {
  const isReceiving = (code & 0x20) !== 0;
  const protocol = (protocolOfKind[code >> 6] as number) | (isReceiving ? 0 : transmitting);
  put(into, at, protocol, code & 0x1f);
  return canErrorClass.protocol | canErrorClass.busError;
};

const indexOfCoreKind = (kind: number): number => {
  if (kind === coreKind.crc) return canErrorLocation.crcSequence;
  return kind === coreKind.acknowledgeDelimiter ? canErrorLocation.acknowledgeDelimiter : 0;
};

const putCore = (code: number, into: Uint8Array, at: number): number => {
  const kind = code & 0x3f;
  const way = code >> 6;
  const sent = (way & coreDirection.isTransmitting) !== 0 ? transmitting : 0;
  if ((way & coreDirection.isError) === 0 || kind === coreKind.noAcknowledge) {
    put(into, at, sent, canErrorLocation.acknowledgeSlot);
    return canErrorClass.noAcknowledge | canErrorClass.busError;
  }
  put(into, at, (protocolOfKind[kind] ?? 0) | sent, indexOfCoreKind(kind));
  return canErrorClass.protocol | canErrorClass.busError;
};

export const putErrorDetails = (
  flags: number,
  code: number,
  into: Uint8Array,
  at: number,
): number => {
  if ((flags & errorCodeFlag.vectorCore) !== 0) return putCore(code, into, at);
  return (flags & errorCodeFlag.sja1000) !== 0 ? putSja1000(code, into, at) : 0;
};

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
 * With flags, the code is the error, and id and data belong to the affected frame. Without
 * flags, id and data are SocketCAN's report, as written by python-can and Busbar.
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
