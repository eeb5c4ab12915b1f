import { describe, expect, it } from 'vitest';
import { type ResourceRow, tablesOf } from './project.ts';
import { itemsOfRaw, rawOfItems } from './registers.ts';
import { readsOf, writeStepsOf } from './requests.ts';

let names = 0;
const resource = (
  table: ResourceRow['table'],
  address: number,
  more: Partial<ResourceRow> = {},
): ResourceRow => {
  names += 1;
  return { id: `r${names}`, endpoint: 'unit', table, address, access: 'poll', ...more };
};

const reads = (...resources: readonly ResourceRow[]): string[] =>
  readsOf(tablesOf({ modbus_resources: resources })).map(
    ({ table, address, count, pollMs }) => `${table} ${address}+${count} ${pollMs}`,
  );

describe('reads', () => {
  it('are shared by what touches or overlaps, never over a gap', () => {
    const touching = [resource('input', 4), resource('input', 0, { count: 4 })];
    expect(reads(...touching, resource('input', 2), resource('input', 6))).toEqual([
      'input 0+5 1000',
      'input 6+1 1000',
    ]);
  });

  it('are of one table, period and endpoint', () => {
    const others = [
      resource('holding', 1),
      resource('input', 1, { poll_ms: 5 }),
      resource('input', 1, { endpoint: 'other' }),
    ];
    expect(reads(resource('input', 0), ...others)).toEqual([
      ...['input 0+1 1000', 'holding 1+1 1000', 'input 1+1 5', 'input 1+1 1000'],
    ]);
  });

  it('take what the protocol can carry, and no value in two parts', () => {
    const values = Array.from({ length: 32 }, (_, place) =>
      resource('input', 4 * place, { count: 4 }),
    );
    expect(reads(...values)).toEqual(['input 0+124 1000', 'input 124+4 1000']);
    const coils = Array.from({ length: 2001 }, (_, place) => resource('coil', place));
    expect(reads(...coils)).toEqual(['coil 0+2000 1000', 'coil 2000+1 1000']);
  });
});

describe('request groups', () => {
  const steps = (...resources: readonly ResourceRow[]) =>
    writeStepsOf(resources, ({ count = 1, bit_offset: bit }) =>
      Array.from({ length: count }, () => (bit === undefined ? 1 : 1 << bit)),
    );

  it('go table by table as the task names them, by rising addresses', () => {
    const written = [
      resource('holding', 9),
      resource('coil', 3),
      resource('holding', 7, { count: 2 }),
      resource('coil', 1),
      resource('holding', 2),
    ];
    expect(steps(...written)).toEqual([
      { function: 6, address: 2, items: [1] },
      { function: 16, address: 7, items: [1, 1, 1] },
      { function: 5, address: 1, items: [1] },
      { function: 5, address: 3, items: [1] },
    ]);
    expect(steps(resource('coil', 1), resource('coil', 2))).toEqual([
      { function: 15, address: 1, items: [1, 1] },
    ]);
  });

  it('read the words that are written by bits, and no others', () => {
    const written = [
      resource('holding', 0, { bit_offset: 0 }),
      resource('holding', 0, { bit_offset: 15 }),
      resource('holding', 1),
      resource('holding', 2, { bit_offset: 4 }),
      resource('holding', 3, { bit_offset: 4 }),
    ];
    expect(steps(...written)).toEqual([
      {
        function: 16,
        address: 0,
        reads: [
          { address: 0, count: 1 },
          { address: 2, count: 2 },
        ],
        masks: [0x8001, 0xffff, 16, 16],
        items: [0x8001, 1, 16, 16],
      },
    ]);
  });

  it('have no more than the protocol can carry in a request', () => {
    const values = Array.from({ length: 31 }, (_, place) =>
      resource('holding', 4 * place, { count: 4 }),
    );
    expect(steps(...values).map(({ address, items }) => [address, items.length])).toEqual([
      [0, 120],
      [120, 4],
    ]);
  });
});

describe('raws in registers', () => {
  const float = (word_order: 'ABCD' | 'CDAB' | 'BADC' | 'DCBA') =>
    ({ id: 'c', kind: 'linear', raw: 'float32', word_order }) as const;
  const two = resource('holding', 0, { count: 2 });

  it.each([
    ['ABCD', [0x47f1, 0x2000]],
    ['CDAB', [0x2000, 0x47f1]],
    ['BADC', [0xf147, 0x0020]],
    ['DCBA', [0x0020, 0xf147]],
  ] as const)('lie in the order %s', (order, items) => {
    expect(itemsOfRaw(two, float(order), 123_456)).toEqual(items);
    expect(rawOfItems(two, float(order), items)).toBe(123_456);
  });

  it('have signs, and bits that are counted on the wire', () => {
    const signed = { id: 'c', kind: 'linear', raw: 'signed', bit_length: 16 } as const;
    const word = resource('holding', 0);
    expect(itemsOfRaw(word, signed, -2n)).toEqual([0xfffe]);
    expect(rawOfItems(word, signed, [0xfffe])).toBe(-2n);
    const flag = { id: 'c', kind: 'linear', raw: 'bool', word_order: 'DCBA' } as const;
    const bit = resource('holding', 0, { bit_offset: 3 });
    expect(itemsOfRaw(bit, flag, 1n)).toEqual([8]);
    expect([rawOfItems(bit, flag, [8]), rawOfItems(bit, flag, [0xfff7])]).toEqual([1n, 0n]);
  });
});
