import { dlcToLength, maxDlc } from '../../frame/dlc.ts';
import { maxStandardId } from '../../frame/frame.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import {
  can,
  canFd,
  canFd64,
  canFd64Flag,
  canFdFlag,
  canFlag,
  direction,
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
