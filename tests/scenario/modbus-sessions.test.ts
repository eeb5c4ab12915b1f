import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inputAt, portOf, serveHere, setUpWire, useDaemon } from '../support/modbus-rig.ts';
import { hasPeer } from '../support/peers.ts';
import { type BackgroundCommand, runInBackground } from './support/background-command.ts';
import { FaultProxy } from './support/fault-proxy.ts';

interface Session {
  readonly endpoint: string;
  readonly state: string;
  readonly users: number;
  readonly [field: string]: unknown;
}

describe('sessions of the daemon', () => {
  const bench = useDaemon();

  const sessionsAt = async (...ends: string[]): Promise<Session[]> => {
    const { sessions } = await bench().json<{ sessions: Session[] }>('modbus', 'status');
    return sessions.filter(({ endpoint }) => ends.some((end) => endpoint.includes(end)));
  };

  const read = (endpoint: string, reference: number) =>
    bench().json(
      ...['modbus', 'read', `--endpoint=${endpoint}`, '--unit=1', `--reference=${reference}`],
      '--timeout-ms=30000',
    );

  /** Keeps a session in use after its first result. */
  const pollAt = async (endpoint: string): Promise<BackgroundCommand> => {
    const poll = runInBackground(
      bench(),
      ...['modbus', 'poll', `--endpoint=${endpoint}`, '--unit=1', '--reference=30001'],
      ...['--period-ms=20', '--timeout-ms=30000', '--format=jsonl'],
    );
    await poll.printed('stdout', '"sequence":1,');
    return poll;
  };

  const endPoll = async (poll: BackgroundCommand): Promise<void> => {
    poll.kill('SIGINT');
    await poll.ended;
  };

  it('have one connection and one row of transactions for polls and commands', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const proxy = await FaultProxy.before(portOf(endpoint));
    const polls = [await pollAt(proxy.endpoint), await pollAt(proxy.endpoint)];
    const references = [1, 2, 3, 4, 5, 6];
    const found = await Promise.all(
      references.map((number) => read(proxy.endpoint, 30_000 + number)),
    );
    expect(found.map(({ values }) => values)).toEqual(
      references.map((number) => [String(inputAt(number - 1))]),
    );
    const [session] = await sessionsAt(String(proxy.port));
    expect(session).toMatchObject({
      state: 'open',
      users: 2,
      exceptions: 0,
      timeouts: 0,
      failures: 0,
      protocol_errors: 0,
      reconnects: 0,
      last_error: null,
    });
    // Before the polls end: a poll interrupted while waiting for its response ends the
    // connection.
    expect(proxy.connections).toBe(1);
    const [first = 0] = proxy.transactions;
    expect(proxy.transactions).toEqual(
      proxy.transactions.map((_, index) => (first + index) & 0xffff),
    );
    for (const poll of polls) await endPoll(poll);
  });

  it('are the same for all names of a host', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const proxy = await FaultProxy.before(portOf(endpoint));
    const poll = await pollAt(`tcp:localhost:${proxy.port}`);
    await read(`tcp:127.0.0.1:${proxy.port}`, 30_002);
    await read(`tcp:[::ffff:127.0.0.1]:${proxy.port}`, 30_003);
    expect(await sessionsAt(String(proxy.port))).toMatchObject([
      { endpoint: `tcp:localhost:${proxy.port}`, users: 1 },
    ]);
    expect(proxy.connections).toBe(1);
    await endPoll(poll);
  });

  it('go on after a peer broke the connection, and count it', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const proxy = await FaultProxy.before(portOf(endpoint));
    const held = proxy.nextReply();
    const refused = bench().failure(
      ...['modbus', 'read', `--endpoint=${proxy.endpoint}`, '--unit=1', '--reference=30001'],
      '--timeout-ms=30000',
    );
    (await held).reset();
    expect(await refused).toMatchObject({ exit: 1, code: 'modbus_unreachable' });
    expect(await read(proxy.endpoint, 30_002)).toMatchObject({ values: [String(inputAt(1))] });
    expect(proxy.connections).toBe(2);
  });

  describe.runIf(hasPeer('/usr/bin/socat', 'socat'))('of serial ports', () => {
    it('are the same for all paths of a port', async () => {
      const wire = await setUpWire();
      await serveHere(`rtu:${wire.other}`);
      const device = realpathSync(wire.one);
      const alias = join(wire.folder, 'alias');
      symlinkSync(wire.one, alias);
      const poll = await pollAt(`rtu:${wire.one}`);
      for (const path of [device, alias]) {
        expect(await read(`rtu:${path}`, 30_003)).toMatchObject({ values: [String(inputAt(2))] });
      }
      expect(await sessionsAt(device, alias, wire.one)).toMatchObject([
        { endpoint: `rtu:${wire.one}:19200,8E1`, users: 1, reconnects: 0 },
      ]);
      await endPoll(poll);
    });

    it('have one set of parameters at a time, and refuse others by name', async () => {
      const wire = await setUpWire();
      await serveHere(`rtu:${wire.other}`);
      const poll = await pollAt(`rtu:${wire.one}`);
      const device = realpathSync(wire.one);
      for (const [endpoint, field] of [
        [`rtu:${device}:9600,8E1`, 'baud_rate'],
        [`rtu:${device}:19200,8N1`, 'parity'],
        [`rtu:${device}:19200,8E2`, 'stop_bits'],
        [`ascii:${device}`, 'framing'],
      ]) {
        const refused = await bench().failure(
          ...['modbus', 'read', `--endpoint=${endpoint}`, '--unit=1', '--reference=30001'],
        );
        expect(refused).toMatchObject({
          exit: 2,
          code: 'invalid_argument',
          details: { field, reason: 'mismatch', in_use: `rtu:${wire.one}:19200,8E1` },
        });
      }
      await endPoll(poll);
    });
  });
});
