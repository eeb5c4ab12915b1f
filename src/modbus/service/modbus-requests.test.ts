import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { SessionPool } from '../session/session-pool.ts';
import { fakeScheduler } from '../session/testing/session-rig.ts';
import { ModbusRequests, type ReadRequest, type WriteRequest } from './modbus-requests.ts';
import { single } from './testing/single-value.ts';

const bench = async (): Promise<never> => {
  throw new Error('No test here has a bench');
};

/** Requests whose endpoints must not be looked up. */
const setUp = () => {
  const clock = new FakeClock();
  const lookedUp: unknown[] = [];
  const pool = new SessionPool({
    clock,
    scheduler: fakeScheduler(clock),
    resolve: async (endpoint) => {
      lookedUp.push(endpoint);
      throw new Error('Looked up');
    },
  });
  return { requests: new ModbusRequests(pool, clock), pool, lookedUp };
};

const tcp = 'tcp:plc.invalid:502';
const rtu = 'rtu:/dev/nope';
const holding = { endpoint: tcp, unit: 1, table: 'holding', ...single } as const;
const last = { ...holding, address: 65_535 } as const;
const first = { ...holding, address: 0 } as const;
const times = (count: number): string[] => new Array(count).fill('1');

describe('ModbusRequests', () => {
  it.each<[ReadRequest, details: object]>([
    [
      { ...first, count: 126 },
      { field: 'count', minimum: 1, maximum: 125 },
    ],
    [
      { ...first, count: 32, type: 'u64' },
      { field: 'count', minimum: 1, maximum: 31 },
    ],
    [
      { ...first, count: 63, type: 'f32' },
      { field: 'count', maximum: 62 },
    ],
    [
      { ...first, table: 'coil', count: 2001 },
      { field: 'count', maximum: 2000 },
    ],
    [
      { ...last, count: 2 },
      { field: 'count', maximum: 1 },
    ],
    [
      { ...holding, address: 65_532, count: 3, type: 's32' },
      { field: 'count', maximum: 2 },
    ],
    [
      { ...last, type: 'u32' },
      { field: 'address', maximum: 65_534 },
    ],
    [
      { ...last, type: 'u32', count: 7 },
      { field: 'address', maximum: 65_534 },
    ],
    [
      { ...single, endpoint: tcp, unit: 1, reference: '465536', type: 'f64' },
      { field: 'reference', maximum: '465533' },
    ],
    [
      { ...first, endpoint: rtu, unit: 248 },
      { field: 'unit', minimum: 1, maximum: 247 },
    ],
    [
      { ...first, endpoint: rtu, unit: 0 },
      { field: 'unit', minimum: 1, maximum: 247 },
    ],
    [
      { ...first, unit: 256 },
      { field: 'unit', maximum: 255 },
    ],
    [
      { ...first, gap_ms: 100 },
      { field: 'gap_ms', reason: 'not_serial' },
    ],
    [
      { ...first, probe: false },
      { field: 'probe', reason: 'not_serial' },
    ],
    [
      { ...first, type: 'bool', order: 'ABCD' },
      { field: 'order', reason: 'exclusive' },
    ],
    [
      { ...first, table: 'discrete', order: 'CDAB' },
      { field: 'order', reason: 'exclusive' },
    ],
  ])('refuse the read %j before anything is looked up', async (request, details) => {
    const { requests, pool, lookedUp } = setUp();
    await expect(requests.read(request, bench)).rejects.toMatchObject({
      code: 'invalid_argument',
      details,
    });
    expect({ lookedUp, sessions: pool.sessions() }).toEqual({ lookedUp: [], sessions: [] });
  });

  it.each<[WriteRequest, details: object]>([
    [
      { ...first, value: times(124) },
      { field: 'value', maximum: 123 },
    ],
    [
      { ...first, type: 'u64', value: times(31) },
      { field: 'value', maximum: 30 },
    ],
    [
      { ...first, table: 'coil', value: times(1969) },
      { field: 'value', maximum: 1968 },
    ],
    [
      { ...last, value: times(2) },
      { field: 'value', maximum: 1 },
    ],
    [
      { ...last, type: 'u32', value: ['5'] },
      { field: 'address', maximum: 65_534 },
    ],
    [{ ...first, table: 'input', value: ['1'] }, { field: 'table' }],
    [
      { ...single, endpoint: tcp, unit: 1, reference: '30001', value: ['1'] },
      { field: 'reference', reason: 'not_writable' },
    ],
    [
      { ...single, endpoint: tcp, unit: 1, reference: '00001', bit: ['1=1'] },
      { field: 'reference', reason: 'not_in_table' },
    ],
    [
      { ...first, value: ['65536'] },
      { field: 'value', index: 0 },
    ],
    [{ ...first }, { field: 'value', reason: 'missing' }],
    [
      { ...first, endpoint: rtu, unit: 248, value: ['1'] },
      { field: 'unit', maximum: 247 },
    ],
    [
      { ...first, endpoint: rtu, unit: 0, bit: ['1=1'] },
      { field: 'unit', minimum: 1 },
    ],
    [
      { ...first, bit: ['1=1'], value: ['1'] },
      { field: 'bit', reason: 'exclusive' },
    ],
    [
      { ...first, bit: ['1=1'], type: 's16' },
      { field: 'type', reason: 'exclusive' },
    ],
    [
      { ...first, bit: ['1=1'], order: 'ABCD' },
      { field: 'order', reason: 'exclusive' },
    ],
    [
      { ...first, bit: ['1=1', '1=0'] },
      { field: 'bit', reason: 'duplicate_key' },
    ],
    [
      { ...first, table: 'coil', bit: ['1=1'] },
      { field: 'table', reason: 'not_in_table' },
    ],
  ])('refuse the write %j before anything is looked up', async (request, details) => {
    const { requests, pool, lookedUp } = setUp();
    await expect(requests.write(request, bench)).rejects.toMatchObject({
      code: 'invalid_argument',
      details,
    });
    expect({ lookedUp, sessions: pool.sessions() }).toEqual({ lookedUp: [], sessions: [] });
  });

  it('look up what they have nothing against', async () => {
    const { requests, lookedUp } = setUp();
    await expect(requests.read({ ...first, count: 125 }, bench)).rejects.toThrow('Looked up');
    await expect(requests.write({ ...last, value: ['1'] }, bench)).rejects.toThrow('Looked up');
    expect(lookedUp).toHaveLength(2);
  });

  it('say how many values there could be, and why no more', async () => {
    const { requests } = setUp();
    await expect(requests.read({ ...first, count: 32, type: 'u64' }, bench)).rejects.toThrow(
      'One request can contain at most 31 values of u64',
    );
    await expect(requests.write({ ...last, value: ['1', '2'] }, bench)).rejects.toThrow(
      'From address 65535 there is space for at most 1 value of u16',
    );
    await expect(requests.read({ ...last, type: 'u32' }, bench)).rejects.toThrow(
      'A value of u32 needs 2 registers: the last possible address is 65534',
    );
  });
});
