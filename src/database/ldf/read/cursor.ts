import { parseDecimal } from '../../../base/decimal/decimal.ts';
import { toInteger } from '../../decimal.ts';
import type { DecimalText } from '../../model.ts';
import { colon, comma, minus, StatementError, semicolon, TextCursor } from '../../text/cursor.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import { number, quoted, word } from '../../text/scanner.ts';
import { deepestSection } from '../limits.ts';
import type { Reference } from './draft.ts';

export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const equals = 0x3d;
export const percent = 0x25;

/** Doubles have 17 digits, and times and physical values need no exponents beyond these. */
const maxRealLength = 64;
const maxExponent = 64;

export class LdfCursor extends TextCursor {
  constructor(text: string, problems: FileProblems) {
    super(text, problems, 'code');
  }

  readReference(what: string): Reference {
    const { scanner } = this;
    if (scanner.kind !== word) this.fail(what);
    const reference = { at: scanner.start, name: scanner.slice() };
    if (!scanner.isPlain) {
      this.problems.warn(
        'name_irregular',
        scanner.start,
        `The name ${shown(reference.name)} contains characters other than letters, digits and “_”`,
        'kept unchanged',
      );
    }
    scanner.next();
    return reference;
  }

  /** Names separated by commas. */
  readReferences(what: string): Reference[] {
    const references: Reference[] = [];
    do {
      this.problems.keep(this.offset);
      references.push(this.readReference(what));
    } while (this.skip(comma));
    return references;
  }

  /** An integer, decimal or hexadecimal. */
  readWhole(what: string, max = Number.MAX_SAFE_INTEGER): number {
    const at = this.offset;
    const isNegative = this.skip(minus);
    const value = this.readCount(what, max);
    if (isNegative && value > 0)
      throw new StatementError(at, `expected ${what}, found -${value}`, false);
    return value;
  }

  /** An integer that files also write with a sign or a fraction of zeros. */
  readSigned(what: string): number {
    const { scanner } = this;
    const at = scanner.start;
    const value = toInteger(this.readReal(what));
    if (value === null) throw new StatementError(at, `expected ${what}, an integer`, false);
    return Number(value);
  }

  readWholes(what: string): number[] {
    const values: number[] = [];
    do {
      this.problems.keep(this.offset);
      values.push(this.readWhole(what));
    } while (this.skip(comma));
    return values;
  }

  readReal(what: string): DecimalText {
    const { scanner } = this;
    // A hexadecimal number is whole.
    if (scanner.kind === number && scanner.isWhole && !scanner.isDecimal) {
      return String(this.readCount(what, Number.MAX_SAFE_INTEGER));
    }
    const at = scanner.start;
    const value = this.readDecimal(what);
    const isShort = value !== null && value.length <= maxRealLength;
    const decimal = isShort ? parseDecimal(value) : null;
    if (!isShort || decimal === null || Math.abs(decimal.exponent) > maxExponent) {
      throw new StatementError(
        at,
        `expected ${what} with fewer digits or a smaller exponent`,
        false,
      );
    }
    return value;
  }

  readMilliseconds(what: string): DecimalText {
    const value = this.readReal(what);
    if (!this.skipWord('ms')) this.fail('“ms”');
    return value;
  }

  /** The standard requires quotes around a version or name; a few files omit them. */
  readTextOrWord(what: string): string {
    const { scanner } = this;
    if (scanner.kind === quoted) return this.readText(what);
    const start = scanner.start;
    let end = start;
    while (
      (scanner.kind === word || scanner.kind === number || scanner.kind === colon) &&
      scanner.start === end
    ) {
      end = scanner.end;
      scanner.next();
    }
    if (end === start) this.fail(what);
    return scanner.text.slice(start, end);
  }

  /** Reads entries up to the closing brace; an empty block is accepted. */
  readBlock(readEntry: () => void): void {
    this.expect(openBrace);
    while (!this.skip(closeBrace)) {
      if (this.skip(semicolon)) continue;
      if (this.isAtEnd) this.fail('“}”');
      readEntry();
    }
    // Some tools write “;” after a block.
    while (this.skip(semicolon)) {}
  }

  /** Skips an unknown statement: up to its “;” or the end of its block. */
  skipUnknown(): void {
    const { scanner } = this;
    let depth = 0;
    for (; !this.isAtEnd; scanner.next()) {
      if (this.is(openBrace)) {
        depth += 1;
        if (depth > deepestSection)
          this.problems.refuse(this.offset, 'its blocks are nested too deeply');
      } else if (this.is(closeBrace)) {
        depth -= 1;
        if (depth < 0) return;
        if (depth === 0) {
          scanner.next();
          return;
        }
      } else if (depth === 0 && this.is(semicolon)) {
        scanner.next();
        return;
      }
    }
    if (depth > 0) this.fail('“}”');
  }
}
