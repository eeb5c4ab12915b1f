import { BusbarError } from '../../base/errors/busbar-error.ts';
import { maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { busCode, eventKindCode } from '../../frame/frm2-layout.ts';
import { countIfError, errorCountBy } from '../error-frames.ts';
import { ReaderStats } from '../reader-stats.ts';
import { asciiWord, LineCursor, plainText } from '../text/line-cursor.ts';
import { LineScanner } from '../text/line-scanner.ts';
import { TraceBatch } from '../trace-batch.ts';
import {
  type ByteSource,
  type OpenTrace,
  readLimit,
  type TraceReader,
  type TraceStats,
} from '../trace-format.ts';
import { missedBy } from '../trace-gap.ts';
import { lastUnixSecond } from '../trace-start.ts';
import { mark, nsPerSecond } from './candump-layout.ts';
import { FrameParser } from './frame-parser.ts';
import { InterfaceNames } from './interface-names.ts';

const microDigits = 6;
const nanoDigits = 9;
const maxNameLength = 64;
const maxPreamble = 1000;

const hash = asciiWord('#');
const slashes = asciiWord('//');
const dropCount = asciiWord('dropcount');
const received = asciiWord('r');
const sent = asciiWord('t');

class CandumpReader implements TraceReader {
  readonly format = 'candump';
  readonly #scanner: LineScanner;
  readonly #cursor: LineCursor;
  readonly #frame: FrameParser;
  readonly #interfaces = new InterfaceNames();
  readonly #account = new ReaderStats();
  #startSeconds: number | null = null;
  #isAhead = false;
  #hasDirection = false;
  readonly #probe = new TraceBatch(1);
  #errorFrames: number | undefined;
  #hasTime = false;

  constructor(source: ByteSource) {
    this.#scanner = new LineScanner(source);
    this.#cursor = new LineCursor(this.#scanner.bytes);
    this.#frame = new FrameParser(this.#cursor);
    this.#findFirst();
  }

  get startUnixUs(): number | null {
    return this.#startSeconds === null ? null : this.#startSeconds * 1e6;
  }

  get position(): number {
    return this.#scanner.position;
  }

  get account(): TraceStats {
    return this.#account;
  }

  get channelNames(): ReadonlyMap<number, string> {
    return this.#interfaces.names;
  }

  read(batch: TraceBatch): boolean {
    batch.clear();
    batch.takeGaps(this.#probe);
    this.#account.markErrors(batch);
    const scanner = this.#scanner;
    const from = scanner.passed;
    let hasMore = true;
    while (hasMore && !batch.isFull && scanner.passed < readLimit(from, batch.count)) {
      hasMore = this.#isAhead || scanner.next();
      this.#isAhead = false;
      if (hasMore && this.#take(batch, batch.count)) batch.count++;
      this.#account.markErrors(batch);
    }
    if (scanner.endsInNul) this.#account.truncated = true;
    this.#account.take(batch);
    return hasMore || batch.count > 0;
  }

  #findFirst(): void {
    const scanner = this.#scanner;
    let remarks = 0;
    let others = 0;
    while (scanner.line < maxPreamble && scanner.next()) {
      const errorFrames = this.#errorFrames;
      this.#isAhead = this.#take(this.#probe, 0);
      if (this.#isAhead) {
        this.#errorFrames = errorFrames;
        return;
      }
      this.#cursor.at = scanner.start;
      if (!this.#cursor.skipBlanks()) continue;
      if (this.#isRemark()) remarks++;
      else others++;
    }
    const isEmptyLog = remarks > 0 && others === 0 && scanner.line < maxPreamble;
    if (this.#hasTime || isEmptyLog) return;
    throw new BusbarError('invalid_trace', {
      message: 'The file is not a candump log',
      details: { field: 'file', reason: scanner.position === 0 ? 'empty' : 'not_candump' },
    });
  }

  #isRemark(): boolean {
    const cursor = this.#cursor;
    return cursor.startsWith(hash) || cursor.startsWith(slashes) || cursor.startsWith(dropCount);
  }

  #take(batch: TraceBatch, row: number): boolean {
    const scanner = this.#scanner;
    const cursor = this.#cursor;
    cursor.at = scanner.start;
    if (!cursor.skipBlanks()) return false;
    if (scanner.bytes[cursor.at] !== mark.opening) {
      this.#pass(batch);
      return false;
    }
    const error = this.#event(batch, row);
    if (this.#errorFrames !== undefined) {
      if (error === null) countIfError(batch, row, this.#errorFrames);
      this.#errorFrames = undefined;
    }
    if (error === null) {
      if (!scanner.isTerminated && this.#mayGoOn(batch, row)) this.#account.truncated = true;
      return true;
    }
    if (error === 'can_xl') this.#account.skip(error);
    else if (!scanner.isTerminated) this.#account.truncated = true;
    else this.#account.error(scanner.line, error);
    return false;
  }

  #pass(batch: TraceBatch): void {
    const cursor = this.#cursor;
    const isHash = cursor.startsWith(hash);
    const from = cursor.at + 1;
    const text = isHash ? plainText(cursor.bytes, from, this.#scanner.end).trimStart() : '';
    const missed = missedBy(text);
    this.#errorFrames = errorCountBy(text);
    if (this.#errorFrames !== undefined) return;
    if (missed !== undefined) {
      batch.addGap(this.#account.lastNs(batch), missed);
      this.#account.gap(missed);
    } else this.#account.skip(cursor.startsWith(dropCount) ? 'dropcount' : 'comment');
  }

  /**
   * Returns whether a line without a line end can be cut off, because data has no count. It is
   * complete if a direction follows or the frame has maximum length.
   */
  #mayGoOn(batch: TraceBatch, row: number): boolean {
    if (this.#hasDirection) return false;
    const max = batch.bus[row] === busCode.canfd ? maxFdLength : maxClassicLength;
    return batch.length[row] !== max;
  }

  #event(batch: TraceBatch, row: number): string | null {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    if (this.#scanner.isTooLong) return 'the line is too long';
    cursor.at++;
    if (!this.#time()) return 'the timestamp does not have 6 or 9 decimals';
    if (cursor.seconds > lastUnixSecond) return 'the timestamp is after the year 9999';
    if (!cursor.skipBlanks()) return 'the interface is missing';
    const nameAt = cursor.at;
    const nameEnd = cursor.tokenEnd();
    if (nameEnd - nameAt > maxNameLength) return 'the interface name is too long';
    if (!cursor.skipToken()) return 'the frame is missing';
    const error = this.#frame.parse(batch, row);
    if (error !== null) return error;
    const isSent = cursor.skipBlanks() && cursor.takeWord(sent);
    this.#hasDirection = isSent || cursor.takeWord(received);
    if (cursor.skipBlanks()) return 'unexpected text after the frame';
    const channel = this.#interfaces.numberOf(bytes, nameAt, nameEnd);
    if (channel === 0) return 'there are too many interfaces';
    this.#startSeconds ??= cursor.seconds;
    batch.timeNs[row] = (cursor.seconds - this.#startSeconds) * nsPerSecond + cursor.nanoseconds;
    batch.channel[row] = channel;
    batch.kind[row] = isSent ? eventKindCode.tx_complete : eventKindCode.rx_frame;
    return null;
  }

  #time(): boolean {
    const cursor = this.#cursor;
    if (!cursor.takeTime()) return false;
    const { bytes, at } = cursor;
    if (bytes[at] !== mark.closing) return false;
    cursor.at = at + 1;
    const isTime =
      bytes[at - microDigits - 1] === mark.dot || bytes[at - nanoDigits - 1] === mark.dot;
    this.#hasTime ||= isTime;
    return isTime;
  }
}

export const readCandump: OpenTrace = (source) => new CandumpReader(source);
