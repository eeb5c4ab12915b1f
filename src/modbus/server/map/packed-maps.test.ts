import { describe, expect, it } from 'vitest';
import { packMaps, unpackMaps } from './packed-maps.ts';
import { parseMap } from './parse-map.ts';

const parsed = (units: readonly object[]) =>
  parseMap('some.map.json', Buffer.from(JSON.stringify({ units })), 'tcp');

describe('packed maps', () => {
  it('are the same again on the other side', () => {
    const units = parsed([
      {
        unit: 255,
        coil: [{ address: 65_535, values: [true] }],
        discrete: [{ address: 0, count: 9, values: [1, 0, 1] }],
        input: [{ address: 7, type: 'f32', order: 'CDAB', values: [12.5, -1] }],
        holding: [
          { address: 0, count: 65_000 },
          { address: 65_000, values: ['0xBEEF'], access: 'read' },
        ],
        faults: [{ functions: [3], delay_ms: 5 }, { silent: true }],
      },
      { unit: 0 },
      { unit: 1, holding: [{ address: 3, values: [1, 2] }], faults: [{ exception: 4 }] },
    ]);
    expect([...unpackMaps(structuredClone(packMaps(units)))]).toEqual(units);
  });

  it('have few objects to receive, however many ranges there are', () => {
    const holding = Array.from({ length: 16 }, (_, index) => ({ address: 16 * index, count: 8 }));
    const units = parsed(Array.from({ length: 250 }, (_, unit) => ({ unit, holding })));
    const { layout, items, faults } = packMaps(units);
    expect([layout.length, items.length]).toEqual([250 * (2 + 5 * 16), 0]);
    expect(faults.flat()).toEqual([]);
  });
});
