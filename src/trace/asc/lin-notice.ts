import { maxFdLength } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { maxLinLength } from '../../frame/lin.ts';
import { asciiWord } from '../text/line-cursor.ts';
import { type TraceBatch, traceDetail } from '../trace-batch.ts';
import {
  type AscLine,
  type LineOutcome,
  passedOver,
  requested,
  skippedAs,
  taken,
  txRequest,
} from './asc-line.ts';
import { putLinNotice } from './frame-row.ts';

const receiveErrorWord = asciiWord('rcverror');
const syncErrorWord = asciiWord('syncerror');
const wakeUpWord = asciiWord('wakeupframe');
const sleepWord = asciiWord('sleepmodeevent');
const enteringWord = asciiWord('entering');
const hasDataWord = asciiWord('hasdatabytes');
const equalsWord = asciiWord('=');

const otherEvents = passedOver({
  statistic: 'statistics',
  baudrate: 'lin_baud_rate',
  unexpected: 'lin_unexpected_wake_up',
  dlcinfo: 'lin_dlc_info',
  csinfo: 'lin_checksum_info',
  shortorslowresponse: 'lin_slow_response',
  spike: 'lin_spike',
  dominant: 'lin_long_dominant',
  longdominant: 'lin_long_dominant',
  disturbance: 'lin_disturbance',
  schedmod: 'lin_schedule',
  slavetimeout: 'lin_slave_timeout',
});
const awake = skippedAs('lin_awake');

const closingBracket = 0x29;
const blank = 0x20;
const zero = 0x30;
const edgeCount = 4;
const maxEdge = 0xffff;

export const otherLinEvent = (line: AscLine): LineOutcome | undefined =>
  otherEvents.find(({ word }) => line.startsWith(word))?.outcome;

export const linNotice = (
  batch: TraceBatch,
  channel: number,
  id: number,
  flags: number,
  detail = 0,
): LineOutcome => {
  putLinNotice(batch, channel, id, flags);
  batch.detail[batch.count] = detail;
  return taken;
};

const takeSyncError = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome => {
  const row = batch.count;
  linNotice(batch, channel, 0, frameFlag.error, traceDetail.noId | traceDetail.syncError);
  for (let i = 0, at = row * maxFdLength; i < edgeCount; i++, at += 2) {
    const edge = line.skipBlanks() ? line.takeDecimal() : -1;
    if (edge < 0 || edge > maxEdge) return taken;
    batch.payload[at] = edge & 0xff;
    batch.payload[at + 1] = edge >> 8;
  }
  batch.length[row] = 2 * edgeCount;
  return taken;
};

const takeWakeUp = (line: AscLine, batch: TraceBatch, channel: number): LineOutcome => {
  const row = batch.count;
  const kind = line.skipBlanks() ? line.takeDirection() : 0;
  if (kind === requested) return txRequest;
  linNotice(batch, channel, 0, frameFlag.wakeUp);
  if (kind !== 0) batch.kind[row] = kind;
  const byte = line.skipBlanks() ? line.takeNumber() : 0;
  if (byte > 0 && byte <= 0xff) {
    batch.payload[row * maxFdLength] = byte;
    batch.dlc[row] = 1;
    batch.length[row] = 1;
  }
  return taken;
};

/** Parses a one-digit length, which some tools follow with a bracket; 0 without one. */
export const takeErrorLength = (line: AscLine): number => {
  const length = (line.bytes[line.at] as number) - zero;
  const behind = line.bytes[line.at + 1] as number;
  const isLength = length >= 0 && length <= maxLinLength;
  return isLength && (behind <= blank || behind === closingBracket) ? length : 0;
};

const takeReceived = (line: AscLine, batch: TraceBatch, dlc: number): void => {
  const row = batch.count;
  batch.dlc[row] = dlc;
  while (line.skipBlanks()) {
    if (!line.takeWord(hasDataWord)) line.at = line.tokenEnd();
    else if (line.skipBlanks() && line.takeWord(equalsWord) && line.skipBlanks()) {
      const hasData = line.takeDecimal() === 1;
      if (hasData && line.takeBytes(batch.payload, row * maxFdLength, dlc)) batch.length[row] = dlc;
      return;
    }
  }
};

export const takeReceiveError = (
  line: AscLine,
  batch: TraceBatch,
  channel: number,
  length: number,
): LineOutcome | undefined => {
  if (!line.startsWith(receiveErrorWord)) return undefined;
  linNotice(batch, channel, line.id, frameFlag.error);
  takeReceived(line, batch, length);
  return taken;
};

export const takeLinNotice = (
  line: AscLine,
  batch: TraceBatch,
  channel: number,
): LineOutcome | undefined => {
  if (line.startsWith(receiveErrorWord)) {
    return linNotice(batch, channel, 0, frameFlag.error, traceDetail.noId);
  }
  if (line.takeWord(syncErrorWord)) return takeSyncError(line, batch, channel);
  if (line.takeWord(wakeUpWord)) return takeWakeUp(line, batch, channel);
  if (line.takeWord(sleepWord)) {
    line.skipBlanks();
    const isEntering = line.skipToken() && line.takeWord(enteringWord);
    return isEntering ? linNotice(batch, channel, 0, frameFlag.sleep) : awake;
  }
  return otherLinEvent(line);
};
