import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { comparisons } from './condition.ts';

export type TokenKind = 'word' | 'text' | 'comparison' | '(' | ')' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Without quotes. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

const blank = /\s*/y;
const word = /[^\s()"<>=!]+/y;
const comparison = /<=|>=|!=|==|<|>|=/y;
const quoted = /"((?:[^"\\]|\\["\\])*)"/y;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

const maxFound = 32;

export const conditionError = (
  field: string,
  offset: number,
  expected: string,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): BusbarError =>
  invalidArgument(field, `${field}: ${message}`, {
    reason: 'condition',
    offset,
    expected,
    ...more,
  });

/** Reads the words of a text in order. Offsets count UTF-16 units, as JavaScript does. */
export class Scanner {
  readonly field: string;
  readonly text: string;
  #token: Token;

  constructor(text: string, field: string, from = 0) {
    this.field = field;
    this.text = text;
    this.#token = this.#read(from);
  }

  get token(): Token {
    return this.#token;
  }

  take(): Token {
    const token = this.#token;
    this.#token = this.#read(token.end);
    return token;
  }

  /** Continues from a token that was taken before. */
  back(to: Token): void {
    this.#token = to;
  }

  isWord(text: string): boolean {
    const { kind, text: found } = this.#token;
    return kind === 'word' && found === text;
  }

  /** Takes a word if it is the next one. */
  takeIf(text: string): boolean {
    const isNext = this.isWord(text);
    if (isNext) this.take();
    return isNext;
  }

  fail(expected: string, { at, end, kind }: Token = this.#token): never {
    const found = kind === 'end' ? 'the end' : this.text.slice(at, Math.min(end, at + maxFound));
    throw conditionError(
      this.field,
      at,
      expected,
      `expected ${expected} at offset ${at}, found ${found}`,
    );
  }

  #read(from: number): Token {
    const text = this.text;
    const at = from + (matchAt(blank, text, from)?.[0].length ?? 0);
    if (at >= text.length) return { kind: 'end', text: '', at, end: at };
    const first = text[at] as string;
    if (first === '(' || first === ')') return { kind: first, text: first, at, end: at + 1 };
    if (first === '"') {
      const match = matchAt(quoted, text, at);
      const whole = { kind: 'text', text: first, at, end: text.length } as const;
      if (match === null) return this.fail('a closing quotation mark', whole);
      const content = (match[1] as string).replace(/\\(["\\])/g, '$1');
      return { kind: 'text', text: content, at, end: at + match[0].length };
    }
    const operator = matchAt(comparison, text, at)?.[0];
    if (operator !== undefined) {
      return { kind: 'comparison', text: operator, at, end: at + operator.length };
    }
    const found = matchAt(word, text, at)?.[0];
    if (found === undefined) {
      const wrong = { kind: 'word', text: first, at, end: at + 1 } as const;
      return this.fail(`a word or one of ${comparisons.join(' ')}`, wrong);
    }
    return { kind: 'word', text: found, at, end: at + found.length };
  }
}

const plainWord = /^[^\s()"<>=!]+$/;

/** A name as it is written in a condition: quoted where it has to be. */
export const writtenName = (name: string): string =>
  plainWord.test(name) ? name : writtenText(name);

export const writtenText = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
