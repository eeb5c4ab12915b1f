import { afterEach, describe, expect, it } from 'vitest';
import { builtInBench } from '../../bench/built-in-bench.ts';
import { DataModel } from '../server/data-model.ts';
import { ModbusServer } from '../server/modbus-server.ts';
import { systemPorts, tcpEndpoint } from '../server/testing/server-rig.ts';
import type { PollRequest } from './modbus-service.ts';
import { ModbusService } from './modbus-service.ts';
import type { ModbusPoll } from './poll-record.ts';
import { single } from './testing/single-value.ts';

const bench = async (): Promise<never> => {
  throw new Error('No test here has a bench');
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The service, and a remote unit with ten holding registers. */
const setUp = async () => {
  const ports = systemPorts();
  const server = new ModbusServer(ports);
  const model = new DataModel([{ table: 'holding', address: 0, count: 10 }]);
  const served = await server.start(tcpEndpoint(), 1, { model });
  const service = new ModbusService({
    ...ports,
    maxServers: 1,
    readMap: async () => [],
    onServerLost: () => undefined,
    onServerFound: () => undefined,
  });
  ends.push(
    async () => expect(ports.defects).toEqual([]),
    () => server.stop(),
    () => service.close(),
  );
  const port = served.kind === 'tcp' ? served.port : 0;
  return {
    service,
    counters: server.counters,
    unit: { endpoint: `tcp:127.0.0.1:${port}`, unit: 1, table: 'holding', ...single } as const,
  };
};

const firstOf = (service: ModbusService, request: PollRequest): Promise<ModbusPoll> =>
  new Promise((resolve, reject) => {
    const ending = new AbortController();
    service.polls
      .poll(request, bench, ending.signal, (record) => {
        ending.abort();
        resolve(record);
      })
      .catch(reject);
  });

describe('ModbusService', () => {
  it('tells the details of an error that a poll met, as a read does', async () => {
    const { service, unit } = await setUp();
    const { error } = await firstOf(service, { ...unit, address: 10 });
    const details = { unit: 1, exception: 2, name: 'illegal_data_address' };
    expect(error).toMatchObject({ code: 'modbus_exception', details });
    await expect(service.requests.read({ ...unit, address: 10 }, bench)).rejects.toMatchObject({
      code: 'modbus_exception',
      message: error?.message,
      details,
    });
  });

  it('tells of every poll, also one that failed, which items it is about', async () => {
    const { service, unit } = await setUp();
    const items = { type: 's16', order: 'BADC' } as const;
    const about = { endpoint: unit.endpoint, unit: 1, table: 'holding', ...items };
    const { attempts, ...read } = await service.requests.read(
      { ...unit, ...items, address: 4 },
      bench,
    );
    expect(attempts).toBe(1);
    const polled = await firstOf(service, { ...unit, ...items, address: 4 });
    expect(polled).toMatchObject({ ...about, address: 4, reference: '40005', values: ['0'] });
    expect(polled).toMatchObject(read);
    const failed = await firstOf(service, { ...unit, ...items, address: 10 });
    expect(failed).toMatchObject({ ...about, address: 10, reference: '40011', values: null });
  });

  it('names the endpoint in each answer and error as its caller did', async () => {
    const { service, unit } = await setUp();
    const port = unit.endpoint.split(':').at(-1);
    const other = { ...unit, endpoint: `tcp:localhost:${port}` };
    const plc = async () => ({
      ...builtInBench,
      networks: { plc: { tcp: { host: 'localhost', port: Number(port) } } },
    });
    const { requests } = service;
    expect(await requests.read({ ...unit, address: 0 }, bench)).toMatchObject({
      network: null,
      endpoint: unit.endpoint,
    });
    expect(await requests.read({ ...other, address: 0 }, bench)).toMatchObject({
      endpoint: other.endpoint,
    });
    expect(await firstOf(service, { ...other, address: 0 })).toMatchObject({
      endpoint: other.endpoint,
    });
    const { endpoint: _, ...rest } = unit;
    expect(await requests.read({ ...rest, network: 'plc', address: 0 }, plc)).toMatchObject({
      network: 'plc',
      endpoint: other.endpoint,
    });
    // One link for all of them, with the name used first.
    expect(service.status().sessions).toMatchObject([{ endpoint: unit.endpoint, responses: 4 }]);
    const gone = { unit: 1, table: 'holding', address: 0, ...single } as const;
    for (const endpoint of ['rtu:/dev/no-such-port', 'tcp:127.0.0.1:1', 'tcp:localhost:1']) {
      await expect(requests.read({ ...gone, endpoint }, bench)).rejects.toMatchObject({
        message: expect.stringMatching(new RegExp(`${endpoint}[ :]`)),
        details: { endpoint },
      });
    }
    const { error } = await firstOf(service, { ...gone, endpoint: 'tcp:127.0.0.1:1' });
    expect(error?.details).toMatchObject({ endpoint: 'tcp:127.0.0.1:1' });
  });

  it('rounds floats to the nearest and tells which', async () => {
    const { service, unit } = await setUp();
    const value = ['0.1', '3.14159265'];
    const written = await service.requests.write(
      { ...unit, address: 0, type: 'f32', value },
      bench,
    );
    expect(written).toMatchObject({
      values: ['0.1', '3.1415927'],
      registers: [0x3dcc, 0xcccd, 0x4049, 0x0fdb],
      rounded: [{ index: 1, given: '3.14159265', written: '3.1415927' }],
    });
  });

  it('changes bits with the function for several where that is asked for', async () => {
    const { service, unit, counters } = await setUp();
    const request = { ...unit, address: 3, bit: ['1=1'] };
    const changed = await service.requests.write({ ...request, multiple: true }, bench);
    expect(changed).toMatchObject({ registers: [2] });
    expect(counters.record().requests_by_function).toEqual({ 3: 1, 16: 1 });
    await service.requests.write(request, bench);
    expect(counters.record().requests_by_function).toEqual({ 3: 2, 6: 1, 16: 1 });
  });

  it('tells round trips in whole microseconds, of which none is above the longest', async () => {
    const { service, unit } = await setUp();
    for (let i = 0; i < 20; i++) await service.requests.read({ ...unit, address: 0 }, bench);
    const [session] = service.status().sessions;
    const { count = 0, p50 = 0, p99 = 0, max = 0 } = session?.round_trip_us ?? {};
    expect(count).toBe(20);
    expect([p50, p99, max].map(Number.isInteger)).toEqual([true, true, true]);
    expect([p50, p99, max]).toEqual([p50, p99, max].sort((one, other) => one - other));
  });
});
