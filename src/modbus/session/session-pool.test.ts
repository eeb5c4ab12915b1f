import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { readRequest } from '../pdu/make-request.ts';
import type { Endpoint, ResolvedEndpoint } from '../transport/endpoint.ts';
import { parseEndpoint } from '../transport/endpoint-text.ts';
import { type NameSources, resolveEndpoint } from '../transport/resolve-endpoint.ts';
import { type SessionLease, SessionPool } from './session-pool.ts';
import { ScriptedTransport } from './testing/scripted-transport.ts';
import { fakeScheduler, RecordedExchange } from './testing/session-rig.ts';

const names: NameSources = {
  addressesOf: async (host) =>
    host === 'nowhere' ? [] : [{ address: host === 'other' ? '10.0.0.2' : '10.0.0.1', family: 4 }],
  realPath: async (path) => path.replace('/dev/alias', '/dev/ttyS0'),
  deviceNumber: async (path) => path.length,
};

const setUp = (keepAliveMs = 0, remembered = 0) => {
  const clock = new FakeClock();
  const scheduler = fakeScheduler(clock);
  const transports: ScriptedTransport[] = [];
  const transportTo = ({ kind, text }: ResolvedEndpoint): ScriptedTransport => {
    const transport = new ScriptedTransport(kind, text);
    transport.accepts(clock);
    transports.push(transport);
    return transport;
  };
  const resolve = (endpoint: Endpoint) => resolveEndpoint(endpoint, names);
  const pool = new SessionPool({
    clock,
    scheduler,
    keepAliveMs,
    remembered,
    resolve,
    transportTo,
  });
  const acquire = (text: string) => pool.acquire(parseEndpoint(text));
  const connect = ({ session }: SessionLease): RecordedExchange => {
    const exchange = new RecordedExchange(1, readRequest('holding', 0, 1), 1000);
    session.submit(exchange);
    clock.advanceUs(1000);
    return exchange;
  };
  return { clock, scheduler, pool, transports, acquire, connect };
};

describe('SessionPool', () => {
  it('shares one session among all names of an endpoint', async () => {
    const { acquire, pool, transports } = setUp();
    const one = await acquire('tcp:plc:502');
    const two = await acquire('tcp:10.0.0.1:502');
    const other = await acquire('tcp:other:502');
    expect(one.session).toBe(two.session);
    expect(one.session).not.toBe(other.session);
    expect(transports).toHaveLength(2);
    expect(pool.sessions()).toMatchObject([
      { endpoint: 'tcp:plc:502', users: 2, state: 'closed', requests: 0, queue_length: 0 },
      { endpoint: 'tcp:other:502', users: 1 },
    ]);
  });

  it('acquires nothing where a name leads nowhere', async () => {
    const { acquire, pool } = setUp();
    await expect(acquire('tcp:nowhere:502')).rejects.toMatchObject({ code: 'modbus_unreachable' });
    expect(pool.sessions()).toEqual([]);
  });

  it('closes the link when the last user leaves, however often each says so', async () => {
    const { acquire, connect, transports, pool, scheduler } = setUp();
    const [one, two] = [await acquire('tcp:plc:502'), await acquire('tcp:plc:502')];
    connect(one);
    transports[0]?.last.receive('000100000005010302002a');
    one.release();
    one.release();
    expect(transports[0]?.last.isClosed).toBe(false);
    two.release();
    expect(transports[0]?.last.isClosed).toBe(true);
    expect(pool.sessions()).toEqual([]);
    expect(scheduler.scheduledTasks).toBe(0);
  });

  it('makes a new session after that', async () => {
    const { acquire } = setUp();
    const first = await acquire('tcp:plc:502');
    first.release();
    expect((await acquire('tcp:plc:502')).session).not.toBe(first.session);
  });

  it('keeps an unused link for a while if told to', async () => {
    const { acquire, clock, pool } = setUp(5000);
    const first = await acquire('tcp:plc:502');
    first.release();
    clock.advanceUs(4_999_000);
    const second = await acquire('tcp:plc:502');
    expect(second.session).toBe(first.session);
    clock.advanceUs(10_000_000);
    expect(pool.sessions()).toHaveLength(1);
    second.release();
    clock.advanceUs(5_000_000);
    expect(pool.sessions()).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('remembers what unused sessions have counted, without a link, up to so many', async () => {
    const { acquire, connect, clock, pool, transports, scheduler } = setUp(5000, 2);
    const first = await acquire('tcp:plc:502');
    connect(first);
    transports[0]?.last.receive('000100000005010302002a');
    first.release();
    clock.advanceUs(5_000_000);
    expect(transports[0]?.last.isClosed).toBe(true);
    expect(scheduler.scheduledTasks).toBe(0);
    const again = await acquire('tcp:plc:502');
    connect(again);
    transports[0]?.last.receive('000200000005010302002a');
    expect(pool.sessions()).toMatchObject([{ state: 'open', responses: 2, reconnects: 0 }]);
    again.release();
    for (const port of [503, 504]) (await acquire(`tcp:plc:${port}`)).release();
    (await acquire('tcp:plc:503')).release();
    clock.advanceUs(5_000_000);
    expect(pool.sessions().map(({ endpoint }) => endpoint)).toEqual(['tcp:plc:504', 'tcp:plc:503']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('goes on counting links made anew once the last of them rests', async () => {
    const { acquire, connect, clock, pool, transports } = setUp(5000, 2);
    const lease = await acquire('tcp:plc:502');
    connect(lease);
    transports[0]?.last.lose(undefined);
    connect(lease);
    transports[0]?.last.receive('000200000005010302002a');
    expect(pool.sessions()).toMatchObject([{ state: 'open', reconnects: 1 }]);
    lease.release();
    clock.advanceUs(5_000_000);
    expect(pool.sessions()).toMatchObject([{ state: 'closed', reconnects: 1 }]);
    connect(await acquire('tcp:plc:502'));
    expect(pool.sessions()).toMatchObject([{ state: 'open', reconnects: 1 }]);
  });

  it('closes a link without users when asked to, and no other', async () => {
    const { acquire, connect, clock, pool, transports } = setUp(5000, 2);
    const lease = await acquire('rtu:/dev/ttyS0');
    connect(lease);
    const { key } = await resolveEndpoint(parseEndpoint('rtu:/dev/ttyS0'), names);
    pool.closeIdle(key);
    expect(transports[0]?.last.isClosed).toBe(false);
    clock.advanceUs(1_000_000);
    lease.release();
    pool.closeIdle(key);
    expect(transports[0]?.last.isClosed).toBe(true);
    expect(pool.sessions()).toMatchObject([{ state: 'closed', requests: 1, timeouts: 1 }]);
    pool.closeIdle(key);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not take an unused session for that of a device with another name', async () => {
    const { acquire, pool } = setUp(5000, 2);
    (await acquire('rtu:/dev/ttyS0:9600,8E1')).release();
    await acquire('rtu:/dev/alias:9600,8E1');
    expect(pool.sessions()).toMatchObject([{ endpoint: 'rtu:/dev/alias:9600,8E1', users: 1 }]);
  });

  it.each([
    ['ascii:/dev/alias:9600,8E1', 'framing'],
    ['rtu:/dev/alias:19200,8E1', 'baud_rate'],
    ['rtu:/dev/alias:9600,8N1', 'parity'],
    ['rtu:/dev/alias:9600,8E2', 'stop_bits'],
  ])('refuses %s beside rtu:/dev/ttyS0:9600,8E1 and names %s', async (text, field) => {
    const { acquire, pool } = setUp();
    const first = await acquire('rtu:/dev/ttyS0:9600,8E1');
    await expect(acquire(text)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field, in_use: 'rtu:/dev/ttyS0:9600,8E1' },
    });
    expect(pool.sessions()).toMatchObject([{ users: 1 }]);
    first.release();
    expect(pool.sessions()).toEqual([]);
  });

  it('has one gap at a time, and leaves it as it is for users that do not mind', async () => {
    const { pool } = setUp(5000, 2);
    const endpoint = parseEndpoint('rtu:/dev/ttyS0');
    const lease = await pool.acquire({ ...endpoint, gapMs: 20 } as Endpoint);
    expect((await pool.acquire(endpoint)).session).toBe(lease.session);
    await expect(pool.acquire({ ...endpoint, gapMs: 30 } as Endpoint)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'gap_ms', reason: 'mismatch' },
    });
  });

  it('refuses other data bits by name', async () => {
    const { acquire } = setUp();
    await acquire('ascii:/dev/ttyS0:9600,7E1');
    await expect(acquire('ascii:/dev/ttyS0:9600,8E1')).rejects.toMatchObject({
      details: { field: 'data_bits' },
    });
  });

  it('has one framing at a port at a time, and another once it has no users', async () => {
    const { acquire, pool } = setUp();
    const first = await acquire('tcp:plc:502');
    await expect(acquire('rtu-tcp:plc:502')).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'framing', in_use: 'tcp:plc:502' },
    });
    first.release();
    await acquire('rtu-tcp:plc:502');
    expect(pool.sessions()).toMatchObject([{ endpoint: 'rtu-tcp:plc:502', users: 1 }]);
  });

  it('ends everything when it is closed', async () => {
    const { acquire, connect, pool, scheduler } = setUp();
    const exchange = connect(await acquire('tcp:plc:502'));
    pool.close();
    expect(exchange.ending).toBe('operation_cancelled');
    expect(scheduler.scheduledTasks).toBe(0);
    await expect(acquire('tcp:plc:502')).rejects.toMatchObject({ code: 'operation_cancelled' });
  });
});
