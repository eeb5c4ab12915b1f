import { describe, expect, it } from 'vitest';
import { fieldPath } from './field-path.ts';

describe('fieldPath', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b', 2, 'c'], 'a.b[2].c'],
    [[0, 1, 'a-b_c/d'], '[0][1].a-b_c/d'],
    [['größe', '😀'], 'größe.😀'],
    [['a.b', 'c'], '["a.b"].c'],
    [['a', ''], 'a[""]'],
    [['a', 'x[0]'], 'a["x[0]"]'],
    [['say "hi"'], '["say \\"hi\\""]'],
  ])('writes %j as %s', (segments, path) => {
    expect(fieldPath(segments)).toBe(path);
  });

  it('escapes what a terminal might act upon', () => {
    expect(fieldPath(['\u001b[31m', '\u009b', '\u202e', '\u{e0001}'])).toBe(
      '["\\u001b[31m"]["\\u009b"]["\\u202e"]["\\udb40\\udc01"]',
    );
  });

  it('shortens long keys without cutting a character in two', () => {
    expect(fieldPath(['k'.repeat(65)])).toBe(`${'k'.repeat(64)}…`);
    expect(fieldPath(['k'.repeat(64)])).toBe('k'.repeat(64));
    expect(fieldPath([`${'k'.repeat(63)}😀`])).toBe(`${'k'.repeat(63)}…`);
    expect(fieldPath([`${'k'.repeat(62)}😀x`])).toBe(`${'k'.repeat(62)}😀…`);
  });
});
