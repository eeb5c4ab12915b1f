import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { type SampleRecord, SignalBench, setUpSignalBench } from './support/signal-bench.ts';
import { linesOf } from './support/stream-receivers.ts';

const database = `BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (0.25,0) [0|1000] "rpm" ECU
 SG_ Gear : 16|8@1+ (1,0) [0|0] "" ECU
BO_ 257 Body: 4 ECU
 SG_ Level : 0|32@1- (1,0) [0|0] "V" ECU

VAL_ 256 Gear 0 "Neutral, \\"N\\"" 1 "First" ;
SIG_VALTYPE_ 257 Level : 1;
`;

describe('signal watch', () => {
  const bench = new SignalBench();
  let engine = '';
  let body = '';
  let samples: SampleRecord[] = [];

  beforeAll(async () => {
    await bench.start();
    [engine = '', body = ''] = await bench.follow(database, 'Engine', 'Body');
    await bench.transmit({ id: 256, data: '030000' });
    await bench.transmit({ id: 256, data: 'FFFF02' });
    await bench.transmit({ id: 257, data: '0000C07F' });
    await bench.decoded(body, 1);
    const pages = [
      await bench.page(engine, 'Speed'),
      await bench.page(engine, 'Gear'),
      await bench.page(body, 'Level'),
    ];
    samples = pages
      .flatMap((page) => page.samples)
      .sort((one, other) => one.sequence - other.sequence);
  });
  afterAll(() => bench.dispose());

  const watch = (...args: string[]) => bench.ask(['signal', 'watch', '--after=0', ...args]);

  it('prints a line for each sample', async () => {
    const { code, stdout, stderr } = await watch('--count=5');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = linesOf(stdout);
    expect(lines.map((line) => line.slice(line.indexOf(')') + 1))).toEqual([
      '  Engine  Speed  0.75 rpm',
      '  Engine  Gear  0 "Neutral, "N""',
      '  Engine  Speed  16383.75 rpm  (invalid)',
      '  Engine  Gear  2',
      '  Body  Level  - V  (invalid)',
    ]);
    const times = lines.map((line) => Number(line.slice(1, line.indexOf(')')).replace('.', '')));
    expect(times).toEqual(samples.map(({ timestamp_us }) => timestamp_us));
  });

  it.each(['jsonl', 'json'])('prints the samples of history, one a line, as %s', async (format) => {
    const { code, stdout, stderr } = await watch('--count=5', `--format=${format}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(linesOf(stdout).map((line) => JSON.parse(line))).toEqual(samples);
  });

  it('prints the same fields as csv, quoted where they need it', async () => {
    const { stdout } = await watch('--count=5', '--format=csv');
    const [head, first, second] = linesOf(stdout);
    expect(head?.split(',')).toEqual(Object.keys(samples[0] ?? {}));
    expect(first).toBe(Object.values(samples[0] ?? {}).join(','));
    expect(second).toContain('"Neutral, ""N""');
    expect(linesOf(stdout)).toHaveLength(6);
  });

  it('follows some plans and signals, from where it is told', async () => {
    const gears = await watch('--signal=Gear', '--signal=Level', '--count=3', '--format=jsonl');
    expect(linesOf(gears.stdout).map((line) => JSON.parse(line).signal)).toEqual([
      'Gear',
      'Gear',
      'Level',
    ]);
    const levels = await watch(`--plan=${body}`, '--count=1', '--format=jsonl');
    expect(linesOf(levels.stdout).map((line) => JSON.parse(line))).toEqual([samples[4]]);
    const rest = await bench.ask(['signal', 'watch', '--after=4', '--count=1', '--format=jsonl']);
    expect(JSON.parse(rest.stdout)).toEqual(samples[4]);
  });

  it('ends after its duration', async () => {
    const { code, stderr } = await watch('--duration-ms=1');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('reports a cursor from another life, then gives what there is', async () => {
    const args = ['signal', 'watch', '--after=900', '--count=1'];
    const { code, stderr } = await bench.ask(args);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'gap: --after=900 is ahead of the newest event; oldest available 1, newest 5\n',
    });
    const { stdout } = await bench.ask([...args, '--format=jsonl']);
    expect(linesOf(stdout).map((line) => JSON.parse(line))).toEqual([
      { event: 'gap', oldest_available: 1, newest_available: 5, missed: null },
      samples[0],
    ]);
  });

  it.each([
    [['--plan=plan-0'], 'plan_not_found', 1],
    [['--signal=Nothing'], 'signal_not_found', 1],
    [['--count=0'], 'invalid_argument', 2],
    [['--duration-ms=0'], 'invalid_argument', 2],
    [['--after=-1'], 'invalid_argument', 2],
    [['--plan='], 'invalid_argument', 2],
  ])('is refused with %j: %s, exit %i', async (args, code, exit) => {
    expect(await bench.failure('signal', 'watch', ...args)).toMatchObject({
      exit,
      code,
      stdout: '',
    });
  });

  it('ends well when it is interrupted, with all that came until then', async () => {
    const command = runInBackground(bench, 'signal', 'watch', '--after=0', '--format=jsonl');
    await command.printed('stdout', '"sequence":5');
    command.killGroup('SIGINT');
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expect(linesOf(command.stdout)).toHaveLength(5);
    expect(command.stderr).toBe('');
  });
});

describe('signal watch of live samples', () => {
  it('prints them as they come, and says when the plans or the Web service are gone', async () => {
    const bench = await setUpSignalBench();
    await bench.openSegment();
    await bench.use('vehicle', database);
    const request = { database: 'vehicle', message: 'Engine' };
    const { plan_id: first } = await bench.plan(request);
    const { plan_id: second } = await bench.plan(request);
    const watching = [first, second].map((plan) =>
      runInBackground(bench, 'signal', 'watch', `--plan=${plan}`, '--signal=Speed'),
    );
    // Repeated, because the command does not report when it starts listening.
    await eventually(async () => {
      await bench.transmit({ id: 256, data: '040000' });
      return watching.every(({ stdout }) => stdout.includes('Speed  1 rpm\n'));
    });
    await bench.deletePlan(first);
    expect(await watching[0]?.ended).toEqual({ code: 0, signal: null });
    expect(watching[0]?.stderr).toBe('end: the signal plans were deleted\n');
    expect(watching[1]?.isRunning).toBe(true);
    await bench.ask(['web', 'stop']);
    expect(await watching[1]?.ended).toEqual({ code: 0, signal: null });
    expect(watching[1]?.stderr).toMatch(/^end: /);
  });
});
