import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import type { ByteLink } from '../../base/serial/byte-link.ts';
import { PtyPair } from '../../base/serial/testing/pty-pair.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { rtuSilenceUs } from '../framing/serial-framing.ts';
import { SessionPool } from '../session/session-pool.ts';
import { TimerAlarm } from '../session/testing/timer-alarm.ts';
import { defaultSettings, parseEndpoint } from '../transport/endpoint-text.ts';
import { openSerialLink } from '../transport/serial-link.ts';
import { listenTcp, type TcpListener } from '../transport/tcp-listener.ts';
import { masksOf } from './bit-change.ts';
import { ModbusClient } from './modbus-client.ts';
import { HandServer } from './testing/hand-server.ts';

const clock = new SystemClock();
let pool: SessionPool;
let alarm: TimerAlarm;

beforeEach(() => {
  alarm = new TimerAlarm(clock);
  const onError = (error: unknown): never => {
    throw error;
  };
  pool = new SessionPool({ clock, scheduler: new Scheduler({ clock, alarm, onError }) });
});

afterEach(() => {
  pool.close();
  alarm.stop();
});

const clientOf = async (endpoint: string): Promise<ModbusClient> => {
  const { session } = await pool.acquire(parseEndpoint(endpoint));
  return new ModbusClient(session, 1, 5000);
};

const exercise = async (client: ModbusClient): Promise<void> => {
  await client.write('holding', 3, Uint16Array.of(0x1234));
  expect(await client.read('holding', 2, 3)).toEqual(Uint16Array.of(0, 0x1234, 0));
  const changed = await client.changeBits(3, masksOf({ 0: true, 2: false }));
  expect(changed).toEqual({ before: 0x1234, after: 0x1231 });
  await expect(client.read('holding', 99, 2)).rejects.toMatchObject({
    code: 'modbus_exception',
    details: { name: 'illegal_data_address' },
  });
  const reads = Array.from({ length: 20 }, () => client.read('holding', 0, 100));
  for (const registers of await Promise.all(reads)) expect(registers[3]).toBe(0x1231);
};

describe('a client over real sockets', () => {
  let listener: TcpListener;
  const servers: HandServer[] = [];
  const links: ByteLink[] = [];

  beforeEach(async () => {
    const registers = new Uint16Array(100);
    listener = await listenTcp({
      address: '127.0.0.1',
      port: 0,
      accept: (link) => {
        links.push(link);
        const server = new HandServer('tcp', registers).attach(link);
        servers.push(server);
        return server;
      },
    });
  });

  afterEach(async () => {
    servers.length = 0;
    links.length = 0;
    await listener.close();
  });

  it('reads, writes, changes bits and gets exceptions, all over one connection', async () => {
    const endpoint = `tcp:localhost:${listener.port}`;
    await exercise(await clientOf(endpoint));
    await exercise(await clientOf(`tcp:127.0.0.1:${listener.port}`));
    expect(links).toHaveLength(1);
    expect(pool.sessions()).toMatchObject([{ endpoint, failures: 0, timeouts: 0, users: 2 }]);
  });

  it('goes on over a new connection after silence and after the server hung up', async () => {
    const client = await clientOf(`tcp:127.0.0.1:${listener.port}`);
    await client.read('holding', 0, 1);
    const [server] = servers;
    if (server) server.isMute = true;
    const silent = client.read('holding', 0, 1, { timeoutMs: 30 });
    await expect(silent).rejects.toMatchObject({ code: 'modbus_timeout' });
    await client.read('holding', 0, 1);
    expect(links).toHaveLength(2);
    links[1]?.close();
    await eventually(() => client.session.state === 'closed');
    await client.read('holding', 0, 1);
    expect(links).toHaveLength(3);
    expect(pool.sessions()).toMatchObject([{ reconnects: 2 }]);
  });

  it('says why no server is there', async () => {
    const client = await clientOf(`tcp:127.0.0.1:${listener.port}`);
    await listener.close();
    await expect(client.read('holding', 0, 1)).rejects.toMatchObject({
      code: 'modbus_unreachable',
      details: { reason: 'ECONNREFUSED' },
    });
  });
});

describe.runIf(process.platform === 'linux').each(['rtu', 'ascii'] as const)(
  'a client over a serial line: %s',
  (kind) => {
    let pair: PtyPair;
    let port: ByteLink;
    let server: HandServer;

    beforeEach(async () => {
      pair = await PtyPair.create();
      server = new HandServer(kind);
      const opened = new Promise<void>((resolve) => {
        server.opened = resolve;
      });
      port = openSerialLink({ path: pair.other, settings: defaultSettings[kind] }, server);
      server.attach(port);
      await opened;
    });

    afterEach(async () => {
      port.close();
      await pair.remove();
    });

    it('reads, writes, changes bits and gets exceptions', async () => {
      await exercise(await clientOf(`${kind}:${pair.one}`));
    });

    it('knows no unit 0, which would be all of them', async () => {
      const one = await clientOf(`${kind}:${pair.one}`);
      const all = new ModbusClient(one.session, 0);
      await expect(all.write('holding', 7, Uint16Array.of(77))).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { field: 'unit', minimum: 1, maximum: 247 },
      });
      expect(await one.read('holding', 7, 1)).toEqual(Uint16Array.of(0));
    });

    it('keeps the port open through silence', async () => {
      const client = await clientOf(`${kind}:${pair.one}`);
      await client.read('holding', 0, 1);
      server.isMute = true;
      // Once the line is free: a short time-out may not be enough for that wait.
      const freeUs = clock.monotonicUs() + rtuSilenceUs(defaultSettings[kind].baudRate);
      await eventually(() => clock.monotonicUs() > freeUs);
      const silent = client.read('holding', 0, 1, { timeoutMs: 30 });
      await expect(silent).rejects.toMatchObject({ code: 'modbus_timeout' });
      server.isMute = false;
      await client.read('holding', 0, 1);
      expect(pool.sessions()).toMatchObject([{ reconnects: 0, timeouts: 1, responses: 2 }]);
    });

    it('fails what is under way when the line is pulled', async () => {
      const client = await clientOf(`${kind}:${pair.one}`);
      await client.read('holding', 0, 1);
      server.isMute = true;
      const read = client.read('holding', 0, 1);
      const failed = expect(read).rejects.toMatchObject({ code: 'modbus_unreachable' });
      await pair.cut();
      await failed;
    });
  },
);
