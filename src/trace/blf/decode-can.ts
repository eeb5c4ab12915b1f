import {
  canErrorClass,
  canErrorLength,
  canErrorLocation,
  canProtocolError,
} from '../../frame/can-error-frame.ts';
import { dlcToLength, maxClassicLength, maxDlc, maxFdLength } from '../../frame/dlc.ts';
import { maxStandardId } from '../../frame/frame.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import {
  can,
  canErrorExt,
  canFd,
  canFd64,
  canFd64Flag,
  canFdError64,
  canFdFlag,
  canFlag,
  direction,
  errorCodeFlag,
  extendedIdBit,
  idMask,
} from './blf-layout.ts';
import {
  appendEvent,
  type BlfObject,
  copyData,
  type EventRows,
  kindOf,
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

/** Some writers omit the bit; an identifier this long is extended. */
const idFlags = (word: number): number =>
  (word & extendedIdBit) !== 0 || (word & idMask) > maxStandardId ? frameFlag.extended : 0;

export const decodeCanMessage = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  const room = object.size - object.headerSize - can.data;
  if (room < 0) return outcome.tooShort;
  const bits = view.getUint8(body + can.flags);
  if ((bits & canFlag.directions) === direction.txRequest) return outcome.request;
  const dlc = view.getUint8(body + can.dlc);
  if (dlc > maxDlc) return outcome.badLength;
  const remote = (bits & canFlag.remote) !== 0;
  const length = remote ? 0 : dlcToLength(dlc, false);
  if (room < length) return outcome.tooShort;
  const word = view.getUint32(body + can.id, true);
  copyData(rows, object, body + can.data, length, length);
  return appendEvent(
    rows,
    object,
    busCode.can,
    kindOf(bits & canFlag.directions),
    view.getUint16(body + can.channel, true),
    word & idMask,
    idFlags(word) | (remote ? frameFlag.remote : 0),
    dlc,
    length,
    0,
  );
};

const appendFdEvent = (
  rows: EventRows,
  object: BlfObject,
  kind: number,
  channel: number,
  word: number,
  formatFlags: number,
  dlc: number,
  validBytes: number,
  dataAt: number,
  dataEnd: number,
): Outcome => {
  if (dlc > maxDlc) return outcome.badLength;
  const isFd = (formatFlags & frameFlag.fd) !== 0;
  const remote = (formatFlags & frameFlag.remote) !== 0;
  const length = remote ? 0 : dlcToLength(dlc, isFd);
  // Files omit trailing zeros of the data.
  copyData(rows, object, dataAt, Math.min(length, validBytes, dataEnd - dataAt), length);
  const bus = isFd ? busCode.canfd : busCode.can;
  const flags = idFlags(word) | formatFlags;
  return appendEvent(rows, object, bus, kind, channel, word & idMask, flags, dlc, length, 0);
};

/** FD objects also contain classic frames of an FD channel; only these can be remote. */
const formatFlags = (remote: boolean, edl: boolean, brs: boolean, esi: boolean): number => {
  if (!edl) return remote ? frameFlag.remote : 0;
  return frameFlag.fd | (brs ? frameFlag.brs : 0) | (esi ? frameFlag.esi : 0);
};

export const decodeCanFd = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  const end = object.at + object.size;
  if (end < body + canFd.data) return outcome.tooShort;
  const bits = view.getUint8(body + can.flags);
  if ((bits & canFlag.directions) === direction.txRequest) return outcome.request;
  const fdBits = view.getUint8(body + canFd.fdFlags);
  return appendFdEvent(
    rows,
    object,
    kindOf(bits & canFlag.directions),
    view.getUint16(body + can.channel, true),
    view.getUint32(body + can.id, true),
    formatFlags(
      (bits & canFlag.remote) !== 0,
      (fdBits & canFdFlag.edl) !== 0,
      (fdBits & canFdFlag.brs) !== 0,
      (fdBits & canFdFlag.esi) !== 0,
    ),
    view.getUint8(body + can.dlc),
    view.getUint8(body + canFd.validBytes),
    body + canFd.data,
    end,
  );
};

export const decodeCanFd64 = (object: BlfObject, rows: EventRows): Outcome => {
  const { view } = object.window;
  const body = object.at + object.headerSize;
  const data = body + canFd64.data;
  const end = object.at + object.size;
  if (end < data) return outcome.tooShort;
  const way = view.getUint8(body + canFd64.direction);
  if (way === direction.txRequest) return outcome.request;
  const bits = view.getUint32(body + canFd64.flags, true);
  const extension = object.at + view.getUint8(body + canFd64.extDataOffset);
  return appendFdEvent(
    rows,
    object,
    kindOf(way),
    view.getUint8(body + canFd64.channel),
    view.getUint32(body + canFd64.id, true),
    formatFlags(
      (bits & canFd64Flag.remote) !== 0,
      (bits & canFd64Flag.edl) !== 0,
      (bits & canFd64Flag.brs) !== 0,
      (bits & canFd64Flag.esi) !== 0,
    ),
    view.getUint8(body + canFd64.dlc),
    view.getUint8(body + canFd64.validBytes),
    data,
    extension >= data && extension < end ? extension : end,
  );
};
