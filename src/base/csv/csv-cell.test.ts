import { describe, expect, it } from 'vitest';
import { csvCell } from './csv-cell.ts';

describe('csvCell', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    [12, '12'],
    [false, 'false'],
  ])('writes %j as %s', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('tells an empty text from what is missing', () => {
    expect([csvCell(''), csvCell(null), csvCell(undefined)]).toEqual(['""', '', '']);
  });
});
