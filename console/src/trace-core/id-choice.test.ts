import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileEventFilter } from '../../../src/frame/event-filter.ts';
import { matchesId, parseIdChoices } from './id-choice.ts';
import { aRecord, error, extended } from './testing/records.ts';

const id = fc.oneof(
  fc.constantFrom(0x000, 0x123, 0x1ff, 0x7ff, 0x800, 0x1234, 0x18ff50e5, 0x1fffffff),
  fc.integer({ min: 0, max: 0x7ff }),
  fc.integer({ min: 0, max: 0x1fffffff }),
);
const flags = fc.constantFrom(0, extended, error);
const number = fc
  .tuple(fc.constantFrom('', '0x'), id, fc.constantFrom(1, 3, 4, 8, 9), fc.constantFrom('', 'h'))
  .map(([head, value, digits, tail]) => head + value.toString(16).padStart(digits, '0') + tail);
const text = fc.oneof(
  number,
  fc.tuple(number, fc.constantFrom('-', ':'), number).map((parts) => parts.join('')),
);

/** Whether frames pass the filter of the service; null where it refuses the text. */
const serviceTest = (pattern: string) => {
  try {
    return compileEventFilter({ id: [pattern] }) ?? null;
  } catch {
    return null;
  }
};

describe('a pattern that the service knows', () => {
  it('means the same frames in the console, and is refused by both or by none', () => {
    fc.assert(
      fc.property(text, id, flags, (pattern, value, flag) => {
        const passes = serviceTest(pattern);
        const parsed = parseIdChoices(pattern);
        expect('ok' in parsed).toBe(passes !== null);
        if (!('ok' in parsed) || passes === null) return;
        // No frame of 11 bits has more of them.
        const frame = (flag & extended) === 0 ? value & 0x7ff : value;
        const record = aRecord({ id: frame, flags: flag });
        expect(matchesId(parsed.ok, frame, flag)).toBe(passes(record, 0));
        const [low = 0] = parsed.ok.map((choice) => choice.low);
        const own = aRecord({ id: low, flags: flag });
        expect(matchesId(parsed.ok, low, flag)).toBe(passes(own, 0));
      }),
      { seed: 47, numRuns: 1000 },
    );
  });
});

describe('a wildcard', () => {
  it('means what each of its digits would mean', () => {
    const digits = '0123456789ABCDEF';
    for (const pattern of ['7E?', '?00', '18FF50E?', '?8FF50E5', '12?x']) {
      const wild = parseIdChoices(pattern);
      const own = [...digits].flatMap((digit) => {
        const parsed = parseIdChoices(pattern.replace('?', digit));
        return 'ok' in parsed ? parsed.ok : [];
      });
      const width = 'ok' in wild && wild.ok[0]?.extended ? extended : 0;
      const meant = own.filter((choice) => choice.extended === (width !== 0));
      expect(meant.length).toBeGreaterThan(1);
      for (const { low } of meant) {
        expect('ok' in wild && matchesId(wild.ok, low, width)).toBe(true);
        expect('ok' in wild && matchesId(wild.ok, low ^ 0x10, width)).toBe(
          meant.some((other) => other.low === (low ^ 0x10)),
        );
      }
    }
  });
});
