import { type AsciiText, asciiText, putAscii, putUint32 } from '../../frame/ascii-writer.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { errorCountRemark, errorFramesAt, isDeviceNotice } from '../error-frames.ts';
import { type TraceBatch, traceDetail } from '../trace-batch.ts';
import type { ByteSink, CreateTrace, TraceWriteOptions, TraceWriter } from '../trace-format.ts';
import { refuseInvalidStart } from '../trace-start.ts';
import { formatAscDate } from './asc-date.ts';
import { chipStatusAt } from './chip-status.ts';
import { ascFlag } from './fd-columns.ts';
import { putLinRow } from './lin-row.ts';
import {
  directed,
  hexDigit,
  hexWidth,
  putBlanks,
  putData,
  putHexNumber,
  putTime,
} from './row-text.ts';

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

const putErrorRow = (view: DataView, at: number, batch: TraceBatch, row: number): number =>
  putAscii(view, putUint32(view, at, batch.channel[row] as number), errorFrame);

const putClassicRow = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
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

const putFdRow = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
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

/**
 * Remark for an event that the format has no line for: neither a bus error nor a controller state.
 */
const noticeText = (channel: number, id: number, detail: number): string => {
  if ((detail & traceDetail.deviceLost) !== 0)
    return `The device of channel ${channel} was disconnected`;
  if ((detail & traceDetail.deviceReturned) !== 0)
    return `The device of channel ${channel} was reconnected`;
  return `The controller of channel ${channel} reports class ${id}`;
};

const bufferBytes = 64 * 1024;
const maxRowLength = 512;
/**
 * Some readers split longer lines and parse the rest as an event; a character uses up to 3 bytes.
 */
const maxRemarkLength = 2000;

const utf8 = new TextEncoder();
const remarkStart = asciiText('// ');
const lineBreaks = /[\r\n]+/g;
const nsPerUs = 1000;
const usPerMs = 1000;

export class AscWriter implements TraceWriter {
  clamped = 0;
  readonly #sink: ByteSink;
  readonly #channelName: TraceWriteOptions['channelName'];
  readonly #bytes = new Uint8Array(bufferBytes);
  readonly #view = new DataView(this.#bytes.buffer);
  #at = 0;
  /** Microseconds of the start below the millisecond of its date, added to every time. */
  readonly #restUs: number;
  readonly #namedChannels = new Uint8Array(0x10000);

  constructor(sink: ByteSink, { startUnixUs, channelName }: TraceWriteOptions) {
    this.#sink = sink;
    this.#channelName = channelName;
    const startUs = startUnixUs ?? 0;
    this.#restUs = startUs - Math.floor(startUs / usPerMs) * usPerMs;
    const date = formatAscDate(startUs);
    this.#putLine(`date ${date}`);
    this.#putLine('base hex  timestamps absolute');
    this.#putLine('internal events logged');
    this.#putLine(`Begin TriggerBlock ${date}`);
    this.#putLine('   0.000000 Start of measurement');
    this.#flush();
  }

  write(batch: TraceBatch, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      if (this.#at > bufferBytes - maxRowLength) this.#flush();
      const channel = batch.channel[row] as number;
      if (this.#namedChannels[channel] === 0) {
        this.#nameChannel(channel, batch.bus[row] as number);
      }
      this.#putRow(batch, row);
    }
    this.#flush();
  }

  note(timeNs: number, text: string): void {
    this.#putRemark(timeNs, text);
    this.#flush();
  }

  rename(channel: number): void {
    this.#namedChannels[channel] = 0;
  }

  end(): void {
    this.#putLine('End TriggerBlock');
    this.#flush();
  }

  #timeUs(timeNs: number): number {
    return Math.round(timeNs / nsPerUs) + this.#restUs;
  }

  #putRow(batch: TraceBatch, row: number): void {
    const view = this.#view;
    const flags = batch.flags[row] as number;
    const isLin = batch.bus[row] === busCode.lin;
    let at = this.#at;
    // The format has no line for a break alone.
    if (isLin && (flags & frameFlag.syncBreak) !== 0) at = putAscii(view, at, remarkStart);
    const timeUs = this.#timeUs(batch.timeNs[row] as number);
    if (timeUs < 0) this.clamped += 1;
    at = putTime(view, at, Math.max(0, timeUs));
    if (isDeviceNotice(batch, row))
      this.#putRemark(batch.timeNs[row] as number, noticeAt(batch, row));
    else if (isLin) this.#at = putLinRow(view, at, batch, row);
    else if ((flags & frameFlag.error) !== 0) this.#putError(batch, row, timeUs);
    else if ((flags & frameFlag.fd) !== 0) this.#at = putFdRow(view, at, batch, row);
    else this.#at = putClassicRow(view, at, batch, row);
  }

  #putError(batch: TraceBatch, row: number, timeUs: number): void {
    const timeNs = batch.timeNs[row] as number;
    const count = errorFramesAt(batch, row);
    if (count > 1) this.#putRemark(timeNs, errorCountRemark(count));
    const putOwnTime = (): number => putTime(this.#view, this.#at, Math.max(0, timeUs));
    if (count > 0) this.#at = putErrorRow(this.#view, putOwnTime(), batch, row);
    const status = chipStatusAt(batch, row);
    if (status !== null) {
      this.#at = putOwnTime();
      this.#putLine(status);
    } else if (count === 0) this.#putRemark(timeNs, noticeAt(batch, row));
  }

  #nameChannel(channel: number, bus: number): void {
    this.#namedChannels[channel] = 1;
    const name = this.#channelName(channel, bus);
    if (name !== null) this.#putLine(`// channel ${channel} = ${remarkOf(name)}`);
  }

  #putRemark(timeNs: number, text: string): void {
    const timeAt = putAscii(this.#view, this.#at, remarkStart);
    this.#at = putTime(this.#view, timeAt, Math.max(0, this.#timeUs(timeNs)));
    this.#putLine(remarkOf(text));
  }

  #putLine(text: string): void {
    const line = utf8.encode(`${text}\n`);
    if (this.#at + line.length > bufferBytes - maxRowLength) this.#flush();
    this.#bytes.set(line, this.#at);
    this.#at += line.length;
  }

  #flush(): void {
    if (this.#at === 0) return;
    const filled = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    this.#sink.write(filled);
  }
}

const noticeAt = (batch: TraceBatch, row: number): string =>
  noticeText(batch.channel[row] as number, batch.id[row] as number, batch.detail[row] as number);

const remarkOf = (text: string): string => text.replace(lineBreaks, ' ').slice(0, maxRemarkLength);

/** Writes a Vector ASC file: hex, absolute times with six decimals, dates in local time. */
export const createAsc: CreateTrace = (sink, options) => {
  refuseInvalidStart('asc', options.startUnixUs ?? 0);
  return new AscWriter(sink, options);
};
