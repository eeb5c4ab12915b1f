import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { cases } from '../../base/testing/long.ts';
import { newSymbols, statementKeywords } from './read/keywords.ts';
import { readDbc } from './read-dbc.ts';
import { writeDbc } from './testing/write-dbc.ts';

const folder = join(import.meta.dirname, '../../../tests/golden/dbc');
const files = readdirSync(folder).map((name) => new Uint8Array(readFileSync(join(folder, name))));

/** Whether a file was read or rejected; any other result is a defect. */
const endOf = (bytes: Uint8Array): 'read' | 'refused' => {
  try {
    const { database, diagnostics } = readDbc(bytes);
    expect(diagnostics.filter(({ line, column }) => line < 1 || column < 1)).toEqual([]);
    // Any database that was read can also be written and read again, however odd it is.
    readDbc(writeDbc(database));
    return 'read';
  } catch (thrown) {
    if (!(thrown instanceof BusbarError)) throw thrown;
    expect(thrown.code).toBe('invalid_database');
    expect(Object.keys(thrown.details)).toEqual(['line', 'column', 'reason']);
    return 'refused';
  }
};

const file = fc.constantFrom(...files);
const bounded = { seed: 1939, numRuns: cases(15, 150), interruptAfterTimeLimit: 10_000 };

describe('whatever the bytes are, a file is read or refused', () => {
  it('when it was cut off', () => {
    const ends = new Set<string>();
    for (const bytes of files) {
      for (let length = 0; length < bytes.length; length += cases(151, 31)) {
        ends.add(endOf(bytes.subarray(0, length)));
      }
    }
    expect(ends).toEqual(new Set(['read', 'refused']));
  });

  it('when bytes were changed', () => {
    const change = fc.record({ at: fc.nat(), byte: fc.nat(255) });
    fc.assert(
      fc.property(file, fc.array(change, { minLength: 1, maxLength: 12 }), (bytes, changes) => {
        const changed = bytes.slice();
        for (const { at, byte } of changes) changed[at % changed.length] = byte;
        endOf(changed);
      }),
      bounded,
    );
  });

  it('when parts were left out, repeated or swapped', () => {
    const cut = fc.tuple(fc.nat(), fc.nat(), fc.nat());
    fc.assert(
      fc.property(file, cut, (bytes, cuts) => {
        const [a = 0, b = 0, c = 0] = cuts.map((at) => at % bytes.length).sort((x, y) => x - y);
        const parts = [bytes.subarray(0, b), bytes.subarray(a, c), bytes.subarray(b)];
        endOf(Uint8Array.from(parts.flatMap((part) => [...part])));
      }),
      bounded,
    );
  });

  it('when it is made of tokens in any order', () => {
    const token = fc.constantFrom(
      ...statementKeywords,
      ...newSymbols,
      ...['"', '"text"', '\\"', ':', ';', ',', '|', '@', '(', ')', '[', ']', '+', '-', '\n', '//'],
      ...['0', '1', '256', '2566844926', '.5', '1E999', '1.#INF', 'm0', 'M', 'm0M', 'Name', '0x1F'],
      ...['ENUM', 'INT', 'STRING', 'Vector__XXX', '__proto__', 'VECTOR__INDEPENDENT_SIG_MSG'],
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 200 }), (tokens) => {
        endOf(new TextEncoder().encode(`BO_ 1 M: 8 A\n${tokens.join(' ')}`));
      }),
      bounded,
    );
  });

  it('when it is no text at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        endOf(bytes);
      }),
      bounded,
    );
  });

  it.each([
    ['brackets', '(', 'BO_ 1 M: 8 A\n'],
    ['quotes', '"\n', 'BO_ 1 M: 8 A\nCM_ '],
    ['escaped quotes', '\\"', 'BO_ 1 M: 8 A\nCM_ "'],
    ['digits', '9', 'BO_ '],
    ['messages', 'BO_ 1 M: 8 A\n', ''],
    ['signals at one place', ' SG_ X : 0|64@1+ (1,0) [0|0] "" A\n', 'BO_ 1 M: 8 A\n'],
    ['ranges', '1-2,', 'BO_ 1 M: 8 A\n SG_ S M : 0|8@1+ (1,0) [0|0] "" A\nSG_MUL_VAL_ 1 S S '],
    ['choices', '"a",', 'BO_ 1 M: 8 A\nBA_DEF_ "x" ENUM '],
    ['unknown words', 'FOO\n', 'BO_ 1 M: 8 A\n'],
    ['semicolons', ';', 'BO_ 1 M: 8 A\n'],
  ])('when it is a very long run of %s', (_, piece, start) => {
    const text = start + piece.repeat(Math.floor(cases(100_000, 2_000_000) / piece.length));
    expect(['read', 'refused']).toContain(endOfLarge(text));
  });
});

/** Does not write such a file, which would test nothing new. */
const endOfLarge = (text: string): string => {
  try {
    readDbc(new TextEncoder().encode(text));
    return 'read';
  } catch (thrown) {
    if (!(thrown instanceof BusbarError)) throw thrown;
    return 'refused';
  }
};
