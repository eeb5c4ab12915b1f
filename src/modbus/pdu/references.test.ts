import { describe, expect, it } from 'vitest';
import { type DataTable, dataTables, tableOfRead, tableRows } from './data-tables.ts';
import { formatReference, parseReference } from './references.ts';

const reasonOf = (reference: string, table?: DataTable): unknown => {
  try {
    return parseReference(reference, table);
  } catch (thrown) {
    return (thrown as { details: { reason: string } }).details.reason;
  }
};

describe('references', () => {
  it.each<[string, DataTable, number]>([
    ['40001', 'holding', 0],
    ['40101', 'holding', 100],
    ['49999', 'holding', 9998],
    ['400001', 'holding', 0],
    ['400101', 'holding', 100],
    ['465536', 'holding', 65_535],
    ['30001', 'input', 0],
    ['310000', 'input', 9999],
    ['10001', 'discrete', 0],
    ['165536', 'discrete', 65_535],
    ['00001', 'coil', 0],
    ['000001', 'coil', 0],
    ['09999', 'coil', 9998],
    ['065536', 'coil', 65_535],
  ])('%s is in the table %s at address %i', (reference, table, address) => {
    expect(parseReference(reference)).toEqual({ table, address });
    expect(parseReference(reference, table)).toEqual({ table, address });
  });

  it.each([
    '',
    '1',
    '4001',
    '4000001',
    '20001',
    '50001',
    '0x40001',
    '40001 ',
    '+40001',
    '4000a',
    '４0001',
  ])('refuses %o as malformed', (reference) => {
    expect(reasonOf(reference)).toBe('malformed');
  });

  it.each(['40000', '400000', '00000', '465537', '499999'])(
    'refuses %s as out of range',
    (reference) => {
      expect(reasonOf(reference)).toBe('range');
    },
  );

  it('refuses a reference into another table', () => {
    expect(() => parseReference('40001', 'input')).toThrow(
      '40001 is in the table holding, not in input',
    );
    expect(reasonOf('00001', 'discrete')).toBe('other_table');
  });

  it('are five digits as long as these suffice, and six when asked for', () => {
    const at = (address: number, form?: 'short' | 'long') =>
      dataTables.map((table) => formatReference({ table, address }, form));
    expect(at(0)).toEqual(['00001', '10001', '30001', '40001']);
    expect(at(9998)).toEqual(['09999', '19999', '39999', '49999']);
    expect(at(9999)).toEqual(['010000', '110000', '310000', '410000']);
    expect(at(65_535)).toEqual(['065536', '165536', '365536', '465536']);
    expect(at(100, 'long')).toEqual(['000101', '100101', '300101', '400101']);
  });

  it('mean the same item after they were written', () => {
    for (const table of dataTables) {
      for (const address of [0, 1, 99, 9997, 9998, 9999, 10_000, 65_535]) {
        for (const form of ['short', 'long'] as const) {
          const reference = formatReference({ table, address }, form);
          expect(parseReference(reference, table)).toEqual({ table, address });
        }
      }
    }
  });
});

describe('tables', () => {
  it.each(dataTables)('are found again by the function that reads them: %s', (table) => {
    expect(tableOfRead(tableRows[table].readFunction)).toBe(table);
  });
});
