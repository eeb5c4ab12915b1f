import { maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { errorCountRemark, errorDetailsAt, errorFramesAt } from '../error-frames.ts';
import type { TraceBatch } from '../trace-batch.ts';
import {
  appText,
  busShift,
  can,
  canErrorExt,
  canFd,
  canFd64,
  canFd64Flag,
  canFdFlag,
  canFlag,
  channelShift,
  comment,
  direction,
  extendedIdBit,
  objectType,
  textSource,
  vectorBus,
} from './blf-layout.ts';
import type { ContainerWriter, EncodeRow } from './container-writer.ts';

const fdChannel = 1 << 24;

const encoder = new TextEncoder();

export const encodeComment = (to: ContainerWriter, timeNs: number, text: string): void => {
  const bytes = encoder.encode(text);
  const body = to.begin(objectType.eventComment, comment.text + bytes.length, timeNs);
  to.view.setUint32(body + comment.textLength, bytes.length, true);
  to.bytes.set(bytes, body + comment.text);
};

/** Text about the file, as other programs show it: APP_TEXT of source 0. */
export const encodeRemark = (to: ContainerWriter, timeNs: number, text: string): void => {
  const bytes = encoder.encode(text);
  const body = to.begin(objectType.appText, appText.text + bytes.length, timeNs);
  to.view.setUint32(body + appText.textLength, bytes.length, true);
  to.bytes.set(bytes, body + appText.text);
};

export const encodeChannelName = (
  to: ContainerWriter,
  timeNs: number,
  channel: number,
  bus: number,
  name: string,
): void => {
  const bytes = encoder.encode(`;${name.replaceAll(';', ' ')};`);
  const body = to.begin(objectType.appText, appText.text + bytes.length, timeNs);
  const kind = bus === busCode.lin ? vectorBus.lin : vectorBus.can;
  const info =
    (channel << channelShift) | (kind << busShift) | (bus === busCode.canfd ? fdChannel : 0);
  to.view.setUint32(body + appText.source, textSource.channel, true);
  to.view.setUint32(body + appText.info, info, true);
  to.view.setUint32(body + appText.textLength, bytes.length, true);
  to.bytes.set(bytes, body + appText.text);
};

const classicBodySize = 16;
const maxNarrowChannel = 0xff;

const directionOf = (batch: TraceBatch, row: number): number =>
  batch.kind[row] === eventKindCode.tx_complete ? direction.tx : direction.rx;

const idWordOf = (batch: TraceBatch, row: number): number =>
  (batch.id[row] as number) |
  (((batch.flags[row] as number) & frameFlag.extended) !== 0 ? extendedIdBit : 0);

export const putData = (
  to: ContainerWriter,
  at: number,
  batch: TraceBatch,
  row: number,
  length: number = batch.length[row] as number,
): void => {
  const { bytes } = to;
  const { payload } = batch;
  const from = row * maxFdLength;
  for (let i = 0; i < length; i++) bytes[at + i] = payload[from + i] as number;
};

/** CAN_MESSAGE2 would add a bus duration that drivers do not report. */
const encodeClassic: EncodeRow = (to, batch, row, timeNs) => {
  const body = to.begin(objectType.canMessage, classicBodySize, timeNs);
  const { view } = to;
  const remote = ((batch.flags[row] as number) & frameFlag.remote) !== 0 ? canFlag.remote : 0;
  view.setUint16(body + can.channel, batch.channel[row] as number, true);
  view.setUint8(body + can.flags, directionOf(batch, row) | remote);
  view.setUint8(body + can.dlc, batch.dlc[row] as number);
  view.setUint32(body + can.id, idWordOf(batch, row), true);
  putData(to, body + can.data, batch, row);
};

const encodeFd64 = (to: ContainerWriter, batch: TraceBatch, row: number, timeNs: number): void => {
  const length = batch.length[row] as number;
  const flags = batch.flags[row] as number;
  // Padded to whole words, because readers differ about padding.
  const body = to.begin(objectType.canFdMessage64, canFd64.data + ((length + 3) & ~3), timeNs);
  const { view } = to;
  view.setUint8(body + canFd64.channel, batch.channel[row] as number);
  view.setUint8(body + canFd64.dlc, batch.dlc[row] as number);
  view.setUint8(body + canFd64.validBytes, length);
  view.setUint32(body + canFd64.id, idWordOf(batch, row), true);
  const brs = (flags & frameFlag.brs) !== 0 ? canFd64Flag.brs : 0;
  const esi = (flags & frameFlag.esi) !== 0 ? canFd64Flag.esi : 0;
  view.setUint32(body + canFd64.flags, canFd64Flag.edl | brs | esi, true);
  view.setUint8(body + canFd64.direction, directionOf(batch, row));
  putData(to, body + canFd64.data, batch, row);
};

/** CAN_FD_MESSAGE is used for channel numbers beyond one byte. */
const encodeFd = (to: ContainerWriter, batch: TraceBatch, row: number, timeNs: number): void => {
  const flags = batch.flags[row] as number;
  const body = to.begin(objectType.canFdMessage, canFd.end, timeNs);
  const { view } = to;
  view.setUint16(body + can.channel, batch.channel[row] as number, true);
  view.setUint8(body + can.flags, directionOf(batch, row));
  view.setUint8(body + can.dlc, batch.dlc[row] as number);
  view.setUint32(body + can.id, idWordOf(batch, row), true);
  const brs = (flags & frameFlag.brs) !== 0 ? canFdFlag.brs : 0;
  const esi = (flags & frameFlag.esi) !== 0 ? canFdFlag.esi : 0;
  view.setUint8(body + canFd.fdFlags, canFdFlag.edl | brs | esi);
  view.setUint8(body + canFd.validBytes, batch.length[row] as number);
  putData(to, body + canFd.data, batch, row);
};

/**
 * CAN_ERROR_EXT without flags: id and data are SocketCAN's report. A comment before it contains
 * the count.
 */
const encodeError = (to: ContainerWriter, batch: TraceBatch, row: number, timeNs: number): void => {
  const count = errorFramesAt(batch, row);
  if (count > 1) encodeComment(to, timeNs, errorCountRemark(count));
  const length = Math.min(errorDetailsAt(batch, row), maxClassicLength);
  const body = to.begin(objectType.canErrorExt, canErrorExt.end, timeNs);
  const { view } = to;
  view.setUint16(body + canErrorExt.channel, batch.channel[row] as number, true);
  view.setUint8(body + canErrorExt.dlc, length);
  view.setUint32(body + canErrorExt.id, batch.id[row] as number, true);
  putData(to, body + canErrorExt.data, batch, row, length);
};

export const encodeCan: EncodeRow = (to, batch, row, timeNs) => {
  const flags = batch.flags[row] as number;
  if ((flags & frameFlag.error) !== 0) encodeError(to, batch, row, timeNs);
  else if ((flags & frameFlag.fd) === 0) encodeClassic(to, batch, row, timeNs);
  else if ((batch.channel[row] as number) > maxNarrowChannel) encodeFd(to, batch, row, timeNs);
  else encodeFd64(to, batch, row, timeNs);
};
