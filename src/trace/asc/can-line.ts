import { dlcToLength, isFrameLength, lengthToDlc, maxDlc, maxFdLength } from '../../frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { asciiWord } from '../text/line-cursor.ts';
import type { TraceBatch } from '../trace-batch.ts';
import {
  type AscLine,
  badData,
  badDlc,
  badId,
  invalid,
  type LineOutcome,
  passedOver,
  requested,
  skippedAs,
  symbolic,
  taken,
  txRequest,
} from './asc-line.ts';
import { takeChipStatus } from './chip-status.ts';
import { putErrorFrame, putRow } from './frame-row.ts';

export const errorFrameWord = asciiWord('errorframe');
const statusStart = asciiWord('status:');
const dataWord = asciiWord('d');
const remoteWord = asciiWord('r');

const otherEvents = passedOver({
  'statistic:': 'statistics',
  overloadframe: 'overload_frame',
  j1939tp: 'j1939tp',
});
const otherEvent = skippedAs('other');
const noDirection = invalid('Rx or Tx is missing after the identifier');
const neitherDataNorRemote = invalid('d or r is missing after the direction');

const eventWithoutId = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome | null => {
  if (line.startsWith(errorFrameWord)) {
    putErrorFrame(batch, eventKindCode.rx_frame, channel);
    return taken;
  }
  if (line.startsWith(statusStart)) return takeChipStatus(line, batch, channel);
  for (const { word, outcome } of otherEvents) if (line.takeWord(word)) return outcome;
  return null;
};

/**
 * Parses a data frame from its DLC. Some tools write the CAN FD data length instead: it is over
 * 15, or 12 with 12 bytes following.
 */
const takeData = (line: AscLine, batch: TraceBatch, channel: number, kind: number): LineOutcome => {
  const code = line.skipBlanks() ? line.takeNumber() : -1;
  const isLength = code > maxDlc;
  if (code < 0 || (isLength && !isFrameLength(code, true))) return badDlc;
  const length = isLength ? code : dlcToLength(code, false);
  const to = batch.count * maxFdLength;
  if (length > 0 && !line.takeBytes(batch.payload, to, length)) return badData;
  if (isLength)
    putRow(batch, busCode.canfd, kind, channel, 0, frameFlag.fd, lengthToDlc(code, true), code);
  else if (code === 12 && line.takeBytes(batch.payload, to + length, code - length)) {
    putRow(batch, busCode.canfd, kind, channel, 0, frameFlag.fd, lengthToDlc(code, true), code);
  } else putRow(batch, busCode.can, kind, channel, 0, 0, code, length);
  return taken;
};

/** Files before version 8.5 have no DLC here. */
const takeRemote = (
  line: AscLine,
  batch: TraceBatch,
  channel: number,
  kind: number,
): LineOutcome => {
  const dlc = line.skipBlanks() ? line.takeNumber() : -1;
  if (dlc > maxDlc) return badDlc;
  putRow(batch, busCode.can, kind, channel, 0, frameFlag.remote, Math.max(dlc, 0), 0);
  return taken;
};

export const takeCanLine = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome => {
  const nameAt = line.at;
  const isNumber = line.takeId(line.isHex);
  const nameEnd = isNumber ? nameAt : line.tokenEnd();
  if (!isNumber) {
    const event = eventWithoutId(line, batch, channel);
    if (event !== null) return event;
    line.at = nameEnd;
  } else if (!line.isIdInRange) return badId;
  const kind = line.skipBlanks() ? line.takeDirection() : 0;
  if (kind === 0) return isNumber ? noDirection : otherEvent;
  if (kind === requested) return txRequest;
  line.skipBlanks();
  let outcome = neitherDataNorRemote;
  if (line.takeWord(dataWord)) outcome = takeData(line, batch, channel, kind);
  else if (line.takeWord(remoteWord)) outcome = takeRemote(line, batch, channel, kind);
  if (outcome !== taken) return outcome;
  if (!isNumber) {
    if (!line.resolveName()) return symbolic;
    if (!line.isIdInRange) return badId;
  }
  batch.id[batch.count] = line.id;
  if (line.isExtended)
    batch.flags[batch.count] = (batch.flags[batch.count] as number) | frameFlag.extended;
  return taken;
};
