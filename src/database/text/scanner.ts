export const maxTextLength = 1024 * 1024;

export const maxNumberLength = 512;

/** Names that occur more than once are made unique, so that long ones would fill the memory. */
export const maxNameLength = 256;

/** Token kinds. Punctuation such as `:` uses its character code. */
export const endOfText = 0;
export const word = 1;
export const number = 2;
export const quoted = 3;
export const unterminated = 4;
export const tooLong = 5;
export const openComment = 6;
export const longWord = 7;

const backslash = 0x5c;
const doubleQuote = 0x22;
const slash = 0x2f;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const dot = 0x2e;
const hash = 0x23;
const asterisk = 0x2a;
const plus = 0x2b;
const minus = 0x2d;
const zero = 0x30;

const space = 1;
const digit = 2;
const letter = 4;

/** Control characters count as space, because some tools add them at the end of a file. */
const classes = new Uint8Array(128);
for (let code = 0; code <= 0x20; code += 1) classes[code] = space;
for (let code = zero; code <= 0x39; code += 1) classes[code] = digit;
for (const code of '_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') {
  classes[code.charCodeAt(0)] = letter;
}
classes[0x7f] = space;

/**
 * Every character beyond ASCII is a letter: names with umlauts are invalid, but unambiguous.
 */
const classOf = (code: number): number => (code < 128 ? (classes[code] ?? 0) : letter);

/**
 * `code`: comments between slash and asterisk, hexadecimal numbers, units right after a number
 * (`10ms`), and strings that end on their line.
 */
export type TextStyle = 'statements' | 'code';

/**
 * Finds tokens on demand; the fields describe the current one. Stores no tokens and slices no
 * text, because most tokens are only compared.
 */
export class Scanner {
  readonly text: string;
  kind = endOfText;
  start = 0;
  end = 0;
  startsLine = true;
  value = 0;
  isWhole = false;
  /** The number already has the form of decimal text. */
  isDecimal = false;
  /** The word consists of ASCII letters, digits and “_”, and does not begin with a digit. */
  isPlain = true;
  readonly #isCode: boolean;
  #isEscaped = false;
  /** A string that starts between these two ends at the second. */
  #searchedFrom = 0;
  #closingQuote = -1;

  constructor(text: string, style: TextStyle = 'statements') {
    this.text = text;
    this.#isCode = style === 'code';
  }

  restart(offset: number): void {
    this.end = offset;
    this.next();
    this.startsLine = true;
  }

  next(): void {
    const { text } = this;
    const { length } = text;
    let at = this.end;
    this.startsLine = at === 0;
    for (;;) {
      if (at >= length) {
        this.#found(endOfText, length, length);
        return;
      }
      const code = text.charCodeAt(at);
      if (code === lineFeed || code === carriageReturn) {
        this.startsLine = true;
        at += 1;
      } else if (code === slash && text.charCodeAt(at + 1) === slash) {
        at = this.#endOfLine(at);
      } else if (this.#isCode && code === slash && text.charCodeAt(at + 1) === asterisk) {
        const end = text.indexOf('*/', at + 2);
        if (end < 0) {
          this.#found(openComment, at, length);
          return;
        }
        at = end + 2;
      } else {
        const kind = classOf(code);
        if (kind !== space) {
          if (kind === letter) this.#word(at);
          else if (kind === digit || (code === dot && this.#isDigit(at + 1))) this.#number(at);
          else if (code === doubleQuote) this.#quoted(at);
          else this.#found(code, at, at + 1);
          return;
        }
        at += 1;
      }
    }
  }

  widenToName(): void {
    const { text } = this;
    let at = this.end;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      const kind = classOf(code);
      if (kind === space || ':;,|@()[]"'.includes(text[at] ?? '')) break;
      at += 1;
    }
    this.isPlain = false;
    this.#foundWord(this.start, at);
  }

  slice(): string {
    return this.text.slice(this.start, this.end);
  }

  content(): string {
    const inside = this.text.slice(this.start + 1, this.end - 1);
    return this.#isEscaped ? inside.replaceAll('\\"', '"') : inside;
  }

  #found(kind: number, start: number, end: number): void {
    this.kind = kind;
    this.start = start;
    this.end = end;
  }

  #word(start: number): void {
    this.isPlain = true;
    this.#foundWord(start, this.#endOfWord(start));
  }

  #foundWord(start: number, end: number): void {
    this.#found(end - start > maxNameLength ? longWord : word, start, end);
  }

  #isDigit(at: number): boolean {
    return classOf(this.text.charCodeAt(at)) === digit;
  }

  #endOfLine(from: number): number {
    const { text } = this;
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === lineFeed || code === carriageReturn) break;
      at += 1;
    }
    return at;
  }

  #endOfWord(from: number): number {
    const { text } = this;
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code >= 128) this.isPlain = false;
      else if ((classes[code] ?? 0) < digit) break;
      at += 1;
    }
    return at;
  }

  #endOfDigits(from: number): number {
    const { text } = this;
    let at = from;
    while (at < text.length && classOf(text.charCodeAt(at)) === digit) at += 1;
    return at;
  }

  #number(start: number): void {
    const { text } = this;
    if (this.#isCode && this.#hexadecimal(start)) return;
    let at = start;
    let value = 0;
    for (;;) {
      const numeral = text.charCodeAt(at) - zero;
      if (!(numeral >= 0 && numeral <= 9)) break;
      value = value * 10 + numeral;
      at += 1;
    }
    const wholeDigits = at - start;
    this.value = value;
    this.isWhole = true;
    this.isDecimal = wholeDigits === 1 || text.charCodeAt(start) !== zero;
    if (text.charCodeAt(at) === dot) {
      const fraction = at + 1;
      at = this.#endOfDigits(fraction);
      this.isWhole = false;
      if (at === fraction || wholeDigits === 0) this.isDecimal = false;
      // Old C libraries print `1.#INF` and similar.
      if (text.charCodeAt(at) === hash) at = this.#endOfWord(at + 1);
    }
    const mark = text.charCodeAt(at);
    if (mark === 0x45 || mark === 0x65) {
      const sign = text.charCodeAt(at + 1);
      const digits = at + (sign === plus || sign === minus ? 2 : 1);
      const end = this.#endOfDigits(digits);
      if (end > digits) {
        at = end;
        this.isWhole = false;
      }
    }
    // Some tools accept names that begin with a digit.
    const end = this.#isCode ? at : this.#endOfWord(at);
    this.isPlain = false;
    if (end > at) this.#foundWord(start, end);
    else this.#found(at - start > maxNumberLength ? tooLong : number, start, at);
  }

  #hexadecimal(start: number): boolean {
    const { text } = this;
    if (text.charCodeAt(start) !== zero || (text.charCodeAt(start + 1) | 0x20) !== 0x78)
      return false;
    let at = start + 2;
    let value = 0;
    for (;;) {
      const numeral = Number.parseInt(text.charAt(at), 16);
      if (Number.isNaN(numeral)) break;
      value = value * 16 + numeral;
      at += 1;
    }
    if (at === start + 2) return false;
    this.value = value;
    this.isWhole = true;
    this.isDecimal = false;
    this.isPlain = false;
    this.#found(at - start > maxNumberLength ? tooLong : number, start, at);
    return true;
  }

  /** A string of one line; a backslash before its last quote is text. */
  #quotedLine(start: number): void {
    const { text } = this;
    let escaped = -1;
    for (let at = start + 1; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code === doubleQuote && text.charCodeAt(at - 1) === backslash) escaped = at;
      else if (code === doubleQuote) {
        this.#isEscaped = escaped >= 0;
        this.#found(quoted, start, at + 1);
        return;
      } else if (code === lineFeed || code === carriageReturn || at >= text.length) {
        this.#isEscaped = false;
        if (escaped >= 0) this.#found(quoted, start, escaped + 1);
        else this.#found(unterminated, start, at);
        return;
      }
    }
  }

  #quoted(start: number): void {
    if (this.#isCode) {
      this.#quotedLine(start);
      return;
    }
    this.#isEscaped = true;
    const end = this.#closingFrom(start + 1);
    if (end - start > maxTextLength) this.#found(unterminated, start, this.text.length);
    else this.#found(quoted, start, end + 1);
  }

  /** Remembered, because statements that cannot be read are searched again from their next line. */
  #closingFrom(from: number): number {
    if (from >= this.#searchedFrom && from <= this.#closingQuote) return this.#closingQuote;
    const { text } = this;
    let end = text.indexOf('"', from);
    while (end > 0 && text.charCodeAt(end - 1) === backslash) end = text.indexOf('"', end + 1);
    this.#searchedFrom = from;
    this.#closingQuote = end < 0 ? Number.POSITIVE_INFINITY : end;
    return this.#closingQuote;
  }
}
