import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { PollJob } from '../client/poll-job.ts';
import { readRequest } from '../pdu/make-request.ts';
import { SessionPool } from '../session/session-pool.ts';
import { ScriptedTransport } from '../session/testing/scripted-transport.ts';
import { fakeScheduler } from '../session/testing/session-rig.ts';
import { unreachable } from '../transport/unreachable.ts';
import { ModbusScans, type ScanProgress, type ScanRequest } from './modbus-scans.ts';

const usual = { timeout_ms: 200, trace: false } as const;
const bench = async (): Promise<never> => {
  throw new Error('No test here has a bench');
};

/** Response of a unit to a read, as a PDU in hex; silence, or a disconnection. */
type Answers = Readonly<Record<number, string | 'hangs up'>>;

const endpoint = 'tcp:plc:502';

/** Advances the time until a promise is settled. */
const passTime = async <T>(clock: FakeClock, promise: Promise<T>): Promise<T> => {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  promise.then(end, end);
  while (!isOver) {
    clock.advanceUs(1000);
    for (let turn = 0; turn < 12; turn++) await undefined;
  }
  return promise;
};

const setUp = (answers: Answers = {}) => {
  const clock = new FakeClock();
  const scheduler = fakeScheduler(clock);
  const transport = new ScriptedTransport('tcp', 'tcp:named-first:502');
  const asked: string[] = [];
  transport.accepts(clock, (link) => {
    link.onWrite = (bytes) => {
      const unit = bytes[6] as number;
      asked.push(`${unit}: ${Buffer.from(bytes.slice(7)).toString('hex')}`);
      const answer = answers[unit];
      if (answer === 'hangs up') clock.after(1, () => link.lose());
      else if (answer !== undefined) {
        const head = Buffer.from(bytes.slice(0, 4)).toString('hex');
        const rest = Buffer.of(unit, ...Buffer.from(answer, 'hex'));
        const length = rest.length.toString(16).padStart(4, '0');
        clock.after(3, () => link.receive(head + length + rest.toString('hex')));
      }
    };
  });
  const pool = new SessionPool({
    clock,
    scheduler,
    resolve: async () => ({
      kind: 'tcp',
      address: '10.0.0.1',
      port: 502,
      key: 'tcp:10.0.0.1:502',
      text: 'tcp:named-first:502',
    }),
    transportTo: () => transport,
  });
  const scans = new ModbusScans(pool, clock);
  const scan = (request: Partial<ScanRequest> = {}, caller = {}) =>
    passTime(clock, scans.scan({ endpoint, ...usual, units: '1-4', ...request }, bench, caller));
  return { clock, scheduler, transport, pool, scans, asked, scan };
};

const one = '03020007';

describe('a scan for units', () => {
  it('tells those that answer, refuse or are silent', async () => {
    const { scan, asked } = setUp({ 1: one, 3: '8302' });
    expect(await scan()).toEqual({
      network: null,
      endpoint,
      units: [
        { unit: 1, state: 'answering', exception: null, round_trip_us: 3000, error: null },
        {
          unit: 3,
          state: 'exception',
          exception: { code: 2, name: 'illegal_data_address' },
          round_trip_us: 3000,
          error: null,
        },
      ],
      silent: [2, 4],
    });
    expect(asked).toEqual([1, 2, 3, 4].map((unit) => `${unit}: 0300000001`));
  });

  it('asks what its caller wants to have asked, and those that it wants', async () => {
    const { scan, asked } = setUp();
    await scan({ units: '9,5-6,6', table: 'input', address: 0x10 });
    await scan({ units: '5', reference: '00011' });
    expect(asked).toEqual(
      ['5', '6', '9'].map((unit) => `${unit}: 0400100001`).concat('5: 01000a0001'),
    );
  });

  it('goes on behind a unit over which the link broke, or whose answer is none', async () => {
    const { scan, transport } = setUp({ 1: 'hangs up', 2: '0402', 3: one });
    const { units, silent } = await scan({ units: '1-3' });
    expect(units).toMatchObject([
      { unit: 1, state: 'failed', error: { code: 'modbus_unreachable' } },
      { unit: 2, state: 'failed' },
      { unit: 3, state: 'answering' },
    ]);
    // Each caller sees its own endpoint text for a shared link.
    expect(units[0]?.error?.message).toContain('closed_by_peer');
    expect(silent).toEqual([]);
    expect(transport.links.length).toBeGreaterThan(1);
  });

  it('tells after each unit how far it is, and who was found', async () => {
    const { scan } = setUp({ 2: one });
    const reported: ScanProgress[] = [];
    await scan(
      { units: '1-3', trace: true },
      { report: (progress: ScanProgress) => reported.push(structuredClone(progress)) },
    );
    expect(reported.map(({ scanned, total, units }) => [scanned, total, units.length])).toEqual([
      [1, 3, 0],
      [2, 3, 1],
      [3, 3, 1],
    ]);
    expect(reported[2]?.units[0]).not.toHaveProperty('trace');
  });

  it('has the raw bytes with each unit where they are asked for', async () => {
    const { scan } = setUp({ 2: one });
    const { units } = await scan({ units: '2', trace: true });
    expect(units[0]?.trace).toMatchObject([
      { direction: 'tx', data: '000100000006020300000001' },
      { direction: 'rx', data: '0001000000050203020007' },
    ]);
  });

  it('waits for a link that cannot be made, and gives up after a few attempts', async () => {
    const { scan, transport, clock, pool } = setUp({ 1: one });
    let refusals = 2;
    const accept = transport.onConnect;
    transport.onConnect = (link) => {
      refusals -= 1;
      if (refusals < 0) accept(link);
      else clock.after(1, () => link.lose(unreachable(transport.endpoint, 'ECONNREFUSED')));
    };
    expect((await scan({ units: '1' })).units).toMatchObject([{ state: 'answering' }]);
    transport.refuses(clock);
    transport.last.lose();
    await expect(scan()).rejects.toMatchObject({
      code: 'modbus_unreachable',
      message: expect.stringContaining(endpoint),
      details: { endpoint, reason: 'ECONNREFUSED' },
    });
    expect(pool.sessions()).toEqual([]);
  });

  /** A silent line that has already passed a read without a response. */
  const setUpMute = async (units: string, request: Partial<ScanRequest> = {}) => {
    const clock = new FakeClock();
    const transport = new ScriptedTransport('rtu');
    transport.accepts(clock);
    const pool = new SessionPool({
      clock,
      scheduler: fakeScheduler(clock),
      keepAliveMs: 60_000,
      resolve: async () => ({
        kind: 'rtu',
        named: '/dev/ttyS0',
        path: '/dev/ttyS0',
        settings: { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 1 },
        key: 'tty:1',
        text: 'rtu:/dev/ttyS0',
      }),
      transportTo: () => transport,
    });
    const scans = new ModbusScans(pool, clock);
    const scan = () =>
      passTime(
        clock,
        scans.scan({ endpoint: 'rtu:/dev/ttyS0', ...usual, units, ...request }, bench),
      );
    const functions = (): (string | undefined)[] =>
      transport.last.written.map((frame) => frame.slice(2, 4));
    expect((await scan()).silent).toHaveLength(1);
    return { scan, functions };
  };

  it('waits for a unit that is being resynchronised, instead of counting it as failed', async () => {
    const { scan, functions } = await setUpMute('7');
    expect(await scan()).toMatchObject({ units: [], silent: [7] });
    expect(functions()).toEqual(['03', '08', '03']);
  });

  it('sends no probes where they are forbidden', async () => {
    const { scan, functions } = await setUpMute('7', { probe: false });
    expect(await scan()).toMatchObject({ units: [], silent: [7] });
    expect(functions()).toEqual(['03', '03']);
  });

  it('ends with its caller', async () => {
    const { scan, asked } = setUp();
    const cancel = new AbortController();
    const report = ({ scanned }: ScanProgress): void => {
      if (scanned === 2) cancel.abort();
    };
    await expect(scan({ units: '1-9' }, { signal: cancel.signal, report })).rejects.toMatchObject({
      code: 'operation_cancelled',
    });
    expect(asked).toHaveLength(2);
  });

  it('lets a poll have its turn between any two units', async () => {
    const { scans, asked, pool, clock, scheduler } = setUp({ 100: one });
    const lease = await pool.acquire({ kind: 'tcp', host: 'plc', port: 502 });
    const settings = {
      unit: 100,
      request: readRequest('holding', 0, 1),
      periodMs: 10,
      timeoutMs: 1000,
      onReady: () => undefined,
    };
    const poll = new PollJob(settings, lease, clock, scheduler);
    await passTime(clock, scans.scan({ endpoint, ...usual, units: '1-5' }, bench));
    poll.stop();
    const turns = asked.map((request) => request.startsWith('100:'));
    for (const [index, isPoll] of turns.entries()) {
      if (!isPoll && index > 0) expect(turns[index - 1]).toBe(true);
    }
  });

  it.each<[Partial<ScanRequest>, field: string]>([
    [{ units: '5-3' }, 'units'],
    [{ units: '1-256' }, 'units'],
    [{ units: '999' }, 'units'],
    [{ endpoint: 'rtu:/dev/nope', units: '0-3' }, 'units'],
    [{ endpoint: 'rtu-tcp:plc:502', units: '248' }, 'units'],
    [{ reference: '40001', address: 1 }, 'reference'],
    [{ reference: '20001' }, 'reference'],
  ])('refuses %j', async (request, field) => {
    await expect(setUp().scan(request)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field },
    });
  });

  it('refuses what would take longer than is allowed', async () => {
    const { scan } = setUp();
    await expect(
      scan({ units: '1-100', timeout_ms: 601 }, { maxMs: 60_000 }),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'timeout_ms', maximum: 600 },
    });
    expect(await scan({ units: '1', timeout_ms: 600 }, { maxMs: 600 })).toMatchObject({
      silent: [1],
    });
  });
});
