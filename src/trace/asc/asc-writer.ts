import { asciiText, putAscii } from '../../frame/ascii-writer.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { errorCountRemark, errorFramesAt, isDeviceNotice } from '../error-frames.ts';
import { type TraceBatch, traceDetail } from '../trace-batch.ts';
import type { ByteSink, CreateTrace, TraceWriteOptions, TraceWriter } from '../trace-format.ts';
import { refuseUntellableStart } from '../trace-start.ts';
import { formatAscDate } from './asc-date.ts';
import { putClassicRow, putErrorRow, putFdRow } from './can-row.ts';
import { chipStatusAt } from './chip-state.ts';
import { putLinRow } from './lin-row.ts';
import { putTime } from './row-text.ts';

/**
 * The remark for an event that the format has no line for: neither an error on the bus nor a state
 * of the controller. `detail` has bits of `traceDetail`.
 */
const noticeText = (channel: number, id: number, detail: number): string => {
  if ((detail & traceDetail.deviceLost) !== 0) return `The device of channel ${channel} was lost`;
  if ((detail & traceDetail.deviceReturned) !== 0)
    return `The device of channel ${channel} is back`;
  return `The controller of channel ${channel} reports class ${id}`;
};

const bufferBytes = 64 * 1024;
/** No row takes more, with what it may write past its end. */
const longestRow = 512;
/** Some readers tear longer lines apart and take the rest for an event; a character takes up to 3 bytes. */
const longestRemark = 2000;

const utf8 = new TextEncoder();
const remarkStart = asciiText('// ');
const lineBreaks = /[\r\n]+/g;
const nsPerUs = 1000;
const usPerMs = 1000;

/** Puts rows into a Vector ASC file. Runs in browsers too. */
export class AscWriter implements TraceWriter {
  clamped = 0;
  readonly #sink: ByteSink;
  readonly #channelName: TraceWriteOptions['channelName'];
  readonly #bytes = new Uint8Array(bufferBytes);
  readonly #view = new DataView(this.#bytes.buffer);
  #at = 0;
  /** What the start has beyond its date, which tells milliseconds only; every time has it added. */
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
      if (this.#at > bufferBytes - longestRow) this.#flush();
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

  /** An error frame, and what it tells of the controller, each on a line of its own. */
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

  /** A line that is not one of many. */
  #putLine(text: string): void {
    const line = utf8.encode(`${text}\n`);
    if (this.#at + line.length > bufferBytes - longestRow) this.#flush();
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

/** A text as it may stand behind two slashes: on one line, and not too long. */
const remarkOf = (text: string): string => text.replace(lineBreaks, ' ').slice(0, longestRemark);

/** Writes a Vector ASC file: hex, absolute times of six decimals, dates in local time. */
export const createAsc: CreateTrace = (sink, options) => {
  refuseUntellableStart('asc', options.startUnixUs ?? 0);
  return new AscWriter(sink, options);
};
