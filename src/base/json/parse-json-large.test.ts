import { describe, expect, it } from 'vitest';
import { cases } from '../testing/long.ts';
import { parseJson } from './parse-json.ts';

const million = 1_000_000;
const manyKeys = cases(30_000, 300_000);
/** Ample for linear work on a busy machine, hopeless for quadratic work. */
const timeout = 60_000;

const refusedAs = (reason: string) =>
  expect.objectContaining({ details: expect.objectContaining({ reason }) });

const distinctKeys = (keyOf: (index: number) => string): string =>
  `{${Array.from({ length: manyKeys }, (_, index) => `"${keyOf(index)}":0`).join(',')}}`;

describe('parseJson on inputs of millions of characters', { timeout }, () => {
  it.each([
    ['brackets', '['.repeat(million)],
    ['braces', '{"a":'.repeat(million)],
    ['closed brackets', '['.repeat(million) + ']'.repeat(million)],
  ])('refuses nested %s without running out of stack', (_name, text) => {
    expect(() => parseJson(text)).toThrow(refusedAs('too_deep'));
    expect(() => parseJson(text, { maxDepth: million * 2 })).toThrow(refusedAs('too_deep'));
  });

  it.each([
    ['words', (index: number) => `key${index}`],
    ['rising numbers', (index: number) => `${index}`],
    ['falling numbers', (index: number) => `${manyKeys - index}`],
    ['scattered numbers', (index: number) => `${(index * 7919) % 1_000_003}`],
    ['escapes', (index: number) => `\\u0061${index}`],
  ])('reads keys that are %s, and finds one repeated at the end', (_name, keyOf) => {
    const text = distinctKeys(keyOf);
    expect(Object.keys(parseJson(text) as object).length).toBe(manyKeys);
    const repeated = `${text.slice(0, -1)},"${keyOf(0)}":1}`;
    expect(() => parseJson(repeated)).toThrow(refusedAs('duplicate_key'));
  });

  it.each([
    ['plain characters', 'x', 'x'],
    ['escapes', '\\n', '\n'],
    ['unicode escapes', '\\u00e9', 'é'],
    ['surrogate pairs', '😀', '😀'],
  ])('reads a string of %s', (_name, written, meant) => {
    expect(parseJson(`"${written.repeat(million)}"`) === meant.repeat(million)).toBe(true);
  });

  it('reads a long array and long stretches of white space', () => {
    expect((parseJson(`[${'1 ,\n'.repeat(million)}1]`) as unknown[]).length).toBe(million + 1);
    expect(parseJson(`${' \n'.repeat(million)}1`)).toBe(1);
  });

  it('finds the place of a flaw behind a million lines', () => {
    expect(() => parseJson(`[${'1,\n'.repeat(million)}]`)).toThrow(
      expect.objectContaining({
        details: { field: '[1000000]', reason: 'syntax', line: million + 1, column: 1 },
      }),
    );
  });

  it('reads long numbers, and refuses the infinite ones without converting them', () => {
    const digits = '1'.repeat(million);
    expect(parseJson(`0.${digits}`)).toBe(1 / 9);
    expect(parseJson(`1e-${digits}`)).toBe(Number.MIN_VALUE);
    expect(parseJson(`0e${digits}`)).toBe(0);
    expect(() => parseJson(digits)).toThrow(refusedAs('number_out_of_range'));
    expect(() => parseJson(`1e${digits}`)).toThrow(refusedAs('number_out_of_range'));
  });

  it('refuses an unfinished string or number at its end', () => {
    expect(() => parseJson(`"${'x'.repeat(million)}`)).toThrow(refusedAs('syntax'));
    expect(() => parseJson(`${'1'.repeat(million)}.`)).toThrow(refusedAs('bad_number'));
  });
});
