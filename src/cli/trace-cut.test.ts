import { linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HastyClock } from '../base/clock/testing/hasty-clock.ts';
import { traceCut } from '../operations/trace.ts';
import { CliBench } from './testing/cli-bench.ts';
import { Paper } from './testing/paper.ts';

const asc = (...rows: readonly string[]): string =>
  [
    'date Thu Jan 1 12:00:00.000 am 2026',
    'base hex  timestamps absolute',
    'Begin TriggerBlock Thu Jan 1 12:00:00.000 am 2026',
    ...rows,
    'End TriggerBlock',
    '',
  ].join('\n');

const drive = asc(
  '   0.100000 1  100             Rx   d 2 00 00',
  '   0.200000 2  100             Rx   d 2 FF FF',
  '   0.300000 1  123             Rx   d 1 01',
  '   0.400000 1  100             Rx   d 2 10 27',
  '   0.500000 1  100             Rx   d 2 11 27',
  '   0.600000 1  100             Rx   d 2 10 27',
  '   0.700000 1  123             Rx   d 1 02',
);

const database = [
  'VERSION ""',
  'BU_: N',
  'BO_ 256 Engine: 2 N',
  ' SG_ Speed : 0|16@1+ (1,0) [0|65535] "rpm" N',
  '',
].join('\n');

describe('trace cut', () => {
  let bench: CliBench;
  let clock: HastyClock;

  beforeEach(() => {
    bench = new CliBench([traceCut]);
    clock = new HastyClock();
    bench.clock = clock;
    writeFileSync(join(bench.folder, 'a.asc'), drive);
    writeFileSync(join(bench.folder, 'v.dbc'), database);
  });
  afterEach(() => bench.close());

  const files = (): string[] => readdirSync(bench.folder).filter((name) => name !== 'home');
  const cut = (when: string, ...more: readonly string[]): Promise<number> => {
    bench.stdout = new Paper();
    bench.stderr = new Paper();
    const argv = [`--when=${when}`, ...more, '--format=json'];
    return bench.run('trace', 'cut', 'a.asc', ...argv);
  };
  const timesIn = (name: string): string[] =>
    [...readFileSync(join(bench.folder, name), 'utf8').matchAll(/^ +(0\.\d)\d+ \d/gm)].map(
      ([, time = '']) => time,
    );

  it('writes the events around those of a condition, with their times', async () => {
    const argv = ['--before=100ms', '--after=0.1s', '--output=b.asc'];
    expect(await cut('frame 123', ...argv)).toBe(0);
    expect(JSON.parse(bench.stdout.text)).toMatchObject({
      ...{ file: join(bench.folder, 'a.asc'), output: join(bench.folder, 'b.asc') },
      ...{ when: 'frame 123', input_format: 'asc', output_format: 'asc' },
      ...{ started_at_us: 1_767_225_600_000_000, read: 7, fired: 2, excerpts: 2 },
      ...{ written: 5, cut: 2, unwritten: {}, clamped: 0, malformed: 0, truncated: false },
    });
    expect(timesIn('b.asc')).toEqual(['0.2', '0.3', '0.4', '0.6', '0.7']);
    expect(readFileSync(join(bench.folder, 'b.asc'), 'utf8')).toContain(
      '1 events are missing here',
    );
  });

  it('looks signals up in databases, each for its channel', async () => {
    const when = 'signal Engine.Speed > 10000';
    expect(await cut(when, '--database=v.dbc', '--output=b.asc')).toBe(0);
    expect(timesIn('b.asc')).toEqual(['0.2', '0.3', '0.4', '0.5', '0.6', '0.7']);
    expect(await cut(when, '--database=v.dbc@1', '--output=c.asc')).toBe(0);
    expect(timesIn('c.asc')).toEqual(['0.5', '0.6']);
    expect(await cut(`${when} on C1`, '--database=v.dbc', '--output=d.log')).toBe(0);
    expect(readFileSync(join(bench.folder, 'd.log'), 'utf8')).not.toContain('#\n');
  });

  it.each([
    ['fram 123', [], 0, 'not, ( or one of'],
    ['frame 123 within 1s error', [], 20, 'of'],
    ['signal Engine.Speed > 1', [], 7, 'a database for the signal'],
    ['signal Motor.Speed > 1', ['--database=v.dbc'], 7, 'a message of the databases'],
    ['signal Engine.Sped > 1', ['--database=v.dbc'], 14, 'a signal of Engine'],
    ['signal Engine.Speed = Off', ['--database=v.dbc'], 22, 'a number'],
    ['e2e_error cabin/Wheels', [], 10, 'a protected message of a gateway'],
    ['frame 123 on 3', [], 13, 'a channel of the trace'],
    ['frame 123 or error on L1', [], 22, 'a channel of the trace'],
  ])('refuses %s %j at its offset, and writes nothing', async (when, more, offset, expected) => {
    expect(await cut(when, ...more, '--output=b.asc')).toBe(2);
    const { error } = JSON.parse(bench.stderr.text);
    expect(error).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'when', reason: expect.any(String), offset },
    });
    expect(error.details.expected).toContain(expected);
    expect(files()).toEqual(['a.asc', 'v.dbc']);
  });

  it.each([
    [['--output=b.asc', '--before=-1s'], 'before'],
    [['--output=b.asc', '--after=5'], 'after'],
    [['--output=b.txt'], 'to'],
    [['--output=a.asc', '--overwrite'], 'output'],
    [['--output=hard.asc', '--overwrite'], 'output'],
    [['--output=soft.asc', '--overwrite'], 'output'],
    [['--output=b.asc', '--database=v.dbc@9'], 'database'],
    [['--output=b.asc', '--database=v.dbc@70000'], 'database'],
    [['--output=b.asc', '--database=@1'], 'database'],
  ])('refuses %j with its field', async (more, field) => {
    linkSync(join(bench.folder, 'a.asc'), join(bench.folder, 'hard.asc'));
    symlinkSync('a.asc', join(bench.folder, 'soft.asc'));
    expect(await cut('frame 123', ...more)).toBe(2);
    expect(JSON.parse(bench.stderr.text).error).toMatchObject({
      code: 'invalid_argument',
      details: { field },
    });
    expect(readFileSync(join(bench.folder, 'a.asc'), 'utf8')).toBe(drive);
    expect(files()).toEqual(['a.asc', 'hard.asc', 'soft.asc', 'v.dbc']);
  });

  it.each([
    [['--output=v.dbc', '--to=asc'], 'already_exists'],
    [['--output=no/b.asc'], 'file_not_found'],
    [['--output=b.asc', '--database=a.asc'], 'invalid_database'],
    [['--output=b.asc', '--database=none.dbc'], 'file_not_found'],
  ])('fails with %j', async (more, code) => {
    expect(await cut('frame 123', ...more)).toBe(1);
    expect(JSON.parse(bench.stderr.text).error.code).toBe(code);
    expect(files()).toEqual(['a.asc', 'v.dbc']);
  });

  it('reads no pipe, because it reads the file twice', async () => {
    const argv = ['--when=error', '--output=b.asc', '--format=json'];
    expect(await bench.run('trace', 'cut', '/dev/null', ...argv)).toBe(1);
    expect(JSON.parse(bench.stderr.text).error).toMatchObject({
      code: 'file_unavailable',
      details: { field: 'file', reason: 'not_a_file' },
    });
    expect(files()).toEqual(['a.asc', 'v.dbc']);
  });

  it('writes what it can read of a damaged file, and says so', async () => {
    writeFileSync(join(bench.folder, 'a.asc'), drive.replace('d 2 11 27', 'd 2 11'));
    expect(await cut('frame 123', '--before=1s', '--output=b.asc')).toBe(1);
    expect(bench.stderr.text).toContain('trace_damaged');
    expect(timesIn('b.asc')).toEqual(['0.1', '0.2', '0.3', '0.4', '0.6', '0.7']);
  });

  it('stops when it is interrupted, at any turn, and leaves nothing', async () => {
    const line = '(1767225600.000100) can0 123#0011AABB\n';
    writeFileSync(join(bench.folder, 'a.asc'), line.repeat(20_000));
    let moments = 0;
    for (let isOver = false; !isOver; ) {
      let turns = 0;
      moments += 1;
      clock.onTurn = () => {
        turns += 1;
        if (turns === moments) process.emit('SIGINT');
      };
      isOver = (await cut('error', '--before=1h', '--output=b.asc')) === 0;
      if (isOver) break;
      expect(bench.stderr.text).toContain('operation_cancelled');
      expect(turns).toBe(moments);
      expect(files()).toEqual(['a.asc', 'v.dbc']);
    }
    expect(moments).toBeGreaterThan(5);
    expect(process.listenerCount('SIGINT')).toBe(0);
  });
});
