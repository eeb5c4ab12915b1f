import type { PathSegment } from './field-path.ts';
import { JsonParseError, refusal } from './json-parse-error.ts';
import { JsonSource } from './json-source.ts';
import {
  closingQuote,
  continuesAfterInteger,
  endOfFraction,
  endOfInteger,
  endOfPlainRun,
  numberBetween,
} from './json-string.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
export interface ParseJsonOptions {
  /** Maximum nesting: at most 1000, by default 64. */
  readonly maxDepth?: number;
  /** Called for a repeated key instead of an error. The first value is used. */
  readonly onRepeatedKey?: (path: PathSegment[]) => void;
  /** Path of objects to return as `JsonSource`; null matches any index. */
  readonly sourceAt?: readonly (string | null)[];
}

/** The parser recurses; this limit prevents a stack overflow. */
const deepest = 1000;

/** Integers with fewer digits are below 2^53. */
const safeDigits = 15;

const endOfText = -1;
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const letterF = 0x66;
const letterN = 0x6e;
const letterT = 0x74;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const byteOrderMark = 0xfeff;

class Reader {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #onRepeatedKey: ParseJsonOptions['onRepeatedKey'];
  readonly #sourceAt: readonly (string | null)[];
  #offset = 0;
  #depth = 0;
  /** One segment per open container, null before a key. Segments from `#depth` on are stale. */
  readonly #path: (PathSegment | null)[] = [];

  constructor(text: string, { maxDepth = 64, onRepeatedKey, sourceAt = [] }: ParseJsonOptions) {
    this.#text = text;
    this.#maxDepth = Math.min(maxDepth, deepest);
    this.#onRepeatedKey = onRepeatedKey;
    this.#sourceAt = sourceAt;
  }

  readDocument(): JsonValue {
    if (this.#text.charCodeAt(0) === byteOrderMark) {
      throw new JsonParseError('syntax', 0, 'a byte order mark is not allowed');
    }
    const value = this.#readValue();
    if (this.#skipSpace() !== endOfText) {
      throw new JsonParseError('trailing_data', this.#offset, 'unexpected text after the value');
    }
    return value;
  }

  openSegments(): PathSegment[] {
    return this.#path.slice(0, this.#depth).filter((segment) => segment !== null);
  }

  #readValue(): JsonValue {
    const code = this.#skipSpace();
    if (code === quote) return this.#readString();
    if (code === openBrace) return this.#readObject();
    if (code === openBracket) return this.#readArray();
    if (code === minus || (code >= zero && code <= nine)) return this.#readNumber();
    if (code === letterT && this.#skipWord('true')) return true;
    if (code === letterF && this.#skipWord('false')) return false;
    if (code === letterN && this.#skipWord('null')) return null;
    throw this.#expected('a value');
  }

  #readObject(): JsonObject {
    const level = this.#enter();
    const object: JsonObject = {};
    this.#path[level] = null;
    let code = this.#skipSpace();
    if (code === closeBrace) return this.#leave(object);
    for (;;) {
      if (code !== quote) throw this.#expected('a key in double quotes');
      const keyOffset = this.#offset;
      const key = this.#readString();
      this.#path[level] = key;
      const isRepeated = Object.hasOwn(object, key);
      if (isRepeated) this.#reportRepeated(keyOffset);
      if (this.#skipSpace() !== colon) throw this.#expected('a colon');
      this.#offset += 1;
      const value = this.#isSourceAt(level, key) ? this.#readSource() : this.#readValue();
      if (!isRepeated) setOwn(object, key, value);
      this.#path[level] = null;
      code = this.#skipSpace();
      if (code === closeBrace) return this.#leave(object);
      if (code !== comma) throw this.#expected('a comma or a closing brace');
      this.#offset += 1;
      code = this.#skipSpace();
    }
  }

  #isSourceAt(level: number, key: string): boolean {
    if (level !== this.#sourceAt.length - 1 || key !== this.#sourceAt[level]) return false;
    return this.#sourceAt.every((wanted, outer) =>
      wanted === null ? typeof this.#path[outer] === 'number' : wanted === this.#path[outer],
    );
  }

  #readSource(): JsonValue {
    const isObject = this.#skipSpace() === openBrace;
    const start = this.#offset;
    const value = this.#readValue();
    return isObject ? new JsonSource(this.#text.slice(start, this.#offset)) : value;
  }

  #reportRepeated(keyOffset: number): void {
    if (!this.#onRepeatedKey) {
      throw new JsonParseError('duplicate_key', keyOffset, 'the key is repeated');
    }
    this.#onRepeatedKey(this.openSegments());
  }

  #readArray(): JsonValue[] {
    const level = this.#enter();
    const array: JsonValue[] = [];
    if (this.#skipSpace() === closeBracket) return this.#leave(array);
    for (;;) {
      this.#path[level] = array.length;
      array.push(this.#readValue());
      const code = this.#skipSpace();
      if (code === closeBracket) return this.#leave(array);
      if (code !== comma) {
        this.#path[level] = null;
        throw this.#expected('a comma or a closing bracket');
      }
      this.#offset += 1;
    }
  }

  #readString(): string {
    const start = this.#offset + 1;
    const plainEnd = endOfPlainRun(this.#text, start);
    const end = closingQuote(this.#text, plainEnd);
    this.#offset = end + 1;
    if (end === plainEnd) return this.#text.slice(start, end);
    // The literal is valid, so `JSON.parse` can unescape it.
    return JSON.parse(this.#text.slice(start - 1, end + 1));
  }

  #readNumber(): number | bigint {
    const start = this.#offset;
    const small = this.#readSmallInteger(start);
    if (small >= 0) return small;
    const integerEnd = endOfInteger(this.#text, start);
    const end = endOfFraction(this.#text, integerEnd);
    this.#offset = end;
    return numberBetween(this.#text, start, integerEnd, end);
  }

  #readSmallInteger(start: number): number {
    const text = this.#text;
    const limit = Math.min(text.length, start + safeDigits);
    let value = 0;
    for (let at = start; at < limit; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= zero && code <= nine) {
        value = value * 10 + code - zero;
        continue;
      }
      const leadingZero = at > start + 1 && text.charCodeAt(start) === zero;
      if (at === start || leadingZero || continuesAfterInteger(code)) return -1;
      this.#offset = at;
      return value;
    }
    return -1;
  }

  #enter(): number {
    if (this.#depth >= this.#maxDepth) {
      const message = `arrays and objects are nested more than ${this.#maxDepth} levels deep`;
      throw new JsonParseError('too_deep', this.#offset, message);
    }
    this.#offset += 1;
    this.#depth += 1;
    return this.#depth - 1;
  }

  #leave<Container>(container: Container): Container {
    this.#offset += 1;
    this.#depth -= 1;
    return container;
  }

  #skipWord(word: string): boolean {
    if (!this.#text.startsWith(word, this.#offset)) return false;
    this.#offset += word.length;
    return true;
  }

  #skipSpace(): number {
    const text = this.#text;
    const { length } = text;
    let at = this.#offset;
    let code = endOfText;
    while (at < length) {
      code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
      at += 1;
    }
    this.#offset = at;
    return at < length ? code : endOfText;
  }

  #expected(what: string): JsonParseError {
    const ended = this.#offset >= this.#text.length;
    const message = ended ? `unexpected end of text, expected ${what}` : `expected ${what}`;
    return new JsonParseError('syntax', this.#offset, message);
  }
}

const setOwn = (object: JsonObject, key: string, value: JsonValue): void => {
  if (key !== '__proto__') {
    object[key] = value;
    return;
  }
  // Assignment would call the prototype setter.
  Object.defineProperty(object, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
};

/**
 * Parses JSON. In addition to invalid JSON it rejects repeated keys, NUL and lone surrogates in
 * strings, nesting beyond `maxDepth`, and numbers too large for a double. Integers outside the
 * safe range become exact `bigint`s. Up to 2^52 no fraction is rounded to an integer.
 */
export const parseJson = (text: string, options: ParseJsonOptions = {}): JsonValue => {
  const reader = new Reader(text, options);
  try {
    return reader.readDocument();
  } catch (thrown) {
    throw thrown instanceof JsonParseError ? refusal(text, thrown, reader.openSegments()) : thrown;
  }
};
