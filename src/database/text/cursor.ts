import { toDecimal } from '../decimal.ts';
import type { DecimalText } from '../model.ts';
import { type FileProblems, shown } from './problems.ts';
import {
  endOfText,
  longWord,
  maxNameLength,
  number,
  openComment,
  quoted,
  Scanner,
  type TextStyle,
  tooLong,
  unterminated,
  word,
} from './scanner.ts';

export const colon = 0x3a;
export const semicolon = 0x3b;
export const comma = 0x2c;
export const minus = 0x2d;
const plus = 0x2b;

const notANumber = /^(?:1\.#.*|nan|inf(?:inity)?|1\.qnan)$/i;

const foundWords: Readonly<Record<number, string>> = {
  [endOfText]: 'reached the end of the file',
  [unterminated]: 'found a string without closing quote',
  [tooLong]: 'found a number with too many digits',
  [openComment]: 'found a comment without an end',
  [longWord]: `found a name with more than ${maxNameLength} characters`,
};

export class StatementError {
  readonly offset: number;
  readonly message: string;
  readonly isTruncated: boolean;

  constructor(offset: number, message: string, isTruncated: boolean) {
    this.offset = offset;
    this.message = message;
    this.isTruncated = isTruncated;
  }
}

/** Reads the tokens of a text file one after another. */
export class TextCursor {
  readonly scanner: Scanner;
  readonly problems: FileProblems;

  constructor(text: string, problems: FileProblems, style?: TextStyle) {
    this.scanner = new Scanner(text, style);
    this.problems = problems;
    this.scanner.next();
  }

  get offset(): number {
    return this.scanner.start;
  }

  get isAtEnd(): boolean {
    return this.scanner.kind === endOfText;
  }

  fail(expected: string): never {
    const { scanner } = this;
    const { kind, start } = scanner;
    const isTruncated = kind === endOfText || kind === unterminated || kind === openComment;
    const found = foundWords[kind] ?? `found ${shown(scanner.slice())}`;
    throw new StatementError(start, `expected ${expected}, ${found}`, isTruncated);
  }

  is(kind: number): boolean {
    return this.scanner.kind === kind;
  }

  isNumber(): boolean {
    return this.scanner.kind === number;
  }

  isText(): boolean {
    return this.scanner.kind === quoted;
  }

  skip(kind: number): boolean {
    if (this.scanner.kind !== kind) return false;
    this.scanner.next();
    return true;
  }

  skipWord(text: string): boolean {
    const { scanner } = this;
    if (scanner.kind !== word || scanner.end - scanner.start !== text.length) return false;
    if (scanner.slice() !== text) return false;
    scanner.next();
    return true;
  }

  expect(kind: number): void {
    if (!this.skip(kind)) this.fail(`“${String.fromCharCode(kind)}”`);
  }

  readText(what: string): string {
    if (this.scanner.kind !== quoted) this.fail(what);
    const text = this.scanner.content();
    this.scanner.next();
    return text;
  }

  readCount(what: string, max: number): number {
    const { scanner } = this;
    if (scanner.kind !== number || !scanner.isWhole || scanner.value > max) {
      this.fail(`${what}, at most ${max}`);
    }
    const { value } = scanner;
    scanner.next();
    return value;
  }

  /** Returns null for infinity and NaN, which the caller reports. */
  readDecimal(what: string): DecimalText | null {
    const { scanner } = this;
    const isNegative = scanner.kind === minus;
    if (isNegative || scanner.kind === plus) scanner.next();
    const isDecimal = scanner.kind === number && scanner.isDecimal;
    const text = scanner.slice();
    if (!isDecimal && scanner.kind === word && notANumber.test(text)) {
      scanner.next();
      return null;
    }
    if (scanner.kind !== number) this.fail(what);
    scanner.next();
    const decimal = isDecimal ? text : toDecimal(text);
    return isNegative && decimal !== null ? `-${decimal}` : decimal;
  }
}
