import { asciiWord } from '../text/line-cursor.ts';
import type { TraceBatch } from '../trace-batch.ts';
import { type AscLine, invalid, type LineOutcome, passedOver, skippedAs } from './asc-line.ts';
import { takeCanLine } from './can-line.ts';
import { takeCanFdLine } from './canfd-line.ts';
import { takeCanXlLine } from './canxl-line.ts';
import { takeChipStatus } from './chip-status.ts';
import { takeLinLine } from './lin-line.ts';

const canWord = asciiWord('can');
const canFdWord = asciiWord('canfd');
const canXlWord = asciiWord('canxl');
const firstLinWord = asciiWord('li');

const otherEvents = passedOver({
  'sv:': 'system_variable',
  'comment:': 'comment',
  start: 'marker',
  log: 'trigger',
  trigger: 'trigger',
  eth: 'ethernet',
  fr: 'flexray',
});
const otherEvent = skippedAs('other');
const otherStatus = skippedAs('status');

const noEvent = invalid('Nothing follows the channel');
const badChannel = invalid('The channel is out of range');
const zero = 0x30;
const nine = 0x39;
const lowerL = 0x6c;
const lowerCase = 0x20;
const maxChannel = 0xffff;

const takeCanStatus = (line: AscLine, batch: TraceBatch): LineOutcome => {
  const channel = line.skipBlanks() ? line.takeDecimal() : -1;
  if (channel < 0 || channel > maxChannel || !line.skipBlanks()) return otherStatus;
  return takeChipStatus(line, batch, channel);
};

/**
 * Parses the event after the time of a line. CAN channels are numbers; LIN channels have an L
 * prefix, or Li for the first.
 */
export const takeEvent = (line: AscLine, batch: TraceBatch): LineOutcome => {
  const first = line.bytes[line.at] as number;
  if (first >= zero && first <= nine) {
    const channel = line.takeDecimal();
    if (channel > maxChannel) return badChannel;
    if (channel < 0) return otherEvent;
    return line.skipBlanks() ? takeCanLine(line, batch, channel) : noEvent;
  }
  if (line.takeWord(canFdWord)) return takeCanFdLine(line, batch);
  if ((first | lowerCase) === lowerL) {
    if (line.takeWord(firstLinWord)) return takeLinLine(line, batch, 1);
    line.at++;
    const channel = line.takeDecimal();
    if (channel > maxChannel) return badChannel;
    if (channel >= 0) return takeLinLine(line, batch, channel);
    line.at--;
  }
  if (line.takeWord(canXlWord)) return takeCanXlLine(line, batch);
  if (line.takeWord(canWord)) return takeCanStatus(line, batch);
  for (const { word, outcome } of otherEvents) if (line.takeWord(word)) return outcome;
  return otherEvent;
};
