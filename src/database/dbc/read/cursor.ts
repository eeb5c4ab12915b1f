import { toDecimal, toInteger } from '../../decimal.ts';
import type { DecimalText } from '../../model.ts';
import { keywords } from './keywords.ts';
import { type DbcProblems, shown } from './problems.ts';
import { endOfText, number, quoted, Scanner, tooLong, unterminated, word } from './scanner.ts';

export const colon = 0x3a;
export const semicolon = 0x3b;
export const comma = 0x2c;
export const minus = 0x2d;
const plus = 0x2b;
const underscore = 0x5f;

const notANumber = /^(?:1\.#.*|nan|inf(?:inity)?|1\.qnan)$/i;

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

export class Cursor {
  readonly scanner: Scanner;
  readonly problems: DbcProblems;

  constructor(text: string, problems: DbcProblems) {
    this.scanner = new Scanner(text);
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
    const isTruncated = kind === endOfText || kind === unterminated;
    const found =
      kind === endOfText
        ? 'reached the end of the file'
        : kind === unterminated
          ? 'found a string without closing quote'
          : kind === tooLong
            ? 'found a number with too many digits'
            : `found ${shown(scanner.slice())}`;
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

  isKeyword(): boolean {
    const { scanner } = this;
    if (scanner.kind !== word) return false;
    const last = scanner.text.charCodeAt(scanner.end - 1);
    // All keywords except VERSION and FILTER end with an underscore; most names do not.
    if (last !== underscore && last !== 0x4e && last !== 0x52) return false;
    return keywords.has(scanner.slice());
  }

  isName(): boolean {
    const { kind } = this.scanner;
    return kind === number || (kind === word && !this.isKeyword());
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

  /** A statement also stops at the end of the file, or at a line that begins another one. */
  isAtNextStatement(): boolean {
    return this.isAtEnd || (this.scanner.startsLine && this.isKeyword());
  }

  endStatement(): void {
    if (this.skip(semicolon)) return;
    if (!this.isAtNextStatement()) this.fail('“;”');
    this.problems.warn(
      'semicolon_missing',
      this.offset,
      'The previous statement has no “;”',
      'treated as complete',
    );
  }

  readName(what: string): string {
    const { scanner } = this;
    if (!this.isName()) this.fail(what);
    const code = scanner.text.charCodeAt(scanner.end);
    if (code > 0x20 && !':;,|@()[]"'.includes(String.fromCharCode(code))) scanner.widenToName();
    const name = scanner.slice();
    if (!scanner.isPlain) this.#reportName(name);
    scanner.next();
    return name;
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

  readMessageNumber(): number {
    const { scanner } = this;
    const start = scanner.start;
    const isNegative = this.skip(minus);
    const value = this.readCount('a message number', 0xffff_ffff);
    if (!isNegative) return value;
    if (value > 0x8000_0000) this.fail('a message number');
    this.problems.warn(
      'id_negative',
      start,
      `Message number -${value} is negative`,
      'treated as an unsigned 32-bit number',
    );
    return (0x1_0000_0000 - value) % 0x1_0000_0000;
  }

  readInteger(what: string): bigint | null {
    const { scanner } = this;
    if (scanner.kind === number && scanner.isWhole && scanner.value <= Number.MAX_SAFE_INTEGER) {
      const { value } = scanner;
      scanner.next();
      return value < smallIntegers.length ? (smallIntegers[value] ?? 0n) : BigInt(value);
    }
    const { start } = scanner;
    const isNegative = this.skip(minus);
    if (scanner.kind === word && /^0[xX][0-9a-fA-F]{1,32}$/.test(scanner.slice())) {
      const value = BigInt(scanner.slice());
      scanner.next();
      this.problems.warn(
        'number_hexadecimal',
        start,
        'A number is hexadecimal',
        'read as hexadecimal',
      );
      return isNegative ? -value : value;
    }
    const isWhole = scanner.kind === number && scanner.isWhole;
    const decimal = this.readDecimal(what);
    const value = decimal === null ? null : toInteger(decimal);
    if (!isWhole && value !== null) {
      this.problems.warn(
        'integer_with_fraction',
        start,
        `An integer is written as ${decimal}`,
        `treated as ${value}`,
      );
    }
    return isNegative && value !== null ? -value : value;
  }

  #reportName(name: string): void {
    this.problems.warn(
      'name_irregular',
      this.offset,
      `The name ${shown(name)} contains characters other than letters, digits and “_”`,
      'kept unchanged',
    );
  }
}

const smallIntegers = Array.from({ length: 256 }, (_, value) => BigInt(value));
