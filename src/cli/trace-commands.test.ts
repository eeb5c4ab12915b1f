import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HastyClock } from '../base/clock/testing/hasty-clock.ts';
import { traceConvert, traceCut, traceInfo } from '../operations/trace.ts';
import { createMf4 } from '../trace/mf4/create-mf4.ts';
import { FileSink } from '../trace/testing/memory-bytes.ts';
import { CliBench } from './testing/cli-bench.ts';
import { Paper } from './testing/paper.ts';

const wipe = '\r\u001b[K';
const line = '(1767225600.000100) can0 123#0011AABB\n';
/** More than one batch of events. */
const lines = 10_000;

describe('the trace commands', () => {
  let bench: CliBench;
  let clock: HastyClock;

  beforeEach(() => {
    bench = new CliBench([traceInfo, traceConvert, traceCut]);
    clock = new HastyClock();
    bench.clock = clock;
    writeFileSync(join(bench.folder, 'a.log'), line.repeat(lines));
  });
  afterEach(() => bench.close());

  const files = (): string[] => readdirSync(bench.folder).filter((name) => name !== 'home');

  it.each([
    ['trace', 'info', 'a.log'],
    ['trace', 'convert', 'a.log', 'b.asc'],
  ])(
    'draw on a terminal how much of the file is read, and wipe it away: %s %s',
    async (...argv) => {
      bench.stderr.isTerminal = true;
      expect(await bench.run(...argv)).toBe(0);
      const total = line.length * lines;
      const { writes } = bench.stderr;
      expect(writes.at(-1)).toBe(wipe);
      expect(writes.at(-2)).toContain(`100%  ${total}/${total}`);
      expect(writes).toHaveLength(4);
    },
  );

  it('keep the files that an MF4 file contains', async () => {
    const sink = new FileSink();
    const attachments = [
      { name: 'v.dbc', mime: 'application/x-dbc', bytes: Buffer.from('VERSION "kept"') },
    ];
    const options = { startUnixUs: 0, channelName: () => null, attachments };
    createMf4(sink, options).end();
    writeFileSync(join(bench.folder, 'a.mf4'), sink.bytes());
    for (const output of ['b.mf4', 'b.asc']) {
      expect(await bench.run('trace', 'convert', 'a.mf4', output), bench.stderr.text).toBe(0);
      const text = readFileSync(join(bench.folder, output), 'latin1');
      expect(text.includes('VERSION "kept"')).toBe(output === 'b.mf4');
    }
  });

  it.each([
    ['convert', 'b.mf4'],
    ['cut', '--when=frame 123', '--output=b.mf4'],
  ])('count the files that they cannot keep: %s', async (command, ...more) => {
    const sink = new FileSink();
    const attachments = [{ name: 'v.dbc', mime: 'application/x-dbc', bytes: new Uint8Array() }];
    createMf4(sink, { startUnixUs: 0, channelName: () => null, attachments }).end();
    writeFileSync(join(bench.folder, 'a.mf4'), sink.bytes());
    expect(await bench.run('trace', command, 'a.mf4', ...more), bench.stderr.text).toBe(0);
    expect(bench.stdout.text).toMatch(/skipped\n +attachment +1/);
  });

  it('draw nothing elsewhere', async () => {
    expect(await bench.run('trace', 'info', 'a.log')).toBe(0);
    bench.stderr.isTerminal = true;
    expect(await bench.run('trace', 'info', 'a.log', '--format=json')).toBe(0);
    expect(bench.stderr.text).toBe('');
  });

  it('give a conversion up when they are interrupted, at any turn, and leave nothing', async () => {
    for (const moment of [1, 2, 3, 4]) {
      let turns = 0;
      clock.onTurn = () => {
        turns++;
        if (turns === moment) process.emit('SIGINT');
      };
      expect(await bench.run('trace', 'convert', 'a.log', 'b.asc')).toBe(1);
      expect(turns).toBe(moment);
      expect(files()).toEqual(['a.log']);
    }
    expect(bench.stderr.text).toContain('operation_cancelled');
    expect(process.listenerCount('SIGINT')).toBe(0);
  });

  it('do not replace a file that came while they were at it, unless they may', async () => {
    const output = join(bench.folder, 'b.asc');
    clock.onTurn = () => {
      if (!existsSync(output)) writeFileSync(output, 'of another program');
    };
    expect(await bench.run('trace', 'convert', 'a.log', 'b.asc')).toBe(1);
    expect(bench.stderr.text).toContain('already_exists');
    expect(readFileSync(output, 'utf8')).toBe('of another program');
    expect(files()).toEqual(['a.log', 'b.asc']);
    expect(await bench.run('trace', 'convert', 'a.log', 'b.asc', '--overwrite')).toBe(0);
    expect(readFileSync(output, 'utf8')).toMatch(/^date /);
    expect(files()).toEqual(['a.log', 'b.asc']);
  });

  it('write through a link to the file that it leads to', async () => {
    mkdirSync(join(bench.folder, 'real'));
    const target = join(bench.folder, 'real', 'b.asc');
    writeFileSync(target, 'old');
    symlinkSync(target, join(bench.folder, 'link.asc'));
    expect(await bench.run('trace', 'convert', 'a.log', 'link.asc')).toBe(1);
    expect(bench.stderr.text).toContain('already_exists');
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(await bench.run('trace', 'convert', 'a.log', 'link.asc', '--overwrite')).toBe(0);
    expect(lstatSync(join(bench.folder, 'link.asc')).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toMatch(/^date /);
    expect(readdirSync(join(bench.folder, 'real'))).toEqual(['b.asc']);
    expect(files()).toEqual(['a.log', 'link.asc', 'real']);
  });

  it('write files whose names are as long as names may be, and refuse longer ones', async () => {
    for (const name of [`${'n'.repeat(251)}.asc`, `${'ä'.repeat(125)}.asc`]) {
      expect(await bench.run('trace', 'convert', 'a.log', name)).toBe(0);
      expect(files()).toContain(name);
    }
    expect(await bench.run('trace', 'convert', 'a.log', `${'n'.repeat(252)}.asc`)).toBe(1);
    expect(bench.stderr.text).toContain('file_unavailable');
  });

  it('take over the channels of one bus where a letter says so', async () => {
    const text = [
      'date Thu Jan 1 12:00:00.000 am 2026',
      'base hex  timestamps absolute',
      'Begin TriggerBlock Thu Jan 1 12:00:00.000 am 2026',
      '   0.100000 1  123             Rx   d 2 11 22',
      '   0.200000 Li 23              Rx     2 4A 55',
      '   0.300000 2  124             Rx   d 1 01',
      'End TriggerBlock',
      '',
    ].join('\n');
    writeFileSync(join(bench.folder, 'both.asc'), text);
    const taken = async (channel: string): Promise<string[]> => {
      const argv = ['trace', 'convert', 'both.asc', 'part.asc', '--overwrite'];
      expect(await bench.run(...argv, `--channel=${channel}`)).toBe(0);
      const part = readFileSync(join(bench.folder, 'part.asc'), 'utf8');
      return [...part.matchAll(/^ +0\.\d+ (\S+ +\w+) +Rx/gm)].map(([, ids = '']) => ids);
    };
    expect(await taken('1')).toEqual(['1  123', 'Li 23']);
    expect(await taken('C1')).toEqual(['1  123']);
    expect(await taken('L1')).toEqual(['Li 23']);
    expect(await taken('2')).toEqual(['2  124']);
    for (const wrong of ['65536', 'X1', 'L']) {
      expect(await bench.run('trace', 'convert', 'both.asc', 'c.asc', `--channel=${wrong}`)).toBe(
        2,
      );
    }
  });

  it('take over the events that a condition passes, on the channels that are asked for', async () => {
    const text = [
      'date Thu Jan 1 12:00:00.000 am 2026',
      'base hex  timestamps absolute',
      'Begin TriggerBlock Thu Jan 1 12:00:00.000 am 2026',
      '   0.100000 1  100             Rx   d 1 05',
      '   0.200000 1  123             Rx   d 1 01',
      '   0.300000 2  124             Rx   d 1 01',
      '//    0.350000 7 events are missing here',
      '   0.400000 1  125             Rx   d 1 01',
      '   0.500000 1  100             Rx   d 1 06',
      '   0.600000 1  126             Rx   d 1 01',
      'End TriggerBlock',
      '',
    ].join('\n');
    const dbc = 'VERSION ""\nBU_: N\nBO_ 256 E: 1 N\n SG_ S : 0|8@1+ (1,0) [0|255] "" N\n';
    writeFileSync(join(bench.folder, 'both.asc'), text);
    writeFileSync(join(bench.folder, 'e.dbc'), dbc);
    const converted = async (code: number, ...more: readonly string[]): Promise<string[]> => {
      bench.stderr = new Paper();
      const argv = ['trace', 'convert', 'both.asc', 'part.asc', '--overwrite', ...more];
      expect(await bench.run(...argv)).toBe(code);
      if (code !== 0) return [];
      const part = readFileSync(join(bench.folder, 'part.asc'), 'utf8');
      expect(part).toContain('7 events are missing here');
      return [...part.matchAll(/^ +0\.\d+ \d +(\w+) +Rx/gm)].map(([, id = '']) => id);
    };
    expect(await converted(0, '--filter=frame 124-125')).toEqual(['124', '125']);
    expect(await converted(0, '--filter=frame 124-125', '--channel=1')).toEqual(['125']);
    const states = ['--filter=signal E.S > 4', '--database=e.dbc'];
    expect(await converted(0, ...states)).toEqual(['100', '123', '124', '100', '126']);
    const wrong: readonly (readonly [string[], string, number | undefined])[] = [
      [['--filter=frame 124 or'], 'filter', 12],
      [['--filter=error on 3'], 'filter', 9],
      [['--filter=signal E.S > 4'], 'filter', 7],
      [['--filter=signal E.T > 4', '--database=e.dbc'], 'filter', 9],
      [['--filter=error', '--database=e.dbc@3'], 'database', undefined],
      [['--database=e.dbc'], 'database', undefined],
    ];
    for (const [argv, field, offset] of wrong) {
      await converted(2, ...argv, '--format=json');
      const { error } = JSON.parse(bench.stderr.text);
      expect(error).toMatchObject({ code: 'invalid_argument', details: { field } });
      expect(error.details.offset).toBe(offset);
    }
  });

  it('name no channel in the output that has no name in the input', async () => {
    const text = [
      'date Thu Jan 1 12:00:00.000 am 2026',
      'base hex  timestamps absolute',
      'Begin TriggerBlock Thu Jan 1 12:00:00.000 am 2026',
      '   0.100000 2  222             Rx   d 1 02',
      '   0.200000 1  111             Rx   d 1 01',
      'End TriggerBlock',
      '',
    ].join('\n');
    writeFileSync(join(bench.folder, 'two.asc'), text);
    const ways = [
      ['two.asc', 'again.asc'],
      ['again.asc', 'two.blf'],
      ['two.blf', 'two.log'],
    ] as const;
    for (const [input, output] of ways) {
      expect(await bench.run('trace', 'convert', input, output)).toBe(0);
    }
    expect(readFileSync(join(bench.folder, 'again.asc'), 'utf8')).not.toContain('channel');
    const log = readFileSync(join(bench.folder, 'two.log'), 'utf8');
    expect(log.match(/can\d \d{3}/g)).toEqual(['can1 222', 'can0 111']);
  });

  it('tell what the input says of its start and of missing events', async () => {
    const result = async (...argv: string[]): Promise<Record<string, unknown>> => {
      bench.stdout = new Paper();
      expect(await bench.run(...argv, '--format=json')).toBe(0);
      return JSON.parse(bench.stdout.text);
    };
    const asc =
      'base hex  timestamps absolute\n0.1 1 123 Rx d 0\n// 0.1 7 events are missing here\n';
    writeFileSync(join(bench.folder, 'nameless.asc'), asc);
    const unknown = { started_at_us: null, gaps: 1, missed: 7 };
    expect(await result('trace', 'convert', 'nameless.asc', 'b.blf')).toMatchObject(unknown);
    expect(await result('trace', 'info', 'b.blf')).toMatchObject(unknown);
    expect(await result('trace', 'convert', 'a.log', 'c.blf')).toMatchObject({
      started_at_us: 1_767_225_600_000_000,
      gaps: 0,
    });
  });
});
