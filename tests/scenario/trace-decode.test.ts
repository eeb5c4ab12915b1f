import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { readParquet } from '../../src/table/testing/read-parquet.ts';
import { setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { mountSmallDisk } from './support/small-disk.ts';

const dbc = [
  'VERSION ""',
  'BU_: ECU',
  'BO_ 256 Engine: 8 ECU',
  ' SG_ Speed : 0|16@1+ (0.25,0) [0|16383.75] "rpm" ECU',
  ' SG_ State : 16|2@1+ (1,0) [0|3] "" ECU',
  'BO_ 512 Body: 2 ECU',
  ' SG_ Door : 0|1@1+ (1,0) [0|1] "" ECU',
  'VAL_ 256 State 0 "Off" 1 "On" ;',
  '',
].join('\n');

const log = [
  '(1767225600.000100) can0 100#0100010000000000',
  '(1767225600.500100) can1 200#0100',
  '(1767225601.000100) can0 100#0300000000000000',
  '(1767225601.100000) can0 7FF#00',
  '(1767225602.000100) can0 100#FFFF020000000000',
  '',
].join('\n');

const put = (bench: Workbench, name: string, text: string): void =>
  writeFileSync(join(bench.project, name), text);

const prepared = (): Workbench => {
  const bench = setUpWorkbench();
  put(bench, 'a.log', log);
  put(bench, 'v.dbc', dbc);
  return bench;
};

const textOf = (bench: Workbench, name: string): string =>
  readFileSync(join(bench.project, name), 'utf8');

const decode = ['trace', 'decode', 'a.log', '--database=v.dbc'];

const longCsv = [
  'time,channel,message,signal,value,number,unit,label',
  '2026-01-01T00:00:00.000100Z,1,Engine,Speed,0.25,0.25,rpm,',
  '2026-01-01T00:00:00.000100Z,1,Engine,State,1,1,,On',
  '2026-01-01T00:00:00.500100Z,2,Body,Door,1,1,,',
  '2026-01-01T00:00:01.000100Z,1,Engine,Speed,0.75,0.75,rpm,',
  '2026-01-01T00:00:01.000100Z,1,Engine,State,0,0,,Off',
  '2026-01-01T00:00:02.000100Z,1,Engine,Speed,16383.75,16383.75,rpm,',
  '2026-01-01T00:00:02.000100Z,1,Engine,State,2,2,,',
  '',
].join('\n');

describe('trace decode', () => {
  it('writes a row for each value, without a daemon, and counts unknown identifiers', async () => {
    const bench = prepared();
    expect(await bench.json(...decode, '--output=t.csv')).toMatchObject({
      output_format: 'csv',
      read: 5,
      decoded: 4,
      samples: 7,
      rows: 7,
      unknown: 1,
      unknown_ids: 1,
      most_unknown: [{ channel: '1', id: 0x7ff, extended: false, frames: 1 }],
      bytes: longCsv.length,
    });
    expect(textOf(bench, 't.csv')).toBe(longCsv);
    // The other commands are run in the process of the test.
    const { code } = await bench.run([...decode, '--jobs=2', '--output=p.csv']);
    expect(code).toBe(0);
    expect(textOf(bench, 'p.csv')).toBe(longCsv);
    expect(existsSync(bench.home)).toBe(false);
  });

  itLong('writes the same values as JSON lines and Parquet, with any number of jobs', async () => {
    const bench = prepared();
    put(bench, 'a.log', log.repeat(20_000));
    for (const format of ['csv', 'jsonl', 'parquet']) {
      for (const jobs of [1, 2, 3]) {
        await bench.json(...decode, `--output=${jobs}.${format}`, `--jobs=${jobs}`);
      }
      const [one, ...others] = [1, 2, 3].map((jobs) =>
        readFileSync(join(bench.project, `${jobs}.${format}`)),
      );
      expect(others.every((other) => one?.equals(other))).toBe(true);
    }
    const values = textOf(bench, '1.csv')
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(',')[4]);
    const lines = textOf(bench, '1.jsonl').split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line).value)).toEqual(values);
    const { columns } = readParquet(readFileSync(join(bench.project, '1.parquet')));
    expect(columns.find(({ name }) => name === 'value')?.cells).toEqual(values);
  });

  it('writes the same rows for the same events in another format', async () => {
    const bench = prepared();
    for (const name of ['a.blf', 'a.mf4']) {
      await bench.json('trace', 'convert', 'a.log', name);
      const words = ['trace', 'decode', name, '--database=v.dbc', '--output=t.csv', '--overwrite'];
      await bench.json(...words);
      expect(textOf(bench, 't.csv'), name).toBe(longCsv);
    }
  });

  it('selects channels, signals and times', async () => {
    const bench = prepared();
    await bench.json(
      'trace',
      'decode',
      'a.log',
      '--database=v.dbc@1',
      '--signals=*.Speed',
      '--from=1s',
      '--to=2026-01-01T00:00:02Z',
      '--output=t.csv',
    );
    expect(textOf(bench, 't.csv').split('\n').slice(1)).toEqual([
      '2026-01-01T00:00:01.000100Z,1,Engine,Speed,0.75,0.75,rpm,',
      '',
    ]);
    const named = ['trace', 'decode', 'a.log', '--database=v.dbc@can1', '--output=n.csv'];
    expect(await bench.json(...named)).toMatchObject({ decoded: 1, unknown: 4 });
  });

  it('knows channels of its own logs by name and by selector', async () => {
    const bench = prepared();
    const channel = '// channel 2 = body (SIM00001/1)';
    const lines = ['date Thu Jan 15 00:00:00 2026', 'base hex timestamps absolute', channel];
    put(bench, 'own.asc', [...lines, '   0.1 2 200 Rx d 2 01 00', ''].join('\n'));
    const run = (name: string) => [
      ...['trace', 'decode', 'own.asc', `--database=v.dbc@${name}`],
      ...['--output=t.csv', '--overwrite'],
    ];
    for (const name of ['body', 'SIM00001/1', 'body (SIM00001/1)', '2']) {
      expect(await bench.json(...run(name)), name).toMatchObject({ decoded: 1 });
    }
    expect((await bench.failure(...run('chassis'))).message).toContain('2 = body (SIM00001/1)');
  });

  it('writes a column for each signal, for each frame or at equal intervals', async () => {
    const bench = prepared();
    await bench.json(...decode, '--wide', '--output=w.csv');
    expect(textOf(bench, 'w.csv')).toBe(
      [
        'time,channel,Engine.Speed,Engine.State,Body.Door',
        '2026-01-01T00:00:00.000100Z,1,0.25,1,',
        '2026-01-01T00:00:00.500100Z,2,,,1',
        '2026-01-01T00:00:01.000100Z,1,0.75,0,',
        '2026-01-01T00:00:02.000100Z,1,16383.75,2,',
        '',
      ].join('\n'),
    );
    await bench.json(...decode, '--wide', '--every=500', '--output=h.csv');
    expect(textOf(bench, 'h.csv')).toBe(
      [
        'time,Engine.Speed,Engine.State,Body.Door',
        '2026-01-01T00:00:00.000100Z,0.25,1,',
        '2026-01-01T00:00:00.500100Z,0.25,1,1',
        '2026-01-01T00:00:01.000100Z,0.75,0,1',
        '2026-01-01T00:00:01.500100Z,0.75,0,1',
        '2026-01-01T00:00:02.000100Z,16383.75,2,1',
        '',
      ].join('\n'),
    );
  });

  it('decodes what it can read of a cut trace, and fails', async () => {
    const bench = prepared();
    put(bench, 'a.log', `${log}(1767225603.0001`);
    expect(await bench.failure(...decode, '--output=t.csv')).toMatchObject({
      exit: 1,
      code: 'trace_damaged',
      details: { field: 'file', truncated: true },
    });
    expect(textOf(bench, 't.csv')).toBe(longCsv);
  });

  it.each<[string, string[], string, object]>([
    ['a wrong message', ['--signals=Engin.Speed'], 'message_not_found', { nearest: 'Engine' }],
    ['a wrong signal', ['--signals=Engine.Sped'], 'signal_not_found', { nearest: 'Engine.Speed' }],
    ['no pattern', ['--signals=Speed'], 'invalid_argument', { field: 'signals' }],
    ['a wrong time', ['--from=soon'], 'invalid_argument', { field: 'from' }],
    ['an impossible date', ['--to=2026-02-31'], 'invalid_argument', { field: 'to' }],
    ['an end before the start', ['--from=2s', '--to=1s'], 'invalid_argument', { field: 'to' }],
    [
      'a date before the start',
      ['--from=1s', '--to=2025-12-31T00:00:00Z'],
      'invalid_argument',
      { field: 'to' },
    ],
    ['an interval of a long table', ['--every=10'], 'invalid_argument', { field: 'every_ms' }],
    ['a missing channel', ['--database=v.dbc@9'], 'invalid_argument', { field: 'database' }],
    ['a missing database', ['--database=w.dbc'], 'file_not_found', { field: 'database' }],
    ['a wrong database', ['--database=a.log'], 'invalid_database', { field: 'database' }],
  ])('refuses %s and writes nothing', async (_, words, code, details) => {
    const bench = prepared();
    expect(await bench.failure(...decode, ...words, '--output=t.csv')).toMatchObject({
      code,
      details,
    });
    expect(readdirSync(bench.project).sort()).toEqual(['a.log', 'v.dbc']);
  });

  it('refuses a value that two channels would share in one row', async () => {
    const bench = prepared();
    put(bench, 'a.log', `${log}(1767225603.000000) can1 100#0000000000000000\n`);
    const words = [...decode, '--wide', '--every=100', '--output=t.csv'];
    expect(await bench.failure(...words)).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'database', reason: 'several_channels', message: 'Engine' },
    });
    expect(existsSync(join(bench.project, 't.csv'))).toBe(false);
  });

  it('never replaces its input, and other files only with --overwrite', async () => {
    const bench = prepared();
    put(bench, 't.csv', 'mine');
    expect(await bench.failure(...decode, '--output=t.csv')).toMatchObject({
      code: 'already_exists',
      details: { field: 'output' },
    });
    expect(textOf(bench, 't.csv')).toBe('mine');
    await bench.json(...decode, '--output=t.csv', '--overwrite');
    expect(textOf(bench, 't.csv')).toBe(longCsv);
    symlinkSync('a.log', join(bench.project, 'same.csv'));
    const same = [...decode, '--output=same.csv', '--overwrite'];
    expect(await bench.failure(...same)).toMatchObject({ details: { field: 'output' } });
    expect(textOf(bench, 'a.log')).toBe(log);
  });

  it('says that the disk is full, and leaves nothing there', async ({ skip }) => {
    const bench = prepared();
    const folder = join(bench.project, 'small');
    if (!mountSmallDisk(folder, 64 * 1024)) skip('needs the right to mount a file system');
    put(bench, 'a.log', log.repeat(2000));
    for (const jobs of [1, 2]) {
      const words = [...decode, '--output=small/t.csv', `--jobs=${jobs}`];
      expect(await bench.failure(...words)).toMatchObject({
        code: 'file_unavailable',
        details: { field: 'output' },
      });
      expect(readdirSync(folder)).toEqual([]);
    }
  });
});

describe('trace signals', () => {
  it('shows counts, cycles and ranges', async () => {
    const bench = prepared();
    const { messages } = await bench.json('trace', 'signals', 'a.log', '--database=v.dbc');
    expect(messages).toMatchObject([
      {
        channel: '1',
        message: 'Engine',
        count: 3,
        cycle_us: { minimum: 1_000_000, mean: 1_000_000, maximum: 1_000_000 },
        signals: [
          {
            signal: 'Speed',
            first: '0.25',
            last: '16383.75',
            minimum: '0.25',
            maximum: '16383.75',
          },
          { signal: 'State', first: '1', last: '2', minimum: '0', maximum: '2' },
        ],
      },
      { channel: '2', message: 'Body', count: 1, cycle_us: { minimum: null, mean: null } },
    ]);
  });
});
