import { type AsciiText, asciiText, putAscii, putUint32 } from '../../frame/ascii-writer.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { type TraceBatch, traceDetail } from '../trace-batch.ts';
import { directed, hexDigit, putData, putHexNumber } from './row-text.ts';

const letterL = 0x4c;

const firstChannel = asciiText('Li ');
const oneBlank = asciiText(' ');
const idColumn = asciiText(' '.repeat(16));
const message = directed('', '     ');
const badMessage = directed('CSErr ', '     ');
const checksumIs = asciiText('  checksum = ');
const enhanced = asciiText('  CSM = enhanced');
const classic = asciiText('  CSM = classic');
const lineEnd = asciiText('\n');
const noResponse = asciiText(' TransmErr\n');
const receiveError = asciiText('RcvError: unidentified error');
const hasData = asciiText('  HasDatabytes = 1');
const syncError = asciiText('SyncError');
const wakeUp = directed('WakeupFrame ', ' ');
const sleep = asciiText('SleepModeEvent 0 entering sleep mode\n');
const syncBreak = asciiText('sync break\n');

const putChannel = (view: DataView, at: number, channel: number): number => {
  if (channel === 1) return putAscii(view, at, firstChannel);
  view.setUint8(at, letterL);
  return putAscii(view, putUint32(view, at + 1, channel), oneBlank);
};

const putByte = (view: DataView, at: number, value: number): number => {
  view.setUint8(at, hexDigit(value >> 4));
  view.setUint8(at + 1, hexDigit(value & 15));
  return at + 2;
};

const putMessage = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  const flags = batch.flags[row] as number;
  const isBad = (flags & frameFlag.checksumError) !== 0;
  const detail = batch.detail[row] as number;
  const texts = isBad ? badMessage : message;
  putHexNumber(view, putAscii(view, at, idColumn) - idColumn.length, batch.id[row] as number);
  const dlcAt = putAscii(view, at + idColumn.length, texts[batch.kind[row] as number] as AsciiText);
  view.setUint8(dlcAt, hexDigit((batch.dlc[row] as number) & 15));
  let to = putData(view, dlcAt + 1, batch, row);
  if ((detail & traceDetail.noChecksum) === 0) {
    to = putByte(view, putAscii(view, to, checksumIs), batch.checksum[row] as number);
  }
  if ((detail & traceDetail.noModel) === 0) {
    to = putAscii(view, to, (flags & frameFlag.enhancedChecksum) !== 0 ? enhanced : classic);
  }
  return putAscii(view, to, lineEnd);
};

const putSyncError = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  let to = putAscii(view, at, syncError);
  const from = row * maxFdLength;
  for (let i = from; i < from + (batch.length[row] as number); i += 2) {
    const edge = ((batch.payload[i + 1] as number) << 8) | (batch.payload[i] as number);
    to = putUint32(view, putAscii(view, to, oneBlank), edge);
  }
  return putAscii(view, to, lineEnd);
};

const putReceiveError = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  let to = at;
  if (((batch.detail[row] as number) & traceDetail.noId) === 0) {
    to = putAscii(view, putHexNumber(view, to, batch.id[row] as number), oneBlank);
    view.setUint8(to, hexDigit((batch.dlc[row] as number) & 15));
    to = putAscii(view, to + 1, oneBlank);
  }
  to = putAscii(view, to, receiveError);
  if (batch.length[row] !== 0) to = putData(view, putAscii(view, to, hasData), batch, row);
  return putAscii(view, to, lineEnd);
};

/** The line must have a byte; an unknown one is written as 0. */
const putWakeUp = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  const to = putAscii(view, at, wakeUp[batch.kind[row] as number] as AsciiText);
  const byte = batch.length[row] === 0 ? 0 : (batch.payload[row * maxFdLength] as number);
  return putAscii(view, putByte(view, to, byte), lineEnd);
};

export const putLinRow = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  const flags = batch.flags[row] as number;
  const to = putChannel(view, at, batch.channel[row] as number);
  if ((flags & frameFlag.wakeUp) !== 0) {
    return putWakeUp(view, to, batch, row);
  }
  if ((flags & frameFlag.noResponse) !== 0) {
    return putAscii(view, putHexNumber(view, to, batch.id[row] as number), noResponse);
  }
  if ((flags & frameFlag.error) !== 0) {
    const isSync = ((batch.detail[row] as number) & traceDetail.syncError) !== 0;
    return isSync ? putSyncError(view, to, batch, row) : putReceiveError(view, to, batch, row);
  }
  if ((flags & frameFlag.syncBreak) !== 0) return putAscii(view, to, syncBreak);
  if ((flags & frameFlag.sleep) !== 0 && batch.length[row] === 0) return putAscii(view, to, sleep);
  return putMessage(view, to, batch, row);
};
