import { toInteger } from '../../decimal.ts';
import { minus, semicolon, TextCursor } from '../../text/cursor.ts';
import { shown } from '../../text/problems.ts';
import { longWord, number, word } from '../../text/scanner.ts';
import { keywords } from './keywords.ts';

const underscore = 0x5f;

export class Cursor extends TextCursor {
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

  /** A text without a closing quote ends at the next quote of the file. */
  isTextOfStatements(): boolean {
    return (
      this.isText() && /\n[^\S\n]*(?:NS_|BS_|BU_|SG_|BO_|CM_|BA_|VAL_)/.test(this.scanner.slice())
    );
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
    if (scanner.kind === longWord) this.fail(what);
    const name = scanner.slice();
    if (!scanner.isPlain) this.#reportName(name);
    scanner.next();
    return name;
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
