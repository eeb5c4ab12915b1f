import { type AsciiText, asciiText, putAscii, putUint32 } from '../../frame/ascii-writer.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { TraceBatch } from '../trace-batch.ts';
import { directed, hexDigit, putData, putHexNumber } from './row-text.ts';

/** Lines of LIN from behind the time on, written from a row; each returns its end. */

const letterL = 0x4c;

const firstChannel = asciiText('Li ');
const oneBlank = asciiText(' ');
const idColumn = asciiText(' '.repeat(16));
const message = directed('', '     ');
const badMessage = directed('CSErr ', '     ');
const checksumIs = asciiText('  checksum = ');
const enhanced = asciiText('  CSM = enhanced\n');
const classic = asciiText('  CSM = classic\n');
const noResponse = asciiText(' TransmErr\n');
const receiveError = asciiText(' RcvError: unidentified error\n');
const wakeUp = directed('WakeupFrame ', ' 00\n');
const sleep = asciiText('SleepModeEvent 0 entering sleep mode\n');
const syncBreak = asciiText('sync break\n');

const putChannel = (view: DataView, at: number, channel: number): number => {
  if (channel === 1) return putAscii(view, at, firstChannel);
  view.setUint8(at, letterL);
  return putAscii(view, putUint32(view, at + 1, channel), oneBlank);
};

const putMessage = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  const flags = batch.flags[row] as number;
  const isBad = (flags & frameFlag.checksumError) !== 0;
  const isEnhanced = (flags & frameFlag.enhancedChecksum) !== 0;
  const checksum = batch.checksum[row] as number;
  const texts = isBad ? badMessage : message;
  putHexNumber(view, putAscii(view, at, idColumn) - idColumn.length, batch.id[row] as number);
  const dlcAt = putAscii(view, at + idColumn.length, texts[batch.kind[row] as number] as AsciiText);
  view.setUint8(dlcAt, hexDigit((batch.dlc[row] as number) & 15));
  const to = putAscii(view, putData(view, dlcAt + 1, batch, row), checksumIs);
  view.setUint8(to, hexDigit(checksum >> 4));
  view.setUint8(to + 1, hexDigit(checksum & 15));
  return putAscii(view, to + 2, isEnhanced ? enhanced : classic);
};

const putReceiveError = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  const lengthAt = putAscii(view, putHexNumber(view, at, batch.id[row] as number), oneBlank);
  view.setUint8(lengthAt, hexDigit((batch.dlc[row] as number) & 15));
  return putAscii(view, lengthAt + 1, receiveError);
};

export const putLinRow = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  const flags = batch.flags[row] as number;
  const to = putChannel(view, at, batch.channel[row] as number);
  if ((flags & frameFlag.wakeUp) !== 0) {
    return putAscii(view, to, wakeUp[batch.kind[row] as number] as AsciiText);
  }
  if ((flags & frameFlag.noResponse) !== 0) {
    return putAscii(view, putHexNumber(view, to, batch.id[row] as number), noResponse);
  }
  if ((flags & frameFlag.error) !== 0) return putReceiveError(view, to, batch, row);
  if ((flags & frameFlag.syncBreak) !== 0) return putAscii(view, to, syncBreak);
  if ((flags & frameFlag.sleep) !== 0 && batch.length[row] === 0) return putAscii(view, to, sleep);
  return putMessage(view, to, batch, row);
};
