import { type AsciiText, asciiText, putAscii, putUint32 } from '../../frame/ascii-writer.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { TraceBatch } from '../trace-batch.ts';
import { ascFlag } from './fd-columns.ts';
import { directed, hexDigit, hexWidth, putBlanks, putData, putHexNumber } from './row-text.ts';

/** Lines of CAN and CAN FD from behind the time on, written from a row; each returns its end. */

const lineEnd = 0x0a;
const blank = 0x20;
const zero = 0x30;
const lowerX = 0x78;
const lowerCase = 0x20;

const twoBlanks = asciiText('  ');
const idColumn = asciiText(' '.repeat(16));
const dataFrame = directed('', '   d ');
const remoteFrame = directed('', '   r ');
const errorFrame = asciiText('  ErrorFrame\n');

const fdChannelWidth = 3;
const fdIdWidth = 8;
const fdStart = asciiText('CANFD ');
const fdDirection = directed('', '   ');
const fdName = asciiText(' '.repeat(35));

/** The columns behind the data: unknown but for the flags. */
const fdTail = (flags: number): AsciiText =>
  asciiText(`        0    0 ${flags.toString(16).padStart(8)}${'        0'.repeat(5)}\n`);
const fdTails = [0, ascFlag.brs, ascFlag.esi, ascFlag.brs | ascFlag.esi].map((switches) =>
  fdTail(ascFlag.fd | switches),
);

const putId = (view: DataView, at: number, id: number, isExtended: boolean): number => {
  const end = putHexNumber(view, at, id);
  if (!isExtended) return end;
  view.setUint8(end, lowerX);
  return end + 1;
};

export const putErrorRow = (view: DataView, at: number, batch: TraceBatch, row: number): number =>
  putAscii(view, putUint32(view, at, batch.channel[row] as number), errorFrame);

export const putClassicRow = (
  view: DataView,
  at: number,
  batch: TraceBatch,
  row: number,
): number => {
  const flags = batch.flags[row] as number;
  const texts = (flags & frameFlag.remote) !== 0 ? remoteFrame : dataFrame;
  const idAt = putAscii(view, putUint32(view, at, batch.channel[row] as number), twoBlanks);
  const directionAt = putAscii(view, idAt, idColumn);
  putId(view, idAt, batch.id[row] as number, (flags & frameFlag.extended) !== 0);
  const dlcAt = putAscii(view, directionAt, texts[batch.kind[row] as number] as AsciiText);
  view.setUint8(dlcAt, hexDigit((batch.dlc[row] as number) & 15));
  const end = putData(view, dlcAt + 1, batch, row);
  view.setUint8(end, lineEnd);
  return end + 1;
};

const putChannel = (view: DataView, at: number, channel: number): number => {
  const width = channel < 10 ? 1 : 2;
  return putUint32(view, putBlanks(view, at, fdChannelWidth - width), channel);
};

export const putFdRow = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  const flags = batch.flags[row] as number;
  const length = batch.length[row] as number;
  const id = batch.id[row] as number;
  const isExtended = (flags & frameFlag.extended) !== 0;
  const isBrs = (flags & frameFlag.brs) !== 0 ? 1 : 0;
  const isEsi = (flags & frameFlag.esi) !== 0 ? 1 : 0;
  let to = putChannel(view, putAscii(view, at, fdStart), batch.channel[row] as number);
  view.setUint8(to, blank);
  to = putAscii(view, to + 1, fdDirection[batch.kind[row] as number] as AsciiText);
  to = putBlanks(view, to, fdIdWidth - hexWidth(id) - (isExtended ? 1 : 0));
  to = putAscii(view, putId(view, to, id, isExtended), fdName);
  view.setUint32(to, ((zero + isBrs) << 24) | (blank << 16) | ((zero + isEsi) << 8) | blank);
  view.setUint8(to + 4, hexDigit((batch.dlc[row] as number) & 15) | lowerCase);
  view.setUint8(to + 5, blank);
  to = putUint32(view, length < 10 ? putBlanks(view, to + 6, 1) : to + 6, length);
  return putAscii(view, putData(view, to, batch, row), fdTails[isBrs | (isEsi << 1)] as AsciiText);
};
