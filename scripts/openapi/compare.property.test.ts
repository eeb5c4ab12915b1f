import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../src/base/testing/long.ts';
import { findBreakingChanges } from './compare.ts';
import { randomDocument } from './random-document.ts';
import { additionsTo, type Edit, removalsFrom } from './random-edits.ts';

const runs = { seed: 20_240_601, numRuns: cases(20, 100) };
const someChoices = fc.array(fc.nat(), { minLength: 1, maxLength: 4 });
const pick = (edits: Edit[], choice: number): Edit | undefined => edits[choice % edits.length];

/** The same document in another order with other descriptions. */
function rewritten(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item)).reverse();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, rewritten(inner, name)]);
  const isSchema = key !== 'properties' && ('type' in value || '$ref' in value || 'enum' in value);
  if (isSchema) entries.push(['description', 'In other words'], ['examples', ['other']]);
  return Object.fromEntries(entries.reverse());
}

describe('any document', () => {
  it('breaks nothing when it stays the same', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        expect(findBreakingChanges(document, structuredClone(document))).toEqual([]);
      }),
      runs,
    );
  });

  it('breaks nothing when only order and texts change', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const after = rewritten(document) as typeof document;
        expect(findBreakingChanges(document, after)).toEqual([]);
      }),
      runs,
    );
  });

  it('breaks nothing when things are only added', () => {
    fc.assert(
      fc.property(randomDocument, someChoices, (document, choices) => {
        const after = structuredClone(document);
        for (const choice of choices) pick(additionsTo(after), choice)?.apply();
        expect(findBreakingChanges(document, after)).toEqual([]);
      }),
      runs,
    );
  });

  it('breaks a client whatever is removed', () => {
    fc.assert(
      fc.property(randomDocument, fc.nat(), (document, choice) => {
        const after = structuredClone(document);
        const removal = pick(removalsFrom(after), choice);
        removal?.apply();
        expect(findBreakingChanges(document, after), removal?.name).not.toEqual([]);
      }),
      runs,
    );
  });

  it('breaks a client by a removal even among additions', () => {
    fc.assert(
      fc.property(randomDocument, fc.nat(), someChoices, (document, choice, choices) => {
        const after = structuredClone(document);
        const removal = pick(removalsFrom(after), choice);
        removal?.apply();
        for (const addition of choices) pick(additionsTo(after), addition)?.apply();
        expect(findBreakingChanges(document, after), removal?.name).not.toEqual([]);
      }),
      runs,
    );
  });

  it('is left as it was', () => {
    fc.assert(
      fc.property(randomDocument, randomDocument, (before, after) => {
        const copies = structuredClone([before, after]);
        findBreakingChanges(before, after);
        expect([before, after]).toEqual(copies);
      }),
      runs,
    );
  });
});
