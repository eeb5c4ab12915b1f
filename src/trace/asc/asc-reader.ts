import { BusbarError } from '../../base/errors/busbar-error.ts';
import { busCode } from '../../frame/frm2-layout.ts';
import { channelKey, highestChannel } from '../channel-key.ts';
import { countIfError, errorCountBy } from '../error-frames.ts';
import { ReaderStats } from '../reader-stats.ts';
import { asciiWord, plainText } from '../text/line-cursor.ts';
import { LineScanner } from '../text/line-scanner.ts';
import { TraceBatch } from '../trace-batch.ts';
import {
  type ByteSource,
  idleBytesPerRead,
  type OpenTrace,
  readLimit,
  type TraceReader,
} from '../trace-format.ts';
import { missedBy } from '../trace-gap.ts';
import { parseAscDate } from './asc-date.ts';
import { takeEvent } from './asc-event.ts';
import { AscLine, invalid, type LineOutcome, taken } from './asc-line.ts';

const dateWord = asciiWord('date');

const baseWord = asciiWord('base');

const timestampsWord = asciiWord('timestamps');

const relativeWord = asciiWord('relative');

const internalWord = asciiWord('internal');

const noWord = asciiWord('no');

const beginWord = asciiWord('begin');

const endWord = asciiWord('end');

const blockWord = asciiWord('triggerblock');

const channelWord = asciiWord('channel');

const equalsWord = asciiWord('=');

const maxNames = 1024;

const maxNameLength = 255;

const lowerD = 0x64;

const lowerCase = 0x20;

const slash = 0x2f;

type HeaderLine = 'date' | 'base' | 'begin' | 'end' | 'remark';

class AscHeader {
  dateUs: number | null = null;
  isDateBad = false;
  isRelative = false;
  missed: number | null | undefined;
  /** Number of error frames that the next one represents, from the current remark. */
  errorFrames: number | undefined;
  readonly channelNames = new Map<number, string>();

  take(line: AscLine, end: number): HeaderLine | null {
    const { bytes, at } = line;
    this.isDateBad = false;
    this.missed = undefined;
    this.errorFrames = undefined;
    if (bytes[at] === slash && bytes[at + 1] === slash) return this.#takeRemark(line, end);
    if (line.takeWord(dateWord)) return this.#takeDate(line, end, 'date');
    if (line.takeWord(baseWord)) return this.#takeBase(line);
    if (line.takeWord(beginWord)) {
      if (line.skipBlanks() && line.takeWord(blockWord)) return this.#takeDate(line, end, 'begin');
      return null;
    }
    if (line.takeWord(endWord)) return line.skipBlanks() && line.takeWord(blockWord) ? 'end' : null;
    if (line.takeWord(noWord)) line.skipBlanks();
    return line.takeWord(internalWord) ? 'remark' : null;
  }

  /**
   * Busbar files contain remarks with channel names, missing events and counts of merged errors.
   */
  #takeRemark(line: AscLine, end: number): HeaderLine {
    line.at += 2;
    if (!line.skipBlanks()) return 'remark';
    if (line.takeTime()) {
      if (!line.skipBlanks()) return 'remark';
      const text = plainText(line.bytes, line.at, end);
      this.missed = missedBy(text);
      this.errorFrames = errorCountBy(text);
      return 'remark';
    }
    if (!line.takeWord(channelWord) || !line.skipBlanks()) return 'remark';
    const channel = line.takeDecimal();
    if (channel < 0 || channel > highestChannel || !line.skipBlanks()) return 'remark';
    if (!line.takeWord(equalsWord) || !line.skipBlanks()) return 'remark';
    this.#nameChannel(channel, plainText(line.bytes, line.at, end).slice(0, maxNameLength));
    return 'remark';
  }

  #nameChannel(channel: number, name: string): void {
    for (const bus of [busCode.can, busCode.lin]) {
      const key = channelKey(channel, bus);
      const isRoom = this.channelNames.size < maxNames || this.channelNames.has(key);
      if (isRoom) this.channelNames.set(key, name);
    }
  }

  #takeDate(line: AscLine, end: number, what: HeaderLine): HeaderLine {
    if (!line.skipBlanks()) return what;
    const dateUs = parseAscDate(plainText(line.bytes, line.at, end));
    if (dateUs === null) this.isDateBad = true;
    else this.dateUs = dateUs;
    return what;
  }

  /** Only the first letter is checked: `dec` is `dez` in German. */
  #takeBase(line: AscLine): HeaderLine | null {
    if (!line.skipBlanks()) return null;
    line.isHex = ((line.bytes[line.at] as number) | lowerCase) !== lowerD;
    this.isRelative =
      line.skipToken() &&
      line.takeWord(timestampsWord) &&
      line.skipBlanks() &&
      line.takeWord(relativeWord);
    return 'base';
  }
}

/**
 * Converts line times to nanoseconds since the start of the trace. Times count from the start
 * of the measurement or from the previous event. In files with several trigger blocks they
 * continue from block to block, or restart in each; then the date of the block is the offset.
 * Blocks never overlap, regardless of their dates.
 */
export class AscClock {
  isRelative = false;
  #nowNs = 0;
  #reportedNs = 0;
  #baseNs = 0;
  #blockNs = 0;
  #isNewBlock = false;
  #restarts = false;

  beginBlock(blockNs: number): void {
    this.#blockNs = blockNs;
    this.#isNewBlock = true;
  }

  /** Converts the time of a line. Call it for every line with a time. */
  at(reportedNs: number): number {
    if (this.#isNewBlock) this.#enterBlock(reportedNs);
    this.#reportedNs = reportedNs;
    this.#nowNs = reportedNs + (this.isRelative ? this.#nowNs : this.#baseNs);
    return this.#nowNs;
  }

  #enterBlock(reportedNs: number): void {
    this.#isNewBlock = false;
    if (this.isRelative) {
      this.#nowNs = Math.max(this.#nowNs, this.#blockNs);
      return;
    }
    if (reportedNs < this.#reportedNs) this.#restarts = true;
    if (this.#restarts) this.#baseNs = Math.max(this.#blockNs, this.#nowNs - reportedNs);
  }
}

const noEvent = invalid('Nothing follows the timestamp');
const badTime = invalid('The time is not a number of seconds with one to nine decimals');
const noTime = invalid('The line starts with neither a timestamp nor a header keyword');
const badDate = invalid('Unknown date format');
const tooLong = invalid('The line is too long');

const blank = 0x20;
const zero = 0x30;
const nine = 0x39;
const nsPerSecond = 1e9;
const wholeFrame = /^\s*\S+\s+\d+\s+[\da-f]+x?\s+[rt]x\s+d\s+[0-8](?:\s+[\da-f]{2})*$/i;
const byteOrderMark = [0xef, 0xbb, 0xbf];

const refusal = (line: number, reason: string, message: string): BusbarError =>
  new BusbarError('invalid_trace', { message, details: { format: 'asc', line, reason } });

class AscReader implements TraceReader {
  readonly format = 'asc';
  readonly startUnixUs: number | null;
  readonly account = new ReaderStats();

  readonly #scanner: LineScanner;
  readonly #line: AscLine;
  readonly #header = new AscHeader();
  readonly #clock = new AscClock();
  readonly #beforeAll = new TraceBatch(0);
  #isInBlock = false;
  #isBlank = false;
  #errorFrames: number | undefined;
  #hasLine: boolean;

  constructor(source: ByteSource) {
    this.#scanner = new LineScanner(source);
    this.#line = new AscLine(this.#scanner.bytes);
    this.#hasLine = this.#openFile();
    this.startUnixUs = this.#header.dateUs;
  }

  get position(): number {
    return this.#scanner.position;
  }

  get channelNames(): ReadonlyMap<number, string> {
    return this.#header.channelNames;
  }

  read(batch: TraceBatch): boolean {
    batch.clear();
    batch.takeGaps(this.#beforeAll);
    this.account.markErrors(batch);
    const from = this.#scanner.passed;
    let hasMore = true;
    while (hasMore && !batch.isFull && this.#scanner.passed < readLimit(from, batch.count)) {
      hasMore = this.#hasLine || this.#nextLine();
      if (hasMore) this.#takeLine(batch);
      this.account.markErrors(batch);
    }
    this.account.take(batch);
    return hasMore || batch.count > 0;
  }

  #takeLine(batch: TraceBatch): void {
    this.#hasLine = false;
    if (this.#isEvent) {
      const outcome = this.#takeTimed(batch);
      if (outcome === taken) this.#give(batch);
      else this.#pass(outcome);
      this.#errorFrames = undefined;
    } else if (!this.#isBlank && this.#takeHeaderLine(batch) === 'begin') {
      const start = this.startUnixUs ?? 0;
      this.#clock.beginBlock(((this.#header.dateUs ?? start) - start) * 1000);
    }
  }

  #openFile(): boolean {
    let isAsc = false;
    while (this.#scanner.passed < idleBytesPerRead && this.#nextLine()) {
      if (this.#isBlank) continue;
      if (isAsc && this.#isEvent) return true;
      const what = this.#isEvent ? null : this.#takeHeaderLine(this.#beforeAll);
      if (what === null && !isAsc) {
        const { line } = this.#scanner;
        throw refusal(line, 'no_header', `Line ${line} is not the start of an ASC file`);
      }
      if (what === 'begin') return false;
      if (what !== 'remark') isAsc = true;
    }
    if (!isAsc) throw refusal(this.#scanner.line, 'empty', 'The file contains no ASC line');
    return false;
  }

  /** A trigger block cut off at its end is dropped, because a number can have lost digits. */
  #nextLine(): boolean {
    const scanner = this.#scanner;
    const line = this.#line;
    if (scanner.next(line.at)) {
      line.at = scanner.start;
      if (
        scanner.line === 1 &&
        byteOrderMark.every((byte, i) => line.bytes[line.at + i] === byte)
      ) {
        line.at += byteOrderMark.length;
      }
      this.#isBlank = !line.skipBlanks();
      if (this.#isBlank || scanner.isTerminated || !this.#isInBlock) return true;
      this.#isInBlock = this.#header.take(line, scanner.end) !== 'end';
    }
    if (this.#isInBlock || scanner.endsInNul) this.account.truncated = true;
    return false;
  }

  get #isEvent(): boolean {
    const first = this.#line.bytes[this.#line.at] as number;
    return first >= zero && first <= nine;
  }

  #takeTimed(batch: TraceBatch): LineOutcome {
    const line = this.#line;
    if (this.#scanner.isTooLong) return tooLong;
    if (!line.takeTime() || (line.bytes[line.at] as number) > blank) return badTime;
    const timeNs = this.#clock.at(line.seconds * nsPerSecond + line.nanoseconds);
    if (!line.skipBlanks()) return noEvent;
    batch.timeNs[batch.count] = timeNs;
    return takeEvent(line, batch);
  }

  #takeHeaderLine(batch: TraceBatch): HeaderLine | null {
    const what = this.#header.take(this.#line, this.#scanner.end);
    if (what === null) this.#pass(this.#scanner.isTooLong ? tooLong : noTime);
    else if (this.#header.isDateBad) this.#pass(badDate);
    if (what === 'begin') this.#isInBlock = true;
    else if (what === 'end') this.#isInBlock = false;
    else if (what === 'base') this.#clock.isRelative = this.#header.isRelative;
    else if (this.#header.missed !== undefined) this.#noteGap(batch, this.#header.missed);
    else this.#errorFrames = this.#header.errorFrames;
    return what;
  }

  #noteGap(batch: TraceBatch, missed: number | null): void {
    const { seconds, nanoseconds } = this.#line;
    batch.addGap(seconds * nsPerSecond + nanoseconds, missed);
    this.account.gap(missed);
  }

  #give(batch: TraceBatch): void {
    if (this.#scanner.isTerminated || this.#isWhole) {
      if (this.#errorFrames !== undefined) countIfError(batch, batch.count, this.#errorFrames);
      batch.count++;
    } else this.account.truncated = true;
  }

  get #isWhole(): boolean {
    const { at, bytes, isHex } = this.#line;
    const { start, end } = this.#scanner;
    return at < end || (isHex && wholeFrame.test(plainText(bytes, start, end)));
  }

  #pass(outcome: LineOutcome): void {
    const { account } = this;
    if (outcome.skipped !== undefined) account.skip(outcome.skipped);
    else if (!this.#scanner.isTerminated) account.truncated = true;
    else if (outcome.error !== undefined) account.error(this.#scanner.line, outcome.error);
  }
}

export const readAsc: OpenTrace = (source) => new AscReader(source);
