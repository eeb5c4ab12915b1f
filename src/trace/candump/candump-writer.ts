import {
  type AsciiText,
  asciiSlack,
  asciiText,
  putAscii,
  putHex,
  putInteger,
} from '../../frame/ascii-writer.ts';
import { canErrorClass, canErrorLength } from '../../frame/can-error-frame.ts';
import { maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import {
  errorCountRemark,
  errorDetailsAt,
  errorFramesAt,
  isDeviceNotice,
} from '../error-frames.ts';
import type { TraceBatch } from '../trace-batch.ts';
import type { ByteSink, CreateTrace, TraceWriteOptions, TraceWriter } from '../trace-format.ts';
import { lastUnixSecond } from '../trace-start.ts';
import {
  errorBit,
  fdBit,
  idDigits,
  letter,
  mark,
  maxErrorLines,
  nsPerSecond,
} from './candump-layout.ts';
import { InterfaceNames, maxNameLength } from './interface-names.ts';

const bufferBytes = 64 * 1024;
const nsPerUs = 1000;
const usPerSecond = 1e6;
const maxNoteLength = 1000;
const maxRemarkLength = 64;
const maxLineLength = 48 + maxNameLength + 2 * maxFdLength + asciiSlack + maxRemarkLength;
const noDetails = asciiText('00'.repeat(canErrorLength));

const utf8 = new TextEncoder();
const hexCodes = Uint8Array.from('0123456789ABCDEF', (digit) => digit.charCodeAt(0));

/** The format has no counts, so every error frame gets a line. */
const linesFor = (batch: TraceBatch, row: number): number => {
  const isError = ((batch.flags[row] as number) & frameFlag.error) !== 0;
  const count = isError && batch.bus[row] !== busCode.lin ? errorFramesAt(batch, row) : 1;
  return count > maxErrorLines ? 1 : Math.max(count, 1);
};

const errorBits = (id: number): number => errorBit | (id === 0 ? canErrorClass.busError : id);

export class CandumpWriter implements TraceWriter {
  readonly unwritten: Record<string, number> = {};
  readonly #sink: ByteSink;
  readonly #channelName: TraceWriteOptions['channelName'];
  readonly #startSeconds: number;
  readonly #startNs: number;
  readonly #bytes = new Uint8Array(bufferBytes);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #names = new Map<number, AsciiText>();
  readonly #spellings = new Map<string, AsciiText>();
  readonly #interfaces = new InterfaceNames();
  #at = 0;
  #isUnreported: boolean;

  constructor(sink: ByteSink, { startUnixUs, channelName }: TraceWriteOptions, mayBeEmpty = false) {
    this.#sink = sink;
    this.#isUnreported = !mayBeEmpty;
    this.#channelName = channelName;
    const startUs = startUnixUs ?? 0;
    this.#startSeconds = Math.floor(startUs / 1e6);
    this.#startNs = (startUs - this.#startSeconds * 1e6) * 1000;
  }

  write(batch: TraceBatch, from: number, to: number): void {
    const { buffer, byteOffset } = batch.payload;
    const source = new DataView(buffer, byteOffset);
    for (let row = from; row < to; row++) {
      for (let left = linesFor(batch, row); left > 0; left--) {
        if (this.#at > bufferBytes - maxLineLength) this.#flush();
        this.#putEvent(batch, row, source);
      }
    }
    if (this.#at > 0) this.#flush();
    else if (from < to) this.#openWithRemark();
  }

  note(_timeNs: number, text: string): void {
    // The remark must be one line that cannot be parsed as a frame.
    const line = text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, maxNoteLength);
    this.#give(utf8.encode(`# ${line}\n`));
  }

  rename(channel: number): void {
    this.#names.delete(channel);
  }

  end(): void {
    this.#openWithRemark();
  }

  /** An empty file has no detectable format, so a log without frames starts with a remark. */
  #openWithRemark(): void {
    if (this.#isUnreported) this.note(0, 'no frames up to here');
  }

  #putEvent(batch: TraceBatch, row: number, source: DataView): void {
    const bus = batch.bus[row] as number;
    if (bus === busCode.lin || isDeviceNotice(batch, row)) {
      // A device state is not a bus error.
      this.#leaveOut(bus === busCode.lin ? 'lin' : 'device');
      return;
    }
    const timeNs = this.#startNs + Math.round(batch.timeNs[row] as number);
    const isExact = Math.abs(timeNs) <= Number.MAX_SAFE_INTEGER;
    // Beyond 104 days nanoseconds are inexact, but microseconds are exact.
    const units = isExact ? timeNs : Math.round(timeNs / nsPerUs);
    const perSecond = isExact ? nsPerSecond : usPerSecond;
    const wholeSeconds = Math.floor(units / perSecond);
    const seconds = this.#startSeconds + wholeSeconds;
    if (seconds < 0 || seconds > lastUnixSecond) {
      this.#leaveOut(seconds < 0 ? 'before_1970' : 'after_9999');
      return;
    }
    const view = this.#view;
    const flags = batch.flags[row] as number;
    const isError = (flags & frameFlag.error) !== 0;
    const count = isError ? errorFramesAt(batch, row) : 0;
    const name = this.#nameOf(batch.channel[row] as number);
    if (count > maxErrorLines) this.#putRemark(errorCountRemark(count));
    const rest = units - wholeSeconds * perSecond;
    let at = this.#putTime(seconds, isExact ? rest : rest * nsPerUs);
    at = putAscii(view, at, name);
    view.setUint8(at++, mark.blank);
    const id = batch.id[row] as number;
    at = this.#putId(at, isError ? errorBits(id) : id, flags);
    view.setUint8(at++, mark.hash);
    if (isError) at = this.#putErrorDetails(at, batch, row, source);
    else if (bus === busCode.canfd) at = this.#putFd(at, batch, row, source);
    else at = this.#putClassic(at, batch, row, source);
    if (batch.kind[row] === eventKindCode.tx_complete) {
      view.setUint8(at++, mark.blank);
      view.setUint8(at++, letter.sent);
    }
    view.setUint8(at++, mark.lineFeed);
    this.#at = at;
  }

  /** Writes nine digits only if six would lose precision, because readers prefer six. */
  #putTime(seconds: number, nanoseconds: number): number {
    const view = this.#view;
    let at = this.#at;
    view.setUint8(at++, mark.opening);
    at = putInteger(view, at, seconds);
    view.setUint8(at++, mark.dot);
    const isWhole = nanoseconds % 1000 === 0;
    const digits = isWhole ? 6 : 9;
    let rest = isWhole ? nanoseconds / 1000 : nanoseconds;
    for (let place = at + digits - 1; place >= at; place--) {
      const tens = Math.floor(rest / 10);
      view.setUint8(place, mark.zero + rest - tens * 10);
      rest = tens;
    }
    at += digits;
    view.setUint8(at++, mark.closing);
    view.setUint8(at++, mark.blank);
    return at;
  }

  #putId(from: number, id: number, flags: number): number {
    const isWide = (flags & (frameFlag.extended | frameFlag.error)) !== 0;
    const digits = isWide ? idDigits.extended : idDigits.standard;
    for (let i = 0; i < digits; i++) {
      const digit = (id >>> (4 * (digits - 1 - i))) & 0xf;
      this.#view.setUint8(from + i, hexCodes[digit] as number);
    }
    return from + digits;
  }

  #putErrorDetails(from: number, batch: TraceBatch, row: number, source: DataView): number {
    const length = Math.min(errorDetailsAt(batch, row), maxClassicLength);
    if (length === 0) return putAscii(this.#view, from, noDetails);
    return putHex(this.#view, from, source, row * maxFdLength, length);
  }

  #putFd(from: number, batch: TraceBatch, row: number, source: DataView): number {
    const flags = batch.flags[row] as number;
    const bits =
      ((flags & frameFlag.brs) === 0 ? 0 : fdBit.brs) |
      ((flags & frameFlag.esi) === 0 ? 0 : fdBit.esi);
    this.#view.setUint8(from, mark.hash);
    this.#view.setUint8(from + 1, mark.zero + bits);
    return putHex(this.#view, from + 2, source, row * maxFdLength, batch.length[row] as number);
  }

  #putClassic(from: number, batch: TraceBatch, row: number, source: DataView): number {
    const view = this.#view;
    const dlc = batch.dlc[row] as number;
    let at = from;
    if (((batch.flags[row] as number) & frameFlag.remote) !== 0) {
      view.setUint8(at++, letter.remote);
      if (dlc > 0) view.setUint8(at++, mark.zero + Math.min(dlc, maxClassicLength));
    } else at = putHex(view, at, source, row * maxFdLength, batch.length[row] as number);
    if (dlc > maxClassicLength) {
      view.setUint8(at++, mark.underscore);
      view.setUint8(at++, hexCodes[dlc] as number);
    }
    return at;
  }

  #nameOf(channel: number): AsciiText {
    const known = this.#names.get(channel);
    if (known) return known;
    const given = this.#channelName(channel, busCode.can) ?? '';
    const key = `${channel} ${given}`;
    const text =
      this.#spellings.get(key) ?? asciiText(this.#interfaces.spellingFor(channel, given));
    this.#spellings.set(key, text);
    this.#names.set(channel, text);
    return text;
  }

  #putRemark(text: string): void {
    const line = utf8.encode(`# ${text}\n`);
    this.#bytes.set(line, this.#at);
    this.#at += line.length;
  }

  #leaveOut(reason: string): void {
    this.unwritten[reason] = (this.unwritten[reason] ?? 0) + 1;
  }

  #flush(): void {
    const length = this.#at;
    this.#at = 0;
    this.#give(this.#bytes.subarray(0, length));
  }

  #give(bytes: Uint8Array): void {
    this.#isUnreported = false;
    this.#sink.write(bytes);
  }
}

/**
 * Writes the format of `candump -l`, and marks sent frames as `candump -x` does. The format has
 * no LIN: those events are counted in `unwritten`. Merged errors get one line each, because
 * python-can stops at a line that is not a frame.
 */
export const createCandump: CreateTrace = (sink, options) => new CandumpWriter(sink, options);
