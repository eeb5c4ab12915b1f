import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeClock } from '../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { eventually } from '../base/testing/eventually.ts';
import { operations } from '../operations/registry.ts';
import { CliBench } from './testing/cli-bench.ts';
import type { FakeCall } from './testing/fake-daemon.ts';

const wipe = '\r\u001b[K';
const sent = { accepted: 100, channel: 'a/0' };

describe('message send of many frames', () => {
  let bench: CliBench;
  let calls: FakeCall[];

  beforeEach(() => {
    bench = new CliBench(operations);
    calls = [];
  });
  afterEach(() => bench.close());

  const begin = async (argv: readonly string[], play: (call: FakeCall) => void) => {
    const daemon = await bench.serve((call) => {
      calls.push(call);
      play(call);
    });
    const ended = bench.run('message', 'send', 'a/0', '123#DEAD', '--count=100', ...argv);
    return { daemon, ended };
  };

  const complete = (call: FakeCall): void =>
    void call.reply({ progress: { accepted: 50, count: 100 } }).reply({ result: sent });

  it('sends one call and prints its answer', async () => {
    const { daemon, ended } = await begin(['--cycle-us=10', '--format=jsonl'], complete);
    expect(await ended).toBe(0);
    expect(daemon.requests).toMatchObject([
      {
        operation: 'message.send',
        arguments: { channel: 'a/0', frame: '123#DEAD', count: 100, cycle_us: 10 },
      },
    ]);
    expect(bench.stdout.text).toBe(`${JSON.stringify(sent)}\n`);
  });

  it('draws its progress on a terminal and wipes it away', async () => {
    bench.stderr.isTerminal = true;
    const { ended } = await begin([], complete);
    expect(await ended).toBe(0);
    const [drawn = '', ...rest] = bench.stderr.writes;
    expect(drawn.startsWith(wipe)).toBe(true);
    expect(drawn).toMatch(/ 50% {3}50\/100$/);
    expect(rest).toEqual([wipe]);
  });

  it.each([
    ['no terminal', false, [], {}],
    ['another format', true, ['--format=json'], {}],
    ['a terminal that cannot wipe', true, [], { TERM: 'dumb' }],
  ])('draws nothing on %s', async (_, isTerminal, argv, env) => {
    bench.stderr.isTerminal = isTerminal;
    bench.env = env;
    const { ended } = await begin(argv, complete);
    expect(await ended).toBe(0);
    expect(bench.stderr.text).toBe('');
  });

  it('has the batch given up when it is interrupted, and fails with how far it came', async () => {
    bench.env = { NO_COLOR: '1' };
    const details = { cancelled: true, accepted: 57, failed_index: 57 };
    const error = new BusbarError('operation_cancelled', { details }).toRecord();
    const { daemon, ended } = await begin(['--format=jsonl'], (call) => {
      if (!('cancel' in call.request)) call.reply({ progress: { accepted: 50, count: 100 } });
      else calls[0]?.reply({ error });
    });
    await eventually(() => calls.length === 1);
    process.emit('SIGINT');
    expect(await ended).toBe(1);
    expect(daemon.requests[1]).toEqual({ cancel: daemon.requests[0]?.id });
    expect(JSON.parse(bench.stderr.text).error.details).toMatchObject(details);
    expect(process.listenerCount('SIGINT')).toBe(0);
  });

  it('hangs up on a daemon that does not answer that', async () => {
    const { ended } = await begin([], () => undefined);
    await eventually(() => calls.length === 1);
    process.emit('SIGINT');
    (bench.clock as FakeClock).advanceUs(3_000_000);
    expect(await ended).toBe(3);
    await eventually(() => calls[0]?.isOver === true);
  });

  it('fails as any command does', async () => {
    const error = new BusbarError('channel_not_open').toRecord();
    const { ended } = await begin([], (call) => call.reply({ error }));
    expect(await ended).toBe(1);
    expect(bench.stderr.text).toMatch(/^busbar: channel_not_open: /);
  });
});
