import type { Condition, Duration, Term } from './condition.ts';
import { conditionError, Scanner, type Token } from './scanner.ts';
import { readDuration, termNames, terms } from './terms.ts';

export const maxConditionLength = 4096;
export const maxConditionTerms = 64;
const maxDepth = 32;

const operators = 'and, or, within, or the end';

class ConditionParser {
  readonly #scanner: Scanner;
  readonly #isWhole: boolean;
  #terms = 0;
  #depth = 0;

  constructor(scanner: Scanner, isWhole: boolean) {
    this.#scanner = scanner;
    this.#isWhole = isWhole;
  }

  /** Alternatives: the lowest precedence. */
  read(): Condition {
    const scanner = this.#scanner;
    const { at } = scanner.token;
    const parts = [this.#readAnd()];
    while (scanner.takeIf('or')) parts.push(this.#readAnd());
    if (parts.length === 1) return parts[0] as Condition;
    const kind = parts.every((part) => part.kind === 'state') ? 'state' : 'instant';
    return { op: 'or', kind, at, parts };
  }

  #readAnd(): Condition {
    const scanner = this.#scanner;
    const { at } = scanner.token;
    const parts: Condition[] = [];
    let instants = 0;
    do {
      const start = scanner.token;
      const part = this.#readWithin();
      if (part.kind === 'instant') instants += 1;
      if (instants > 1) scanner.fail('a state: and joins at most one instant with states', start);
      parts.push(part);
    } while (scanner.takeIf('and'));
    if (parts.length === 1) return parts[0] as Condition;
    return { op: 'and', kind: instants > 0 ? 'instant' : 'state', at, parts };
  }

  #readWithin(): Condition {
    const scanner = this.#scanner;
    const { at } = scanner.token;
    const first = this.#readNot();
    const window = this.#readWindow();
    if (window === null) return first;
    return { op: 'within', kind: 'instant', at, first, second: this.#readNot(), window };
  }

  /** In a text that continues, `within` without `of` belongs to what follows. */
  #readWindow(): Duration | null {
    const scanner = this.#scanner;
    const start = scanner.token;
    if (!scanner.takeIf('within')) return null;
    const duration = readDuration(scanner);
    if (scanner.takeIf('of')) return duration;
    if (this.#isWhole) return scanner.fail('of');
    scanner.back(start);
    return null;
  }

  #readNot(): Condition {
    const scanner = this.#scanner;
    const { at } = scanner.token;
    if (!scanner.isWord('not')) return this.#readPrimary();
    this.#descend();
    const start = scanner.token;
    const part = this.#readNot();
    this.#depth -= 1;
    if (part.kind !== 'state') scanner.fail('a state: an instant cannot be negated', start);
    return { op: 'not', kind: 'state', at, part };
  }

  #readPrimary(): Condition {
    const scanner = this.#scanner;
    if (scanner.token.kind !== '(') return this.#readTerm();
    this.#descend();
    const inner = this.read();
    this.#depth -= 1;
    const end = scanner.token;
    if (end.kind !== ')') scanner.fail('and, or, within, or )');
    scanner.take();
    return inner;
  }

  /** Takes `not` or a parenthesis. */
  #descend(): void {
    const scanner = this.#scanner;
    this.#depth += 1;
    if (this.#depth > maxDepth) scanner.fail(`at most ${maxDepth} levels of nesting`);
    scanner.take();
  }

  #readTerm(): Condition {
    const scanner = this.#scanner;
    const { token } = scanner;
    const { at, kind, text } = token;
    const op = kind === 'word' ? termNames.find((name) => name === text) : undefined;
    if (op === undefined) return scanner.fail(`not, ( or one of ${termNames.join(', ')}`);
    this.#terms += 1;
    if (this.#terms > maxConditionTerms) scanner.fail(`at most ${maxConditionTerms} terms`);
    scanner.take();
    const row = terms[op];
    const parts = row.read(scanner);
    return { op, kind: row.kind, at, ...parts, on: this.#readOn() } as Term;
  }

  #readOn(): Term['on'] {
    const scanner = this.#scanner;
    if (!scanner.takeIf('on')) return null;
    const { kind, text, at } = scanner.token;
    if ((kind !== 'word' && kind !== 'text') || text === '') return scanner.fail('a channel');
    scanner.take();
    return { channel: text, at };
  }
}

const scannerOf = (text: string, field: string, from = 0): Scanner => {
  if (text.length > maxConditionLength) {
    const expected = `at most ${maxConditionLength} characters`;
    throw conditionError(field, maxConditionLength, expected, `expected ${expected}`);
  }
  return new Scanner(text, field, from);
};

/** Parses a text from a place to its end. `field` names it in errors. */
export const parseCondition = (text: string, field: string, from = 0): Condition => {
  const scanner = scannerOf(text, field, from);
  const condition = new ConditionParser(scanner, true).read();
  if (scanner.token.kind !== 'end') scanner.fail(operators);
  return condition;
};

/**
 * Parses a condition that is a part of a text: it ends before the first word that cannot belong
 * to it, which is returned.
 */
export const parseConditionIn = (
  text: string,
  field: string,
  from: number,
): { readonly condition: Condition; readonly next: Token } => {
  const scanner = scannerOf(text, field, from);
  const condition = new ConditionParser(scanner, false).read();
  return { condition, next: scanner.token };
};
