import { busCode } from '../../frame/frm2-layout.ts';
import { channelKey, highestChannel } from '../channel-key.ts';
import { errorCountBy } from '../error-frames.ts';
import { asciiWord, plainText } from '../text/line-cursor.ts';
import { missedBy } from '../trace-gap.ts';
import { parseAscDate } from './asc-date.ts';
import type { AscLine } from './asc-line.ts';

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

/** What a file may fill memory with. */
const mostNames = 1024;
const longestName = 255;

const lowerD = 0x64;
const lowerCase = 0x20;
const slash = 0x2f;

/** Lines that are no events. */
export type HeaderLine = 'date' | 'base' | 'begin' | 'end' | 'remark';

/** What such lines have said so far. */
export class AscHeader {
  /** Unix microseconds of the last date that was understood; null before there is one. */
  dateUs: number | null = null;
  /** Whether the line just taken has a date that was not understood. */
  isDateBad = false;
  isRelative = false;
  /** The line just taken is a remark that so many events are missing; undefined if it is not. */
  missed: number | null | undefined;
  /** The line just taken is a remark that the next error frame stands for so many. */
  errorFrames: number | undefined;
  readonly channelNames = new Map<number, string>();

  /** Takes a line that has no time, whose blanks are skipped; null if it is none of these. */
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
   * Remarks say in files of our own what channels are called, where events are missing, and how
   * many errors are told as one.
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
    this.#nameChannel(channel, plainText(line.bytes, line.at, end).slice(0, longestName));
    return 'remark';
  }

  /** Remarks do not say of which bus. */
  #nameChannel(channel: number, name: string): void {
    for (const bus of [busCode.can, busCode.lin]) {
      const key = channelKey(channel, bus);
      const isRoom = this.channelNames.size < mostNames || this.channelNames.has(key);
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

  /** `dec` is `dez` in German: its first letter is enough. */
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
