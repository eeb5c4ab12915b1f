import { maxFdLength } from '../../frame/dlc.ts';
import { maxLinId } from '../../frame/frame.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { isSleepFrame, maxLinLength } from '../../frame/lin.ts';
import { linModelOf } from '../lin-model.ts';
import { asciiWord } from '../text/line-cursor.ts';
import { type TraceBatch, traceDetail } from '../trace-batch.ts';
import {
  type AscLine,
  badData,
  badDlc,
  badId,
  invalid,
  type LineOutcome,
  requested,
  skippedAs,
  symbolic,
  taken,
  txRequest,
} from './asc-line.ts';
import { putRow } from './frame-row.ts';
import {
  linNotice,
  otherLinEvent,
  takeErrorLength,
  takeLinNotice,
  takeReceiveError,
} from './lin-notice.ts';

const checksumErrorWord = asciiWord('cserr');
const noResponseWord = asciiWord('transmerr');
const checksumWord = asciiWord('checksum');
const modelWord = asciiWord('csm');
const equalsWord = asciiWord('=');
const enhancedWord = asciiWord('enhanced');
const classicWord = asciiWord('classic');
const standardWord = asciiWord('standard');

const otherEvent = skippedAs('lin_other');
const incomplete = invalid('The line ends after the channel or the identifier');

const openingBracket = 0x28;
const nine = 0x39;

const takeTail = (line: AscLine, batch: TraceBatch): void => {
  const row = batch.count;
  const id = batch.id[row] as number;
  const length = batch.length[row] as number;
  let checksum = -1;
  let isEnhanced: boolean | undefined;
  while (line.skipBlanks()) {
    if (line.takeWord(checksumWord)) {
      if (line.skipBlanks() && line.takeWord(equalsWord) && line.skipBlanks()) {
        checksum = line.takeNumber();
      }
    } else if (line.takeWord(modelWord)) {
      if (line.skipBlanks() && line.takeWord(equalsWord) && line.skipBlanks()) {
        if (line.takeWord(enhancedWord)) isEnhanced = true;
        else if (line.takeWord(classicWord) || line.takeWord(standardWord)) isEnhanced = false;
      }
    } else line.at = line.tokenEnd();
  }
  let detail = 0;
  if (checksum >= 0 && checksum <= 0xff) {
    batch.checksum[row] = checksum;
    isEnhanced ??= linModelOf(checksum, id, batch.payload, row * maxFdLength, length);
  } else detail = traceDetail.noChecksum;
  if (isEnhanced === undefined) detail |= traceDetail.noModel;
  batch.detail[row] = detail;
  if (isEnhanced) batch.flags[row] = (batch.flags[row] as number) | frameFlag.enhancedChecksum;
};

const takeMessage = (
  line: AscLine,
  batch: TraceBatch,
  channel: number,
  kind: number,
  flags: number,
): LineOutcome => {
  const dlc = line.skipBlanks() ? line.takeNumber() : -1;
  if (dlc < 0 || dlc > maxLinLength) return badDlc;
  const from = batch.count * maxFdLength;
  if (!line.takeBytes(batch.payload, from, dlc)) return badData;
  const isSleep = flags === 0 && isSleepFrame(line.id, batch.payload, from, dlc);
  const allFlags = isSleep ? flags | frameFlag.sleep : flags;
  putRow(batch, busCode.lin, kind, channel, line.id, allFlags, dlc, dlc);
  takeTail(line, batch);
  return taken;
};

const takeEvent = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome => {
  if (!line.skipBlanks()) return incomplete;
  if (line.takeWord(noResponseWord)) {
    return linNotice(batch, channel, line.id, frameFlag.noResponse);
  }
  const flags = line.takeWord(checksumErrorWord) ? frameFlag.checksumError : 0;
  line.skipBlanks();
  const kind = line.takeDirection();
  if (kind === requested) return txRequest;
  if (kind !== 0) return takeMessage(line, batch, channel, kind, flags);
  const event = otherLinEvent(line);
  if (event !== undefined) return event;
  // Response errors have a length first.
  const length = takeErrorLength(line);
  if (!line.skipToken()) return incomplete;
  return takeReceiveError(line, batch, channel, length) ?? otherLinEvent(line) ?? otherEvent;
};

export const takeLinLine = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome => {
  if (!line.skipBlanks()) return incomplete;
  const outcome = takeLinNotice(line, batch, channel);
  if (outcome !== undefined) return outcome;
  if (line.bytes[line.at] === openingBracket) line.at++;
  const nameAt = line.at;
  const nameEnd = line.tokenEnd();
  const isNumeral = (line.bytes[nameAt] as number) <= nine;
  line.id = line.takeNumber();
  const isKnown = line.id >= 0 && line.id <= maxLinId;
  if (!isKnown && isNumeral) return badId;
  line.at = nameEnd;
  const event = takeEvent(line, batch, channel);
  return event === taken && !isKnown ? symbolic : event;
};
