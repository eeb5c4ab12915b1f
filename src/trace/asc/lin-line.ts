import { maxFdLength } from '../../frame/dlc.ts';
import { maxLinId } from '../../frame/frame.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { isSleepFrame, linChecksum, maxLinLength } from '../../frame/lin.ts';
import { asciiWord } from '../text/line-cursor.ts';
import type { TraceBatch } from '../trace-batch.ts';
import {
  type AscLine,
  badData,
  badDlc,
  badId,
  flawed,
  type LineOutcome,
  requested,
  skippedAs,
  symbolic,
  taken,
  txRequest,
} from './asc-line.ts';
import { putLinNotice, putRow } from './frame-row.ts';

const checksumErrorWord = asciiWord('cserr');
const noResponseWord = asciiWord('transmerr');
const receiveErrorWord = asciiWord('rcverror');
const syncErrorWord = asciiWord('syncerror');
const wakeUpWord = asciiWord('wakeupframe');
const sleepWord = asciiWord('sleepmodeevent');
const enteringWord = asciiWord('entering');
const checksumWord = asciiWord('checksum');
const modelWord = asciiWord('csm');
const equalsWord = asciiWord('=');
const unknownWord = asciiWord('unknown');
const enhancedWord = asciiWord('enhanced');

/** What else a LIN channel reports, by how its name begins. */
const otherEvents = [
  ['statistic', 'statistics'],
  ['baudrate', 'lin_baud_rate'],
  ['unexpected', 'lin_unexpected_wake_up'],
  ['dlcinfo', 'lin_dlc_info'],
  ['csinfo', 'lin_checksum_info'],
  ['shortorslowresponse', 'lin_short_or_slow_response'],
  ['spike', 'lin_spike'],
  ['longdominant', 'lin_long_dominant'],
  ['disturbance', 'lin_disturbance'],
  ['schedmode', 'lin_schedule_mode'],
].map(([word = '', skipped = '']) => ({ word: asciiWord(word), outcome: skippedAs(skipped) }));
const awake = skippedAs('lin_sleep_mode');
const otherEvent = skippedAs('lin_other');
const incomplete = flawed('The line ends behind the channel or the identifier');

const openingBracket = 0x28;
const nine = 0x39;

const otherEventAt = (line: AscLine): LineOutcome | undefined =>
  otherEvents.find(({ word }) => line.startsWith(word))?.outcome;

const notice = (batch: TraceBatch, channel: number, id: number, flags: number): LineOutcome => {
  putLinNotice(batch, channel, id, flags);
  return taken;
};

/** Events that concern no identifier; undefined if the line has one. */
const takeNotice = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome | undefined => {
  if (line.startsWith(receiveErrorWord) || line.takeWord(syncErrorWord)) {
    return notice(batch, channel, 0, frameFlag.error);
  }
  if (line.takeWord(wakeUpWord)) {
    const kind = line.skipBlanks() ? line.takeDirection() : 0;
    if (kind === requested) return txRequest;
    notice(batch, channel, 0, frameFlag.wakeUp);
    if (kind !== 0) batch.kind[batch.count] = kind;
    return taken;
  }
  if (line.takeWord(sleepWord)) {
    line.skipBlanks();
    const isEntering = line.skipToken() && line.takeWord(enteringWord);
    return isEntering ? notice(batch, channel, 0, frameFlag.sleep) : awake;
  }
  return otherEventAt(line);
};

/** Which checksum model the line tells, or the checksum itself where it does not tell one. */
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
        if (!line.takeWord(unknownWord)) isEnhanced = line.takeWord(enhancedWord);
      }
    } else line.at = line.tokenEnd();
  }
  if (checksum >= 0) {
    batch.checksum[row] = checksum;
    const from = row * maxFdLength;
    isEnhanced ??=
      checksum !== linChecksum(false, id, batch.payload, from, length) &&
      checksum === linChecksum(true, id, batch.payload, from, length);
  }
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

/** What is told of the identifier that was taken. */
const takeEvent = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome => {
  if (!line.skipBlanks()) return incomplete;
  if (line.takeWord(noResponseWord)) {
    return notice(batch, channel, line.id, frameFlag.noResponse);
  }
  const flags = line.takeWord(checksumErrorWord) ? frameFlag.checksumError : 0;
  line.skipBlanks();
  const kind = line.takeDirection();
  if (kind === requested) return txRequest;
  if (kind !== 0) return takeMessage(line, batch, channel, kind, flags);
  const event = otherEventAt(line);
  if (event !== undefined) return event;
  // A length stands before errors of the response, and some tools close a bracket behind it.
  if (!line.skipToken()) return incomplete;
  if (!line.startsWith(receiveErrorWord)) return otherEventAt(line) ?? otherEvent;
  return notice(batch, channel, line.id, frameFlag.error);
};

/** A line of LIN, from behind its channel on. */
export const takeLinLine = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome => {
  if (!line.skipBlanks()) return incomplete;
  const outcome = takeNotice(line, batch, channel);
  if (outcome !== undefined) return outcome;
  if (line.bytes[line.at] === openingBracket) line.at++;
  const nameAt = line.at;
  const nameEnd = line.tokenEnd();
  const isNumeral = (line.bytes[nameAt] as number) <= nine;
  line.id = line.takeNumber();
  let isKnown = line.id >= 0 && line.id <= maxLinId;
  if (!isKnown && isNumeral) return badId;
  isKnown ||= line.lookUp(nameAt, nameEnd) && line.id <= maxLinId;
  line.at = nameEnd;
  const event = takeEvent(line, batch, channel);
  return event === taken && !isKnown ? symbolic : event;
};
