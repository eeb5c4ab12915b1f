import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from '../support/workbench.ts';
import { type EventRecord, idsOf, range, StreamBench } from './support/stream-bench.ts';
import { linesOf } from './support/stream-receivers.ts';

describe('message recv of what has been', () => {
  const workbench = new Workbench();
  let bench: StreamBench;
  let events: EventRecord[];

  beforeAll(async () => {
    bench = await StreamBench.start({ ports: [0, 1] }, workbench);
    await bench.open(2, { name: 'body' });
    await bench.open(3);
    await bench.send(0, 1, { id: 0x123, data: 'DEADBEEF' });
    await bench.send(1, 1, { id: 0x18ff50e5, extended: true, data: '01' });
    await bench.send(2, 1, { id: 0x7ff, fd: true, brs: true, data: '11'.repeat(12) });
    await bench.send(3, 1, { id: 5, type: 'remote', data: '', dlc: 4 });
    ({ events } = await bench.history(''));
    expect(idsOf(events)).toEqual(range(1, 8));
  });
  afterAll(() => workbench.dispose());

  const recv = (...args: string[]) => workbench.ask(['message', 'recv', '--after=0', ...args]);

  it('prints lines like those of candump', async () => {
    const { code, stdout, stderr } = await recv('--count=8');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = linesOf(stdout);
    expect(lines.map((line) => line.slice(line.indexOf(')') + 1))).toEqual([
      '  SIM00001/0  TX       123   [4]  DE AD BE EF',
      '  SIM00001/1  RX       123   [4]  DE AD BE EF',
      '  SIM00001/1  TX  18FF50E5   [1]  01',
      '  SIM00001/0  RX  18FF50E5   [1]  01',
      `  body        TX       7FF  [12]  ${Array(12).fill('11').join(' ')}  BRS`,
      `  SIM00001/3  RX       7FF  [12]  ${Array(12).fill('11').join(' ')}  BRS`,
      '  SIM00001/3  TX       005   [4]  remote request',
      '  body        RX       005   [4]  remote request',
    ]);
    const times = lines.map((line) => Number(line.slice(1, line.indexOf(')')).replace('.', '')));
    expect(times).toEqual(events.map(({ timestamp_us }) => timestamp_us));
  });

  it.each(['jsonl', 'json'])('prints the events of history, one a line, as %s', async (format) => {
    const { code, stdout } = await recv('--count=8', `--format=${format}`);
    expect(code).toBe(0);
    expect(linesOf(stdout).map((line) => JSON.parse(line))).toEqual(events);
  });

  it('prints the same fields as csv', async () => {
    const { stdout } = await recv('--count=8', '--format=csv');
    const [head, ...rows] = linesOf(stdout);
    // Only errors have a count, and none of them is one.
    expect(head?.split(',')).toEqual([...Object.keys(events[0] ?? {}), 'count']);
    expect(rows).toEqual(events.map((event) => `${Object.values(event).join(',')},`));
  });

  it('goes on behind an event id', async () => {
    const { stdout } = await workbench.ask([
      'message',
      'recv',
      '--after=5',
      '--count=3',
      '--format=jsonl',
    ]);
    expect(linesOf(stdout).map((line) => JSON.parse(line).event_id)).toEqual([6, 7, 8]);
  });

  it.each([
    [['--channel=SIM00001/1'], [2, 3]],
    [['--channel=body'], [5, 8]],
    [['--channel=sim-0000-0001/3'], [6, 7]],
    [
      ['--channel=0', '--channel=body'],
      [1, 4, 5, 8],
    ],
  ])('of %j prints these channels alone', async (filter, ids) => {
    const { code, stdout } = await recv(...filter, `--count=${ids.length}`, '--format=jsonl');
    expect(code).toBe(0);
    expect(linesOf(stdout).map((line) => JSON.parse(line).event_id)).toEqual(ids);
  });

  it('ends after its duration, with all that came until then', async () => {
    const { code, stdout, stderr } = await recv('--duration-ms=1', '--format=csv');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(linesOf(stdout).length).toBeGreaterThanOrEqual(1);
  });

  it('reports a cursor from another life of the daemon, then gives what there is', async () => {
    const text = await workbench.ask(['message', 'recv', '--after=9000', '--count=8']);
    expect(text).toMatchObject({
      code: 0,
      stderr: 'gap: --after=9000 is ahead of the newest event; oldest available 1, newest 8\n',
    });
    expect(linesOf(text.stdout)).toHaveLength(8);
    const jsonl = await workbench.ask([
      'message',
      'recv',
      '--after=9000',
      '--count=1',
      '--format=jsonl',
    ]);
    expect(linesOf(jsonl.stdout).map((line) => JSON.parse(line))).toEqual([
      { event: 'gap', oldest_available: 1, newest_available: 8, missed: null },
      events[0],
    ]);
    expect(jsonl.stderr).toBe('');
  });

  it.each([
    ['nobody', 'channel_not_found', 1],
    ['SIM00001/4', 'channel_not_open', 1],
    ['SIM00001/', 'invalid_channel_selector', 2],
  ])('is refused for the channel %s with %s and exit %i', async (channel, code, exit) => {
    const failure = await workbench.failure('message', 'recv', `--channel=${channel}`);
    expect(failure).toMatchObject({ exit, stdout: '', code, details: { channel } });
  });

  it.each([
    '--count=0',
    '--count=x',
    '--duration-ms=0',
    '--after=-1',
    '--after=1e3',
    '--after=9007199254740993',
    '--channel=',
  ])('is refused with %s as a wrong command line', async (option) => {
    const { code, stdout } = await workbench.ask(['message', 'recv', option]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
