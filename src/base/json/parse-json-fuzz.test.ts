import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { cases } from '../testing/long.ts';
import type { JsonValue } from './json-value.ts';
import { parseJson } from './parse-json.ts';

const maxDepth = 4;
const seed = 20_240_229;

type Outcome = { value: JsonValue } | { refused: unknown };

const readStrictly = (text: string): Outcome => {
  try {
    return { value: parseJson(text, { maxDepth }) };
  } catch (thrown) {
    if (!(thrown instanceof BusbarError)) throw thrown;
    return { refused: thrown.details.reason };
  }
};

const readNatively = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

/** A non-integer literal whose nearest double is an integer becomes the adjacent double. */
const isBeside = (ours: number, theirs: unknown): boolean =>
  !Number.isInteger(ours) &&
  Number.isInteger(theirs) &&
  Math.abs(ours - Number(theirs)) <= Math.max(Math.abs(ours) * Number.EPSILON, Number.MIN_VALUE);

/** Equality that knows -0, own properties only, and a bigint as the double nearest to it. */
const same = (ours: JsonValue, theirs: unknown): boolean => {
  if (typeof ours === 'number' && isBeside(ours, theirs)) return true;
  if (typeof ours === 'bigint') {
    return Number(ours) === theirs && !Number.isSafeInteger(theirs);
  }
  if (typeof ours !== 'object' || ours === null) return Object.is(ours, theirs);
  if (typeof theirs !== 'object' || theirs === null) return false;
  if (Object.getPrototypeOf(ours) !== Object.getPrototypeOf(theirs)) return false;
  const [left, right] = [Object.entries(ours), Object.entries(theirs)];
  return (
    left.length === right.length &&
    left.every(([key, value], index) => key === right[index]?.[0] && same(value, right[index][1]))
  );
};

/** Finds, by tokens alone, every reason to reject a valid JSON text. */
const strictnessesIn = (validJson: string): Set<unknown> => {
  const tokens = validJson.match(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g) ?? [];
  const found = new Set<unknown>();
  const keysOfOpen: Set<string>[] = [];
  tokens.forEach((token, index) => {
    if (token.startsWith('"')) {
      const value: string = JSON.parse(token);
      if (value.includes('\0')) found.add('nul');
      if (/\p{Surrogate}/u.test(token + value)) found.add('lone_surrogate');
      if (tokens[index + 1] === ':') {
        if (keysOfOpen.at(-1)?.has(value)) found.add('duplicate_key');
        keysOfOpen.at(-1)?.add(value);
      }
    } else if (token === '{' || token === '[') {
      keysOfOpen.push(new Set());
      if (keysOfOpen.length > maxDepth) found.add('too_deep');
    } else if (token === '}' || token === ']') {
      keysOfOpen.pop();
    } else if (/^[-\d]/.test(token) && !Number.isFinite(Number(token))) {
      found.add('number_out_of_range');
    }
  });
  return found;
};

interface Tally {
  accepted: number;
  reasons: Set<unknown>;
}

const expectAgreement = (text: string, tally: Tally): void => {
  const ours = readStrictly(text);
  const theirs = readNatively(text);
  if ('refused' in ours) {
    tally.reasons.add(ours.refused);
    if (theirs !== undefined) expect(strictnessesIn(text)).toContain(ours.refused);
    return;
  }
  tally.accepted += 1;
  if (theirs === undefined) throw new Error('accepted what JSON.parse refuses');
  expect(same(ours.value, theirs.value)).toBe(true);
  expect(strictnessesIn(text)).toStrictEqual(new Set());
};

const fragment = fc.constantFrom(
  ...['a', 'é', '😀', ' ', '\\n', '\\"', '\\\\', '\\/', '\\u0061', '\\ud83d\\ude00', '\u007f'],
  ...['\\u0000', '\\ud800', '\\udc00', '\ud83d', '\ude00', 'a run of plain text past the loop'],
);
const safeFragment = fc.constantFrom('a', 'b', '\\u0061', '\\n', '😀', '\\ud83d\\ude00');
const stringLiteral = fc
  .oneof(
    { arbitrary: fc.array(safeFragment, { maxLength: 4 }), weight: 9 },
    { arbitrary: fc.array(fragment, { maxLength: 4 }), weight: 1 },
  )
  .map((parts) => `"${parts.join('')}"`);
const keyLiteral = fc.oneof(
  fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"', '"constructor"', '"7"'),
  stringLiteral,
);
const numberLiteral = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.maxSafeInteger().map(String),
  fc.constantFrom('-0', '0', '0.0', '-0e1', '9007199254740992', '1e308', '1e309', '5e-324'),
);
const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r');

/** Texts that are always valid JSON and often violate one of the stricter rules. */
const { document } = fc.letrec<{ document: string }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(stringLiteral, numberLiteral, fc.constantFrom('true', 'false', 'null')),
    fc
      .array(fc.tuple(space, tie('document')), { maxLength: 4 })
      .map((items) => `[${items.map((item) => item.join('')).join(',')}]`),
    fc
      .array(fc.tuple(space, keyLiteral, space, fc.constant(':'), tie('document'), space), {
        maxLength: 4,
      })
      .map((members) => `{${members.map((member) => member.join('')).join(',')}}`),
  ),
}));

const insertion = fc.constantFrom(
  ...['', '{', '}', '[', ']', ':', ',', '"', '\\', '\\u', '\\u0061', '\\u0000', '\\ud800'],
  ...['\ud800', '\udc00', '\0', '\n', '\u001f', ' ', '\ufeff', '0', '9', '-', '+', '.', 'e', 'E'],
  ...['1e999', '9007199254740993', 'true', 'null', '"a":1,', '"\\u0061":1,', '[[[[', '/', "'"],
);
const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 2 }), inserted: insertion });
const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(texts, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([text, edits]) =>
    edits.reduce((changed, { at, removed, inserted }) => {
      const offset = at % (changed.length + 1);
      return changed.slice(0, offset) + inserted + changed.slice(offset + removed);
    }, text),
  );

const tallyOf = (texts: fc.Arbitrary<string>, numRuns: number): Tally => {
  const tally: Tally = { accepted: 0, reasons: new Set() };
  fc.assert(
    fc.property(texts, (text) => expectAgreement(text, tally)),
    { seed, numRuns },
  );
  return tally;
};

describe('parseJson beside JSON.parse', () => {
  it('agrees on the documents that a generator of JSON makes', () => {
    const { accepted } = tallyOf(fc.json({ maxDepth: 3 }), cases(300, 1500));
    expect(accepted).toBeGreaterThan(cases(200, 1000));
  });

  it('refuses valid documents for its own reasons only', () => {
    const { accepted, reasons } = tallyOf(document, cases(1200, 6000));
    expect(accepted).toBeGreaterThan(cases(200, 1000));
    expect([...reasons].sort()).toStrictEqual([
      'duplicate_key',
      'lone_surrogate',
      'nul',
      'number_out_of_range',
      'too_deep',
    ]);
  });

  it('never accepts a damaged document that JSON.parse refuses', () => {
    const { accepted, reasons } = tallyOf(
      mutated(fc.oneof(document, fc.json())),
      cases(2000, 10_000),
    );
    expect(accepted).toBeGreaterThan(cases(100, 500));
    expect(reasons).toContain('syntax');
    expect(reasons).toContain('trailing_data');
    expect(reasons).toContain('bad_number');
    expect(reasons).toContain('control_character');
  });

  it('reads every integer literal exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), (integer) => {
        const value = parseJson(String(integer));
        expect(typeof value).toBe(Number.isSafeInteger(Number(integer)) ? 'number' : 'bigint');
        expect(BigInt(value as number | bigint)).toBe(integer);
      }),
      { seed, numRuns: cases(400, 2000) },
    );
  });
});
