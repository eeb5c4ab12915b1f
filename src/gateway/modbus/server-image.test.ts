import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { packBits } from '../../modbus/pdu/packed-bits.ts';
import { type ClientWrite, ServerImage, type ServerMemory } from './server-image.ts';
import { placed, plantResources, serverResource, writtenRaws } from './testing/server-resources.ts';

const registers = (address: number, ...words: readonly number[]): ClientWrite => ({
  table: 'holding',
  address,
  count: words.length,
  registers: Uint16Array.from(words),
});

const coils = (address: number, ...bits: readonly (0 | 1)[]): ClientWrite => ({
  table: 'coil',
  address,
  count: bits.length,
  bits: packBits(bits.map(Boolean)),
});

const resources = plantResources();
const image = new ServerImage(resources);
const float32Words = (value: number): [low: number, high: number] => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return [view.getUint16(2), view.getUint16(0)];
};

describe('a write of a client', () => {
  it.each([
    ['the least raw', registers(10, 0), [[0, 0]]],
    ['the largest raw', registers(10, 100), [[0, 100]]],
    ['a special raw beyond the range', registers(10, 255), [[0, 255]]],
    ['a value of four registers', registers(11, 0xffff, 0xffff, 0xffff, 0xfffe), [[1, -2]]],
    [
      'a value that no double holds',
      registers(11, 0x7fff, 0xffff, 0xffff, 0xffff),
      [[1, 2n ** 63n - 1n]],
    ],
    [
      'several resources at once',
      registers(10, 1, 0, 0, 0, 2, 0x0200),
      [
        [0, 1],
        [1, 2],
        [2, 0],
        [3, 1],
      ],
    ],
    [
      'a word with bits, of which others are declared nowhere',
      registers(15, 0xfdff),
      [
        [2, 1],
        [3, 0],
      ],
    ],
    ['a float in the order of its codec', registers(20, ...float32Words(-49.5)), [[4, -49.5]]],
    ['the raw for an invalid signal', registers(20, ...float32Words(-999)), [[4, -999]]],
    ['a coil', coils(3, 1), [[6, 1]]],
    [
      'coils with a validity bit among them',
      coils(3, 0, 1),
      [
        [6, 0],
        [7, 1],
      ],
    ],
    ['a register for two bindings', registers(30, 0xffc0), [[11, -64, 65472]]],
  ] as const)('may be %s', (_, write, inputs) => {
    expect(image.check(write)).toBeUndefined();
    expect(writtenRaws(image, resources, write)).toEqual(inputs);
  });

  it.each([
    [2, 'no resource', registers(0, 1)],
    [2, 'an address before the first', registers(9, 1, 1)],
    [2, 'an address behind the last', registers(30, 2, 1)],
    [2, 'a gap', registers(15, 1, 1)],
    [2, 'a gap between two resources', registers(15, 0, 0, 0, 0, 0, 0, 0)],
    [2, 'what is served', registers(22, 1)],
    [2, 'what is served behind what may be written', registers(20, 0, 0, 1)],
    [2, 'a value in part, and what is served', registers(21, 0, 1)],
    [2, 'a coil that is none', coils(2, 1)],
    [2, 'a coil that is served', coils(4, 1, 1)],
    [3, 'the first register of a value', registers(11, 0)],
    [3, 'the last register of a value', registers(14, 0)],
    [3, 'registers amid a value', registers(12, 0, 0)],
    [3, 'a value in part behind a whole one', registers(10, 1, 0, 0)],
    [3, 'a value in part before a whole one', registers(13, 0, 0, 0)],
    [3, 'a raw beyond the range', registers(10, 101)],
    [3, 'a raw beyond the range among good ones', registers(10, 101, 0, 0, 0, 0)],
    [3, 'a float beyond the range', registers(20, ...float32Words(50.5))],
    [3, 'infinity', registers(20, ...float32Words(Number.POSITIVE_INFINITY))],
    [3, 'no number', registers(20, ...float32Words(Number.NaN))],
    [3, 'a raw that is out of the range of one binding', registers(30, 0xff00)],
    [3, 'a raw that is no value of the signal of one binding', registers(30, 3)],
  ])('is answered with exception 0%i to %s', (exception, _, write) => {
    expect(image.check(write)).toBe(exception);
  });

  it('agrees item by item with what is declared', () => {
    const write = fc.record({
      address: fc.nat(40),
      words: fc.array(fc.constantFrom(0, 2, 99, 0xffff), { minLength: 1, maxLength: 8 }),
    });
    const registersOnly = resources.filter(({ resource }) => resource.table === 'holding');
    fc.assert(
      fc.property(write, ({ address, words }) => {
        const isInside = (item: number): boolean =>
          item >= address && item < address + words.length;
        const itemsOfResources = registersOnly.map(({ resource }) => ({
          resource,
          items: Array.from({ length: resource.count ?? 1 }, (_, item) => resource.address + item),
        }));
        const isExternal = words.every((_, index) =>
          itemsOfResources.some(
            ({ resource, items }) =>
              resource.access === 'external' && items.includes(address + index),
          ),
        );
        const isPartial = itemsOfResources.some(
          ({ items }) => items.some(isInside) && !items.every(isInside),
        );
        const exception = image.check(registers(address, ...words));
        if (!isExternal) expect(exception).toBe(2);
        else if (isPartial) expect(exception).toBe(3);
        else expect([undefined, 3]).toContain(exception);
      }),
      { seed: 65, numRuns: cases(400, 2000) },
    );
  });
});

describe('what a server has', () => {
  it('is what its resources declare, to be written where they are external', () => {
    expect(
      new ServerImage(
        placed([
          serverResource({ address: 7, count: 4 }, { bit_length: 64 }),
          serverResource({ address: 3, bit_offset: 15, access: 'serve' }, { raw: 'bool' }),
          serverResource({ table: 'discrete', address: 1, access: 'serve' }),
        ]),
      ).map,
    ).toEqual([
      { table: 'holding', address: 7, count: 4, writable: true },
      { table: 'holding', address: 3, count: 1, writable: false },
      { table: 'discrete', address: 1, count: 1, writable: false },
    ]);
  });

  it.each([
    [8, [0x12, 0x34, 0x56, 0x78], { 'input 0': 0x1234, 'input 1': 0x5678 }],
    [9, [0x00, 0x10], { 'input 2': 0x0f10 }],
    [9, [0x00, 0x00], { 'input 2': 0x0f00 }],
    [10, [1], { 'discrete 7': true }],
    [12, [0], { 'coil 5': false }],
    [0, [0, 55], { 'holding 10': 55 }],
  ])('changes in the memory of the server: resource %i as %o', (index, bytes, expected) => {
    const changes: Record<string, unknown> = {};
    const memory = <Item>(table: string, before: Item) => ({
      get: () => before,
      put: (address: number, item: Item) => {
        changes[`${table} ${address}`] = item;
      },
    });
    const tables: ServerMemory['tables'] = {
      coil: memory('coil', false),
      discrete: memory('discrete', false),
      holding: memory('holding', 0x0f00),
      input: memory('input', 0x0f00),
    };
    const all = new Uint8Array(image.length);
    all.set(bytes, resources[index]?.at);
    image.put({ tables }, index, all);
    expect(changes).toEqual(expected);
  });
});
