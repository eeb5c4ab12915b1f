import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { isLong } from '../../base/testing/long.ts';
import {
  type ModbusOutput,
  OutputOwners,
  type ServerOutput,
  servedConflict,
} from './output-owners.ts';

const words = (task: string, address: number, more: Partial<ModbusOutput> = {}): ModbusOutput => ({
  task,
  place: 'tcp:10.0.0.1:502',
  endpoint: 'tcp:plc:502',
  unit: 1,
  table: 'holding',
  address,
  count: 1,
  ...more,
});

const server = (port: number, address = '0.0.0.0'): ServerOutput => ({
  listens: { key: `tcp:${address}:${port}`, tcp: { address, port } },
  endpoint: `tcp:${address}:${port}`,
  unit: 3,
});

const refusalOf = (claim: () => void): BusbarError | null => {
  try {
    claim();
    return null;
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
};

describe('owners of Modbus words', () => {
  it('are one for each place, unit, table and address', () => {
    const owners = new OutputOwners();
    owners.claim('a', [words('one', 10, { count: 4 }), words('coils', 10, { table: 'coil' })]);
    owners.claim('b', [
      words('other place', 10, { place: 'tcp:10.0.0.2:502' }),
      words('other unit', 10, { unit: 2 }),
      words('before', 9),
      words('behind', 14),
      words('other table', 11, { table: 'coil' }),
    ]);
    const refusal = refusalOf(() =>
      owners.claim('c', [words('mine', 8, { count: 8, endpoint: 'tcp:10.0.0.1:502' })]),
    );
    expect(refusal?.code).toBe('output_conflict');
    const place = { endpoint: 'tcp:10.0.0.1:502', unit: 1, table: 'holding' };
    expect(refusal?.details).toEqual({
      instance: 'c',
      conflicts: [
        { task: 'mine', owner: { instance: 'b', task: 'before' }, ...place, address: 9, count: 1 },
        { task: 'mine', owner: { instance: 'a', task: 'one' }, ...place, address: 10, count: 4 },
        { task: 'mine', owner: { instance: 'b', task: 'behind' }, ...place, address: 14, count: 1 },
      ],
      total: 3,
    });
    expect(refusal?.message).toBe(
      'b writes what mine does, holding 9 of unit 1 at tcp:10.0.0.1:502, already, and 2 more',
    );
  });

  it('let a task write several bits of a word, and no other task of its instance', () => {
    const owners = new OutputOwners();
    owners.claim('a', [words('bits', 5), words('bits', 5)]);
    const refusal = refusalOf(() => owners.claim('b', [words('one', 6), words('two', 6)]));
    expect(refusal?.details.conflicts).toMatchObject([
      { task: 'two', owner: { instance: 'b', task: 'one' }, address: 6 },
    ]);
  });

  it('give all words or none, and all of them back', () => {
    const owners = new OutputOwners();
    owners.claim('a', [words('one', 0, { count: 100 })]);
    const wanted = [words('two', 200, { count: 300 }), words('three', 99)];
    expect(refusalOf(() => owners.claim('b', wanted))).not.toBeNull();
    expect(refusalOf(() => owners.claim('c', [words('four', 200, { count: 300 })]))).toBeNull();
    owners.release('c');
    owners.release('a');
    expect(refusalOf(() => owners.claim('b', wanted))).toBeNull();
    expect(refusalOf(() => owners.claim('a', [words('one', 65_535)]))).toBeNull();
  });

  it.runIf(isLong)('find one conflict among all words of many units', () => {
    const owners = new OutputOwners();
    const all = (count: number): ModbusOutput[] =>
      Array.from({ length: 10 }, (_, unit) =>
        Array.from({ length: 65_536 / count }, (_, index) =>
          words(`task ${index}`, index * count, { unit, count }),
        ),
      ).flat();
    owners.claim('a', all(16));
    const refusal = refusalOf(() => owners.claim('b', [words('mine', 40_000, { unit: 7 })]));
    expect(refusal?.details.conflicts).toMatchObject([
      { owner: { instance: 'a', task: 'task 2500' }, address: 40_000, count: 1 },
    ]);
    expect(refusalOf(() => owners.claim('b', all(16)))?.details).toMatchObject({ total: 40_960 });
    owners.release('a');
    expect(refusalOf(() => owners.claim('b', all(16)))).toBeNull();
  });
});

describe('owners of server endpoints', () => {
  it('have the place for themselves, whatever the unit', () => {
    const owners = new OutputOwners();
    owners.claim('a', [server(1502)]);
    owners.claim('b', [server(1503), words('client of a', 0, { place: 'tcp:0.0.0.0:1502' })]);
    const refusal = refusalOf(() => owners.claim('c', [{ ...server(1502), unit: 9 }]));
    expect(refusal?.message).toBe('a serves tcp:0.0.0.0:1502 already');
    expect(refusal?.details.conflicts).toEqual([
      {
        task: null,
        owner: { instance: 'a', task: null },
        endpoint: 'tcp:0.0.0.0:1502',
        unit: 9,
        table: null,
        address: null,
        count: null,
      },
    ]);
    expect(refusalOf(() => owners.claim('c', [server(1), server(1)]))?.code).toBe(
      'output_conflict',
    );
    owners.release('a');
    expect(refusalOf(() => owners.claim('c', [server(1502)]))).toBeNull();
  });

  it.each([
    ['0.0.0.0', '127.0.0.1', true],
    ['127.0.0.1', '0.0.0.0', true],
    ['::', '0.0.0.0', true],
    ['::1', '::', true],
    ['0.0.0.0', '::1', false],
    ['127.0.0.1', '127.0.0.2', false],
  ])('that listen everywhere have all addresses of a port: %s and %s', (one, other, isOne) => {
    const owners = new OutputOwners();
    owners.claim('a', [server(1502, one), server(1503)]);
    const refusal = refusalOf(() => owners.claim('b', [server(1502, other)]));
    expect(refusal?.code).toBe(isOne ? 'output_conflict' : undefined);
    owners.release('a');
    expect(refusalOf(() => owners.claim('c', [server(1503)]))).toBeNull();
  });

  it('may be no instance at all', () => {
    const { code, message, details } = servedConflict('a', server(1502));
    expect([code, message]).toEqual([
      'output_conflict',
      'modbus serve has tcp:0.0.0.0:1502 already',
    ]);
    expect(details.conflicts).toMatchObject([{ owner: { instance: null, task: null } }]);
  });
});
