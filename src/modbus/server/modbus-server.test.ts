import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { DataModel } from './data-model.ts';
import { ModbusServer, type ServeOptions } from './modbus-server.ts';
import { readValues, writeValues } from './testing/held-data.ts';
import { RawClient, ServerRig, systemPorts, tcpEndpoint } from './testing/server-rig.ts';

const readOne = '0001 0000 0006 01 03 0000 0001';
const answerToOne = '0001000000050103020000';

describe('ModbusServer over TCP', () => {
  let rig: ServerRig;
  beforeEach(() => {
    rig = new ServerRig();
  });
  afterEach(async () => {
    await rig.end();
    expect(rig.ports.defects).toEqual([]);
  });

  it('serves its model to clients, and takes what they write', async () => {
    await rig.start();
    writeValues(rig.model, 'input', 7, ['3.5'], 'f64', 'ABCD');
    const [one, other] = [rig.connect(), rig.connect()];
    one.send('0001 0000 0006 01 04 0007 0004');
    expect(await one.hears(17)).toBe('00010000000b010408400c000000000000');
    other.send('0002 0000 000F 01 10 0000 0004 08 FFFF FFFF FFFF FFFE');
    expect(await other.hears(12)).toBe('000200000006011000000004');
    expect(readValues(rig.model, 'holding', 0, 1, 'u64', 'ABCD')).toEqual(['18446744073709551614']);
    expect(rig.server.record()).toMatchObject({ state: 'listening', units: [1], clients: 2 });
  });

  it.each([0, 1, 247, 255])('answers as unit %d and stays silent as any other', async (unit) => {
    await rig.start({}, unit);
    const client = rig.connect();
    for (const other of [0, 1, 247, 255]) {
      const hex = other.toString(16).padStart(2, '0');
      client.send(`00${hex} 0000 0006 ${hex} 03 0000 0001`);
    }
    const hex = unit.toString(16).padStart(2, '0');
    expect(await client.hears(11)).toBe(`00${hex}00000005${hex}03020000`);
    await eventually(() => rig.server.counters.otherUnit === 3);
    expect(client.received).toHaveLength(0);
  });

  it('answers a client that ends its side right behind its requests', async () => {
    await rig.start();
    const client = rig.connect();
    client.socket.end(Buffer.from(readOne.replaceAll(' ', '').repeat(5000), 'hex'));
    await client.closes();
    expect(client.received.toString('hex')).toBe(answerToOne.repeat(5000));
  });

  it('closes clients that do not speak Modbus, and serves the others on', async () => {
    await rig.start();
    const [good, bad] = [rig.connect(), rig.connect()];
    bad.socket.write('GET / HTTP/1.1\r\n\r\n');
    await bad.closes();
    good.send(readOne);
    expect(await good.hears(11)).toBe(answerToOne);
    expect(rig.server.record()).toMatchObject({ bad_frames: 1, clients: 1 });
  });

  it('closes connections beyond the most that it takes, until others leave', async () => {
    await rig.start({ maxClients: 2 });
    const kept = [rig.connect(), rig.connect()];
    for (const client of kept) {
      client.send(readOne);
      await client.hears(11);
    }
    await rig.connect().closes();
    expect(rig.server.record()).toMatchObject({ clients: 2, clients_refused: 1 });
    await kept[0]?.leave();
    await eventually(() => rig.server.record().clients === 1);
    const next = rig.connect();
    next.send(readOne);
    expect(await next.hears(11)).toBe(answerToOne);
  });

  it('serves hundreds of clients that come and go, and keeps none of them', async () => {
    await rig.start({ maxClients: 64 });
    for (let wave = 0; wave < 8; wave++) {
      const clients = Array.from({ length: 50 }, () => rig.connect());
      for (const client of clients) client.send(readOne);
      // Half of the clients do not wait for their response.
      for (const client of clients.slice(25)) void client.leave();
      for (const client of clients.slice(0, 25)) {
        expect(await client.hears(11)).toBe(answerToOne);
        await client.leave();
      }
      await eventually(() => rig.server.record().clients === 0);
    }
    expect(rig.server.counters.clientsAccepted).toBeGreaterThanOrEqual(200);
    expect(rig.server.counters.clientsRefused).toBe(0);
  });

  it('serves others while one client takes no answers, and answers that one in full later', async () => {
    await rig.start();
    const [slow, quick] = [rig.connect(), rig.connect()];
    slow.socket.pause();
    const count = 30_000;
    const request = '0001 0000 0006 01 03 0000 007D'.replaceAll(' ', '');
    slow.send(request.repeat(count));
    // The system buffers a few megabytes, and the server no more than its limit.
    const isStuck = async (): Promise<boolean> => {
      const before = rig.server.counters.bytesSent;
      quick.send(readOne);
      expect(await quick.hears(11)).toBe(answerToOne);
      return before > 0 && rig.server.counters.bytesSent === before + 11;
    };
    for (let still = 0; still < 50; still = (await isStuck()) ? still + 1 : 0);
    expect(rig.server.counters.record().requests).toBeLessThan(count);
    slow.socket.resume();
    expect(await slow.hears(count * 259)).toHaveLength(2 * count * 259);
    expect(rig.server.counters.requests[3]).toBeGreaterThanOrEqual(count);
  });

  it('lets go of its port and of all clients when it stops, and can start again', async () => {
    await rig.start();
    const client = rig.connect();
    client.send(readOne);
    await client.hears(11);
    await rig.server.stop();
    await client.closes();
    expect(rig.server.record()).toMatchObject({ state: 'stopped', clients: 0 });
    const { port } = rig;
    const served = await rig.server.start(tcpEndpoint(port), 1, { model: rig.model });
    expect(served).toEqual({ kind: 'tcp', address: '127.0.0.1', port });
  });

  it('stops while it is starting, and more than once', async () => {
    const start = rig.start();
    await Promise.all([rig.server.stop(), rig.server.stop()]);
    await start;
    expect(rig.server.state).toBe('stopped');
    const client = rig.connect();
    await client.closes();
    expect(client.received).toHaveLength(0);
  });

  it('says why it cannot listen, and is stopped then', async () => {
    await rig.start();
    const other = new ModbusServer(systemPorts());
    const start = other.start(tcpEndpoint(rig.port), 1, { model: rig.model });
    await expect(start).rejects.toMatchObject({
      code: 'modbus_unreachable',
      message: `Cannot listen on 127.0.0.1:${rig.port}: the address is in use (EADDRINUSE)`,
      details: { reason: 'EADDRINUSE' },
    });
    expect(other.state).toBe('stopped');
  });

  it('refuses to start twice', async () => {
    await rig.start();
    await expect(rig.start()).rejects.toMatchObject({ code: 'already_running' });
    expect(rig.server.state).toBe('listening');
  });
});

describe('ModbusServer', () => {
  const serial = {
    named: '/dev/null',
    path: '/dev/null',
    key: '',
    text: '',
    settings: {} as never,
  };

  it.each([
    ['unit', tcpEndpoint(), -1, {}],
    ['unit', tcpEndpoint(), 256, {}],
    ['unit', tcpEndpoint(), 1.5, {}],
    ['unit', { kind: 'rtu', ...serial }, 0, {}],
    ['unit', { kind: 'rtu', ...serial }, 248, {}],
    ['unit', { kind: 'ascii', ...serial }, 0, {}],
    ['unit', { kind: 'ascii', ...serial }, 248, {}],
    ['max_clients', tcpEndpoint(), 1, { maxClients: 0 }],
    ['idle_timeout_ms', tcpEndpoint(), 1, { idleTimeoutMs: 0 }],
  ] as const)('refuses a bad %s before it opens anything', async (field, endpoint, unit, more) => {
    const server = new ModbusServer(systemPorts());
    const start = server.start(endpoint, unit, { model: new DataModel(), ...more });
    await expect(start).rejects.toMatchObject({ code: 'invalid_argument', details: { field } });
    expect(server.state).toBe('stopped');
  });

  describe('with silent clients', () => {
    const open: ModbusServer[] = [];
    const clients: RawClient[] = [];
    afterEach(async () => {
      await Promise.all(open.splice(0).map((server) => server.stop()));
      await Promise.all(clients.splice(0).map((client) => client.leave()));
    });

    const setUp = async (options: Partial<ServeOptions>) => {
      const clock = new FakeClock();
      const scheduler = new Scheduler({ clock, alarm: new FakeAlarm(clock), onError: () => {} });
      const server = new ModbusServer({ clock, scheduler, onDefect: () => {} });
      open.push(server);
      const served = await server.start(tcpEndpoint(), 1, { model: new DataModel(), ...options });
      const port = served.kind === 'tcp' ? served.port : 0;
      const connect = (): RawClient => {
        const client = new RawClient(port);
        clients.push(client);
        return client;
      };
      return { clock, scheduler, server, connect };
    };

    const talk = async (client: RawClient): Promise<void> => {
      client.send(readOne);
      expect(await client.hears(11)).toBe(answerToOne);
    };

    it('closes those that were silent for longer than they may be, and only those', async () => {
      const { clock, scheduler, server, connect } = await setUp({ idleTimeoutMs: 1000 });
      const [quiet, busy] = [connect(), connect()];
      await talk(quiet);
      clock.advanceUs(600_000);
      await talk(busy);
      clock.advanceUs(400_000);
      expect(server.record()).toMatchObject({ clients: 2, clients_timed_out: 0 });
      clock.advanceUs(130_000);
      await quiet.closes();
      expect(server.record()).toMatchObject({ clients: 1, clients_timed_out: 1 });
      await talk(busy);
      await server.stop();
      expect(scheduler.scheduledTasks).toBe(0);
      await busy.closes();
    });

    it('closes the one silent for longest where another finds no room', async () => {
      const { clock, server, connect } = await setUp({ maxClients: 2 });
      const [busy, quiet] = [connect(), connect()];
      await talk(quiet);
      clock.advanceUs(20_000_000);
      await talk(busy);
      clock.advanceUs(60_000_000);
      const next = connect();
      await talk(next);
      await quiet.closes();
      await talk(busy);
      expect(server.record()).toMatchObject({
        clients: 2,
        clients_accepted: 3,
        clients_refused: 0,
        clients_timed_out: 1,
      });
    });

    it('closes no client that was heard within a minute for another one', async () => {
      const { clock, server, connect } = await setUp({ maxClients: 1 });
      const kept = connect();
      await talk(kept);
      clock.advanceUs(59_000_000);
      await connect().closes();
      expect(server.record()).toMatchObject({ clients_refused: 1, clients_timed_out: 0 });
      await talk(kept);
    });

    it('keeps those who are silent for ever as long as there is room', async () => {
      const { clock, server, connect } = await setUp({ maxClients: 2 });
      const kept = connect();
      await talk(kept);
      clock.advanceUs(7 * 24 * 3_600_000_000);
      await talk(connect());
      await talk(kept);
      expect(server.record()).toMatchObject({ clients: 2, clients_timed_out: 0 });
    });
  });
});
