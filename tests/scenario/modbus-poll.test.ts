import { describe, expect, it } from 'vitest';
import { inputAt, portOf, serveHere, useDaemon } from '../support/modbus-rig.ts';
import { eventually } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { FaultProxy } from './support/fault-proxy.ts';

interface Polled {
  readonly sequence: number;
  readonly timestamp_us: number;
  readonly values: string[] | null;
  readonly registers: number[] | null;
  readonly error: { readonly code: string } | null;
  readonly missed: number;
  readonly coalesced: number;
}

interface Session {
  readonly endpoint: string;
  readonly responses: number;
}

const linesOf = (stdout: string): Polled[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Polled);

describe('modbus poll', () => {
  const bench = useDaemon();
  const periodMs = 10;

  const words = (endpoint: string, ...args: string[]): string[] => [
    ...['modbus', 'poll', `--endpoint=${endpoint}`, '--unit=1', '--reference=30002'],
    ...[`--period-ms=${periodMs}`, '--timeout-ms=30000', ...args],
  ];

  it('ends after so many results, in every format', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const print = (...args: string[]) => bench().ask(words(endpoint, '--polls=3', ...args));
    const jsonl = await print('--format=jsonl', '--count=2');
    expect(jsonl.code).toBe(0);
    const polled = linesOf(jsonl.stdout);
    expect(polled.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    for (const { sequence, missed, timestamp_us, ...found } of polled) {
      expect(found).toEqual({
        network: null,
        endpoint,
        unit: 1,
        table: 'input',
        address: 1,
        reference: '30002',
        type: 'u16',
        order: 'ABCD',
        coalesced: 0,
        values: [String(inputAt(1)), String(inputAt(2))],
        registers: [inputAt(1), inputAt(2)],
        error: null,
      });
    }
    const csv = (await print('--format=csv')).stdout.trimEnd().split(/\r?\n/);
    expect(csv).toHaveLength(4);
    expect(csv[0]).toBe(
      'sequence,timestamp_us,network,endpoint,unit,table,address,reference,type,order,values,registers,error,missed,coalesced',
    );
    expect(csv[1]).toMatch(
      /^1,\d+,,tcp:127\.0\.0\.1:\d+,1,input,1,30002,u16,ABCD,"\[""7919""\]",\[7919\],,\d+,0$/,
    );
    const text = (await print()).stdout.trimEnd().split('\n');
    expect(text).toHaveLength(3);
    expect(text[2]).toMatch(/^\(\d+\.\d{6}\) {2}#3 {2}7919/);
  });

  it('ends after its time', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const { code, stdout } = await bench().ask(
      words(endpoint, '--duration-ms=500', '--format=jsonl'),
    );
    expect(code).toBe(0);
    // Their number depends on the machine.
    for (const { values } of linesOf(stdout)) expect(values).toEqual([String(inputAt(1))]);
  });

  it('counts the periods that an answer takes as missed', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const proxy = await FaultProxy.before(portOf(endpoint));
    const held = proxy.nextReply();
    const poll = runInBackground(bench(), ...words(proxy.endpoint, '--format=jsonl'));
    const reply = await held;
    const heldAt = performance.now();
    while (performance.now() - heldAt < 10 * periodMs) await bench().json('modbus', 'status');
    expect(poll.stdout).toBe('');
    reply.forward();
    await poll.printed('stdout', '"sequence":2,');
    const [first, second] = linesOf(poll.stdout);
    expect(first).toMatchObject({ sequence: 1, values: [String(inputAt(1))], coalesced: 0 });
    expect(first?.missed).toBeGreaterThan(0);
    expect(second?.missed).toBeGreaterThanOrEqual(first?.missed ?? 0);
    expect(second).toMatchObject({ sequence: 2 });
  });

  it('replaces results that its caller does not take by newer ones, and counts them', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const poll = runInBackground(
      bench(),
      ...['modbus', 'poll', `--endpoint=${endpoint}`, '--unit=1', '--reference=00001'],
      // The maximum size of a result, so that no buffer holds hundreds of them.
      ...['--count=2000', '--period-ms=1', '--timeout-ms=30000', '--format=jsonl'],
    );
    await poll.printed('stdout', '"sequence":1,');
    poll.kill('SIGSTOP');
    await eventually(async () => {
      const { sessions } = await bench().json<{ sessions: Session[] }>('modbus', 'status');
      const session = sessions.find((candidate) => candidate.endpoint === endpoint);
      return (session?.responses ?? 0) > 1000;
    });
    poll.kill('SIGCONT');
    await eventually(() => (linesOf(poll.stdout).at(-1)?.coalesced ?? 0) > 0);
    const polled = linesOf(poll.stdout);
    const gap = polled.findIndex(({ coalesced }) => coalesced > 0);
    const [before, after] = [polled[gap - 1], polled[gap]];
    expect(after?.coalesced).toBe((after?.sequence ?? 0) - (before?.sequence ?? 0) - 1);
  });

  it('shows errors and goes on', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const proxy = await FaultProxy.before(portOf(endpoint));
    proxy.fault = (reply) => {
      const exception = Buffer.from(reply.frame.subarray(0, 9));
      exception.writeUInt16BE(3, 4);
      exception.set([0x84, 6], 7);
      reply.send(exception);
    };
    const poll = runInBackground(bench(), ...words(proxy.endpoint, '--format=jsonl'));
    await poll.printed('stdout', '"code":"modbus_exception"');
    proxy.fault = (reply) => reply.reset();
    await poll.printed('stdout', '"code":"modbus_unreachable"');
    proxy.fault = (reply) => reply.forward();
    await poll.printed('stdout', '"error":null');
    expect(linesOf(poll.stdout)[0]).toMatchObject({
      sequence: 1,
      values: null,
      registers: null,
      error: { code: 'modbus_exception', details: { unit: 1, exception: 6, name: 'device_busy' } },
    });
    expect(linesOf(poll.stdout).at(-1)).toMatchObject({ values: [String(inputAt(1))] });
  });

  it('ends with Ctrl-C, and leaves the session to others', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const poll = runInBackground(bench(), ...words(endpoint));
    await poll.printed('stdout', '#2 ');
    poll.killGroup('SIGINT');
    expect(await poll.ended).toEqual({ code: 0, signal: null });
    expect(poll.stderr).toBe('');
    await eventually(async () => {
      const { sessions } = await bench().json<{ sessions: { endpoint: string; users: number }[] }>(
        'modbus',
        'status',
      );
      return sessions.every((session) => session.endpoint !== endpoint || session.users === 0);
    });
  });

  it('refuses before it starts what no poll could read', async () => {
    const refusals: [args: string[], field: string][] = [
      [['--endpoint=tcp:127.0.0.1:9', '--unit=1', '--reference=40001', '--count=126'], 'count'],
      [['--endpoint=tcp:127.0.0.1:9', '--unit=1', '--reference=20001'], 'reference'],
      [['--network=missing', '--unit=1', '--reference=40001'], 'network'],
      [['--endpoint=rtu:/dev/null', '--unit=248', '--reference=40001'], 'unit'],
    ];
    for (const [args, field] of refusals) {
      expect(await bench().failure('modbus', 'poll', ...args)).toMatchObject({
        exit: 2,
        stdout: '',
        code: 'invalid_argument',
        details: { field },
      });
    }
    expect(
      await bench().failure(
        ...['modbus', 'poll', '--endpoint=rtu:/dev/no-such-port', '--unit=1', '--reference=40001'],
      ),
    ).toMatchObject({ exit: 1, code: 'modbus_unreachable' });
  });
});
