import { maxClassicLength } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { asciiWord } from '../text/line-cursor.ts';
import type { TraceBatch } from '../trace-batch.ts';
import {
  type AscLine,
  badId,
  invalid,
  type LineOutcome,
  requested,
  symbolic,
  taken,
  txRequest,
} from './asc-line.ts';
import { errorFrameWord } from './can-line.ts';
import {
  ascFlag,
  badChannel,
  badFormat,
  noDirection,
  putFrame,
  takeBit,
  takeChannel,
  takeFlags,
  takePayload,
} from './fd-columns.ts';
import { putErrorFrame } from './frame-row.ts';

const dataWord = asciiWord('d');
const remoteWord = asciiWord('r');
const badSwitches = invalid('BRS and ESI are not both 0 or 1');
const durationAndBits = 2;

const fdFlags = (brs: number, esi: number): number =>
  frameFlag.fd | (brs === 1 ? frameFlag.brs : 0) | (esi === 1 ? frameFlag.esi : 0);

/**
 * Returns FRM2 flags from the columns; `flags` is −1 if the line is too short. CAN FD channels
 * log classic frames in these lines too; only that column shows it.
 */
const frameFlags = (
  flags: number,
  brs: number,
  esi: number,
  dlc: number,
  length: number,
): number => {
  const isClassic = flags >= 0 && (flags & ascFlag.fd) === 0;
  const isRemote = dlc > 0 || (isClassic && (flags & ascFlag.remote) !== 0);
  if (length === 0 && isRemote) return frameFlag.remote;
  // A flags column that contradicts CAN FD was never filled in.
  if (isClassic && length <= maxClassicLength && brs === 0 && esi === 0) return 0;
  return fdFlags(brs, esi);
};

const takeIdFirst = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome => {
  const kind = line.takeId(true) && line.skipBlanks() ? line.takeDirection() : 0;
  if (kind === 0) return noDirection;
  if (kind === requested) return txRequest;
  if (!line.isIdInRange) return badId;
  const brs = takeBit(line);
  const esi = takeBit(line);
  if (brs < 0 || esi < 0) return badSwitches;
  line.skipBlanks();
  const isRemote = line.takeWord(remoteWord);
  if (!isRemote && !line.takeWord(dataWord)) return badFormat;
  const outcome = takePayload(line, batch);
  if (outcome !== taken) return outcome;
  return putFrame(line, batch, channel, kind, isRemote ? frameFlag.remote : fdFlags(brs, esi));
};

const takeFrame = (
  line: AscLine,
  batch: TraceBatch,
  channel: number,
  kind: number,
): LineOutcome => {
  const nameEnd = line.tokenEnd();
  const isNumber = line.takeId(true);
  if (isNumber && !line.isIdInRange) return badId;
  line.at = nameEnd;
  let brs = takeBit(line);
  if (brs < 0 && line.skipToken()) brs = takeBit(line);
  const esi = takeBit(line);
  if (brs < 0 || esi < 0) return badSwitches;
  const outcome = takePayload(line, batch);
  if (outcome !== taken) return outcome;
  const flags = takeFlags(line, durationAndBits);
  if (!isNumber) {
    if (!line.resolveName()) return symbolic;
    if (!line.isIdInRange) return badId;
  }
  const dlc = batch.dlc[batch.count] as number;
  const length = batch.length[batch.count] as number;
  return putFrame(line, batch, channel, kind, frameFlags(flags, brs, esi, dlc, length));
};

export const takeCanFdLine = (line: AscLine, batch: TraceBatch): LineOutcome => {
  const channel = takeChannel(line);
  if (channel < 0) return badChannel;
  line.skipBlanks();
  const kind = line.takeDirection();
  if (kind === 0) return takeIdFirst(line, batch, channel);
  if (kind === requested) return txRequest;
  line.skipBlanks();
  if (!line.takeWord(errorFrameWord)) return takeFrame(line, batch, channel, kind);
  putErrorFrame(batch, kind, channel);
  return taken;
};
