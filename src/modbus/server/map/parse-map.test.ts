import { describe, expect, it } from 'vitest';
import type { BusbarError } from '../../../base/errors/busbar-error.ts';
import { readBits, readRegisters, readValues } from '../testing/held-data.ts';
import { mappedModel } from './mapped-model.ts';
import { parseMap } from './parse-map.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const unitsOf = (units: unknown, kind: 'tcp' | 'rtu' = 'tcp') =>
  parseMap('bench.map.json', bytesOf(JSON.stringify({ units })), kind);

const refusal = (text: string, kind: 'tcp' | 'rtu' = 'tcp'): BusbarError => {
  try {
    parseMap('bench.map.json', bytesOf(text), kind);
  } catch (error) {
    return error as BusbarError;
  }
  throw new Error('It was accepted');
};

/** The invalid fields in units. */
const faulty = (units: unknown, kind: 'tcp' | 'rtu' = 'tcp'): string[] => {
  const { code, details } = refusal(JSON.stringify({ units }), kind);
  expect(code).toBe('invalid_modbus_map');
  expect(details).toMatchObject({ field: 'map', file: 'bench.map.json' });
  return (details.problems as { field: string }[]).map(({ field }) => field);
};

/** The error in a range of holding registers. */
const wrongRange = (range: unknown): string[] =>
  faulty([{ unit: 1, holding: [range] }]).map((field) => field.replace('units[0].holding[0]', ''));

const wrongFault = (fault: unknown): string[] =>
  faulty([{ unit: 1, faults: [fault] }]).map((field) => field.replace('units[0].faults[0]', ''));

describe('a map of Modbus units', () => {
  it('presets values of every kind, by address or by reference', async () => {
    const [unit] = unitsOf([
      {
        name: 'Flow meter',
        unit: '0x11',
        coil: [{ address: 0, values: [true, 0, 'true', 1] }],
        discrete: [{ reference: '10009', count: 8, values: [1] }],
        input: [{ reference: '30001', type: 'f32', order: 'CDAB', values: [21.5, 'NaN'] }],
        holding: [
          { name: 'Serial number', address: '0x0100', type: 'u64', values: ['0x1122334455667788'] },
          { address: 0, values: [1, '0xFFFF', '7'] },
          { address: 10, count: '0x10', access: 'read' },
        ],
      },
    ]);
    expect(unit?.unit).toBe(0x11);
    const model = await mappedModel(unit?.ranges ?? [], async () => undefined);
    expect(readBits(model, 'coil', 0, 4)).toEqual([true, false, true, true]);
    expect(readBits(model, 'discrete', 8, 3)).toEqual([true, false, false]);
    expect(readValues(model, 'input', 0, 2, 'f32', 'CDAB')).toEqual(['21.5', 'NaN']);
    expect([...readRegisters(model, 'holding', 256, 4)]).toEqual([0x1122, 0x3344, 0x5566, 0x7788]);
    expect([...readRegisters(model, 'holding', 0, 3)]).toEqual([1, 0xffff, 7]);
    expect(model.access.holding.readable.covers(10, 16)).toBe(true);
    expect(model.access.holding.writable.covers(10, 1)).toBe(false);
    expect(model.access.holding.writable.covers(0, 3)).toBe(true);
    // Addresses outside the map do not exist.
    for (const [address, count] of [
      [3, 1],
      [26, 1],
      [9, 2],
    ] as const) {
      expect(model.access.holding.readable.covers(address, count)).toBe(false);
    }
  });

  it('is filled in over several turns where there is much of it', async () => {
    const values = Array.from({ length: 10_000 }, (_, index) => index % 7);
    const [unit] = unitsOf([
      {
        unit: 1,
        holding: [{ address: 5, values }],
        coil: [{ address: 3, values: values.map((value) => value % 2) }],
      },
    ]);
    let turns = 0;
    const model = await mappedModel(unit?.ranges ?? [], async () => {
      turns += 1;
    });
    expect(turns).toBeGreaterThan(2);
    expect([...readRegisters(model, 'holding', 5, 10_000)]).toEqual(values);
    const bits = values.map((value) => value % 2 === 1);
    expect(readBits(model, 'coil', 3, 10_000)).toEqual(bits);
  });

  it('keeps integers of 64 bits that no double holds', () => {
    const text =
      '{"units":[{"unit":1,"holding":[{"address":0,"type":"u64","values":[18446744073709551615]}]}]}';
    const [unit] = parseMap('map', bytesOf(text), 'tcp');
    expect(unit?.ranges[0]?.items).toEqual(new Uint16Array(4).fill(0xffff));
  });

  it('tells faults by function, table and range', () => {
    const [unit] = unitsOf([
      {
        unit: 1,
        faults: [
          { silent: true, functions: [3, '0x10'] },
          { delay_ms: 250, table: 'input' },
          { exception: 'device_busy', reference: '40101', count: 4, delay_ms: 5 },
          { exception: 2, table: 'coil', address: '0x10' },
          { exception: '0x0B' },
        ],
      },
    ]);
    expect(unit).toEqual({
      unit: 1,
      ranges: [],
      faults: [
        { silent: true, functions: [3, 16] },
        { delayMs: 250, items: { table: 'input' } },
        {
          exception: 6,
          delayMs: 5,
          items: { table: 'holding', range: { address: 100, count: 4 } },
        },
        { exception: 2, items: { table: 'coil', range: { address: 16, count: 1 } } },
        { exception: 11 },
      ],
    });
  });

  it.each([
    ['', ''],
    ['{', ''],
    ['{"units":[{"unit":1}],"units":[]}', 'units'],
    ['[]', ''],
    ['{}', 'units'],
    ['{"units":[]}', 'units'],
    ['{"units":[{"unit":1,"tables":[]}]}', 'units[0].tables'],
    ['{"units":[{}]}', 'units[0].unit'],
    ['{"units":[{"unit":1}],"extra":1}', 'extra'],
  ])('is no map: %s', (text, field) => {
    const { code, details } = refusal(text);
    expect(code).toBe('invalid_modbus_map');
    const [problem] = details.problems as { field: string }[];
    expect(problem?.field).toBe(field);
  });

  it('has units once, and those that the endpoint can have', () => {
    expect(faulty([{ unit: 256 }, { unit: -1 }, { unit: 1.5 }, { unit: 'one' }])).toEqual([
      'units[0].unit',
      'units[1].unit',
      'units[2].unit',
      'units[3].unit',
    ]);
    expect(faulty([{ unit: 7 }, { unit: '0x7' }])).toEqual(['units[1].unit']);
    expect(faulty([{ unit: 0 }, { unit: 248 }, { unit: 247 }], 'rtu')).toEqual([
      'units[0].unit',
      'units[1].unit',
    ]);
  });

  it.each([
    [{ values: [1] }, ['.address']],
    [{ address: 65_536, values: [1] }, ['.address']],
    [{ address: '100', values: [1] }, ['.address']],
    [{ address: 0, reference: '40001', values: [1] }, ['.reference']],
    [{ reference: '30001', values: [1] }, ['.reference']],
    [{ reference: '40000', values: [1] }, ['.reference']],
    [{ address: 0 }, ['']],
    [{ address: 0, values: [] }, ['.values']],
    [{ address: 0, count: 0 }, ['.count']],
    [{ address: 65_535, count: 2 }, ['.count']],
    [{ address: 65_535, type: 'u32', values: [1] }, ['.values']],
    [{ address: 0, count: 1, values: [1, 2] }, ['.values']],
    [{ address: 0, values: [1, 65_536] }, ['.values[1]']],
    [{ address: 0, values: [1, 2.5] }, ['.values[1]']],
    [{ address: 0, values: [null] }, ['.values[0]']],
    [{ address: 0, values: [1, [2]] }, ['.values[1]']],
    [{ address: 0, type: 'f32', values: ['0x1F'] }, ['.values[0]']],
    [{ address: 0, type: 'f16', values: [1] }, ['.type']],
    [{ address: 0, type: 'bool', order: 'CDAB', values: [true] }, ['.order']],
    [{ address: 0, values: [1], acces: 'read' }, ['.acces']],
    [{ address: 0, values: [1], access: 'write' }, ['.access']],
  ])('names what is wrong with a range: %j', (range, fields) => {
    expect(wrongRange(range)).toEqual(fields);
  });

  it.each([
    [{}, ['']],
    [{ silent: false }, ['']],
    [{ silent: true, delay_ms: 5 }, ['.silent']],
    [{ silent: true, exception: 5 }, ['.silent']],
    [{ delay_ms: 0 }, ['.delay_ms']],
    [{ delay_ms: 60_001 }, ['.delay_ms']],
    [{ exception: 0 }, ['.exception']],
    [{ exception: 256 }, ['.exception']],
    [{ exception: 'busy' }, ['.exception']],
    [{ exception: 'toString' }, ['.exception']],
    [{ silent: true, functions: [] }, ['.functions']],
    [{ silent: true, functions: [3, 128] }, ['.functions[1]']],
    [{ silent: true, count: 2 }, ['.count']],
    [{ silent: true, address: 2 }, ['.table']],
    [{ silent: true, table: 'coil', reference: '40001' }, ['.reference']],
    [{ silent: true, reference: '465536', count: 2 }, ['.count']],
  ])('names what is wrong with a fault: %j', (fault, fields) => {
    expect(wrongFault(fault)).toEqual(fields);
  });

  it('has a type and an access that its table can have', () => {
    const wrong = {
      unit: 1,
      coil: [{ address: 0, type: 'u16', values: [1] }],
      discrete: [{ address: 0, access: 'read_write', values: [1] }],
      input: [{ address: 0, access: 'read', values: [1] }],
    };
    expect(faulty([wrong])).toEqual(['units[0].coil[0].type', 'units[0].discrete[0].access']);
  });

  it('has every item of a table in one range only', () => {
    const holding = [
      { address: 10, count: 10 },
      { address: 0, count: 10 },
      { address: 19, count: 1 },
      { address: 20, count: 1 },
      { address: 5, values: [1] },
      { address: 0, count: 30 },
    ];
    expect(faulty([{ unit: 1, holding, input: holding.slice(0, 2) }])).toEqual([
      'units[0].holding[5]',
      'units[0].holding[5]',
      'units[0].holding[5]',
      'units[0].holding[5]',
      'units[0].holding[5]',
    ]);
    expect(faulty([{ unit: 1, holding: holding.slice(0, 5) }])).toEqual([
      'units[0].holding[4]',
      'units[0].holding[2]',
    ]);
  });

  it('tells all that is wrong at once, and has a bounded number of entries', () => {
    const many = Array.from({ length: 300 }, (_, address) => ({ address, count: 0 }));
    expect(faulty([{ unit: 1, holding: many }])).toHaveLength(200);
    const entries = Array.from({ length: 2049 }, (_, address) => ({ address, count: 1 }));
    expect(faulty([{ unit: 1, holding: entries, input: entries }])).toEqual(['']);
  });
});
