import {
  dlcToLength,
  isFrameLength,
  lengthToDlc,
  maxClassicLength,
  maxDlc,
  maxFdLength,
} from '../../frame/dlc.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { TraceBatch } from '../trace-batch.ts';
import { type AscLine, badData, badDlc, invalid, type LineOutcome, taken } from './asc-line.ts';
import { putRow } from './frame-row.ts';

/** Columns of CAN FD and CAN XL lines; all but lengths are hex. */

export const ascFlag = { remote: 0x10, fd: 0x1000, brs: 0x2000, esi: 0x4000 } as const;

export const badChannel = invalid('The channel is not a number');
export const noDirection = invalid('Rx or Tx is missing after the channel');
export const badFormat = invalid('The frame format is unknown');

const zero = 0x30;
const blank = 0x20;

export const takeChannel = (line: AscLine): number => {
  const channel = line.skipBlanks() ? line.takeDecimal() : -1;
  return channel <= 0xffff ? channel : -1;
};

export const takeBit = (line: AscLine): number => {
  if (!line.skipBlanks()) return -1;
  const bit = (line.bytes[line.at] as number) - zero;
  if ((bit !== 0 && bit !== 1) || (line.bytes[line.at + 1] as number) > blank) return -1;
  line.at++;
  return bit;
};

export const takeFlags = (line: AscLine, columnsBefore: number): number => {
  line.skipBlanks();
  for (let i = 0; i < columnsBefore; i++) if (!line.skipToken()) return -1;
  return line.takeHex();
};

export const takePayload = (line: AscLine, batch: TraceBatch): LineOutcome => {
  const dlc = line.skipBlanks() ? line.takeHex() : -1;
  const length = line.skipBlanks() ? line.takeDecimal() : -1;
  if (dlc < 0 || dlc > maxDlc || length < 0) return badDlc;
  if (dlcToLength(dlc, true) !== length && !isFrameLength(length, true)) return badDlc;
  const row = batch.count;
  if (!line.takeHexBytes(batch.payload, row * maxFdLength, length)) return badData;
  batch.dlc[row] = dlc;
  batch.length[row] = length;
  return taken;
};

export const putFrame = (
  line: AscLine,
  batch: TraceBatch,
  channel: number,
  kind: number,
  flags: number,
): LineOutcome => {
  const row = batch.count;
  const fd = (flags & frameFlag.fd) !== 0;
  const isRemote = (flags & frameFlag.remote) !== 0;
  const length = isRemote ? 0 : (batch.length[row] as number);
  if (!fd && length > maxClassicLength) return badDlc;
  let dlc = batch.dlc[row] as number;
  // The data bytes are present, so a DLC that does not match them is wrong.
  if (!isRemote && dlcToLength(dlc, fd) !== length) dlc = lengthToDlc(length, fd);
  const bus = fd ? busCode.canfd : busCode.can;
  const extended = line.isExtended ? frameFlag.extended : 0;
  putRow(batch, bus, kind, channel, line.id, flags | extended, dlc, length);
  return taken;
};
