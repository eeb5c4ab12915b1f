import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  busbar,
  eventually,
  repository,
  setUpWorkbench,
  type Workbench,
} from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { mountSmallDisk } from './support/small-disk.ts';

const log = [
  '(1767225600.000100) can0 123#0011AABB',
  '(1767225600.000200) can1 18FF50E5#010203 T',
  '(1767225601.000400) can0 123##1112233445566778899AABBCC',
  '',
].join('\n');

const linAsc = [
  'date Thu Jan 1 12:00:00.000 am 2026',
  'base hex  timestamps absolute',
  'Begin TriggerBlock Thu Jan 1 12:00:00.000 am 2026',
  '   0.100000 Li 21              Rx     2 01 02  checksum = dd  CSM = enhanced',
  '   0.200000 1  123             Rx   d 1 01',
  'End TriggerBlock',
  '',
].join('\n');

const put = (bench: Workbench, name: string, text: string | Uint8Array): string => {
  const path = join(bench.project, name);
  writeFileSync(path, text);
  return path;
};

const textOf = (bench: Workbench, name: string): string =>
  readFileSync(join(bench.project, name), 'utf8');

describe('trace info', () => {
  it('tells what a file holds, in all formats and without a daemon', async () => {
    const bench = setUpWorkbench();
    const file = put(bench, 'anything.bin', log);
    const summary = await bench.json('trace', 'info', 'anything.bin');
    expect(summary).toMatchObject({
      file,
      bytes: log.length,
      format: 'candump',
      started_at_us: 1_767_225_600_000_000,
      duration_us: 1_000_300,
      events: 3,
      buses: { can: 2, canfd: 1, lin: 0 },
      distinct_ids: 2,
      channels: [
        { channel: 1, name: 'can0', events: 2 },
        { channel: 2, name: 'can1', events: 1 },
      ],
      malformed: 0,
      truncated: false,
    });
    const text = await bench.ask(['trace', 'info', 'anything.bin']);
    expect([text.code, text.stderr]).toEqual([0, '']);
    expect(text.stdout).toMatch(/^format +candump$/m);
    expect(text.stdout).toMatch(/^started at +2026-01-01T00:00:00\.000Z$/m);
    const jsonl = await bench.ask(['trace', 'info', 'anything.bin', '--format=jsonl']);
    expect(JSON.parse(jsonl.stdout)).toEqual(summary);
    const csv = await bench.ask(['trace', 'info', 'anything.bin', '--format=csv']);
    expect(csv.stdout).toContain('\nchannels[1].name,can1\n');
    expect(existsSync(bench.home)).toBe(false);
  });

  it('reads from a pipe', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', log);
    const { stdout, status } = spawnSync(
      'bash',
      ['-c', `cat a.log | '${process.execPath}' '${busbar}' trace info /dev/stdin --format=json`],
      { cwd: bench.project, env: bench.environment, encoding: 'utf8' },
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ events: 3, bytes: log.length });
  });

  it('shows what could not be understood, and ends well', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', `${log}(1.5) can0 123#01\n(1767225602.0000`);
    expect(await bench.json('trace', 'info', 'a.log')).toMatchObject({
      events: 3,
      malformed: 1,
      flaws: [{ at: 4 }],
      truncated: true,
    });
  });

  it.each([
    ['no file', 'absent.asc', undefined, 'file_not_found'],
    ['a directory', '.', undefined, 'file_unavailable'],
    ['an empty file', 'empty.blf', '', 'invalid_trace'],
    ['another text', 'text.asc', 'once upon a time\n', 'invalid_trace'],
    ['a torn BLF header', 'torn.blf', 'LOGG\x90\0\0\0', 'invalid_trace'],
    ['a torn MF4 header', 'torn.mf4', 'UnFinMF 4.11', 'invalid_trace'],
    ['an executable', 'program', '\x7fELF\x02\x01\x01\0\0\0\0', 'invalid_trace'],
  ])('refuses %s', async (_, name, text, code) => {
    const bench = setUpWorkbench();
    if (text !== undefined) put(bench, name, text);
    expect(await bench.failure('trace', 'info', name)).toMatchObject({
      exit: 1,
      code,
      details: { field: 'file' },
    });
  });
});

describe('trace convert', () => {
  it('takes a log through all formats and back', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', log);
    const ways = [
      ['a.log', 'b.asc', 'asc'],
      ['b.asc', 'c.blf', 'blf'],
      ['c.blf', 'd.mf4', 'mf4'],
      ['d.mf4', 'e.log', 'candump'],
    ] as const;
    for (const [input, output, format] of ways) {
      const conversion = await bench.json('trace', 'convert', input, output);
      expect(conversion).toMatchObject({ output_format: format, read: 3, written: 3 });
      expect(conversion.bytes).toBe(readFileSync(join(bench.project, output)).length);
    }
    expect(textOf(bench, 'e.log')).toBe(log);
    const files = ['a.log', 'b.asc', 'c.blf', 'd.mf4', 'e.log'];
    expect(readdirSync(bench.project).sort()).toEqual(files);
  });

  it('finishes an MF4 file that was cut, and tells that it was', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', log);
    await bench.json('trace', 'convert', 'a.log', 'whole.mf4');
    const whole = readFileSync(join(bench.project, 'whole.mf4'));
    // The program that recorded it was killed within the last record.
    const dataAt = whole.indexOf('##DT');
    const dataEnd = dataAt + Number(whole.readBigUInt64LE(dataAt + 8));
    const cut = Buffer.from(whole.subarray(0, dataEnd - 5));
    cut.write('UnFinMF ');
    cut.writeUInt16LE(5, 60);
    cut.writeBigUInt64LE(24n, dataAt + 8);
    put(bench, 'cut.mf4', cut);
    const { code, stdout } = await bench.run([
      'trace',
      'convert',
      'cut.mf4',
      'done.mf4',
      '--format=json',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      read: 2,
      written: 2,
      malformed: 0,
      truncated: true,
    });
    expect(textOf(bench, 'done.mf4')).toMatch(/^MDF {5}4\.11/);
    expect(await bench.json('trace', 'info', 'done.mf4')).toMatchObject({
      format: 'mf4',
      started_at_us: 1_767_225_600_000_000,
      events: 2,
      channels: [{ name: 'can0' }, { name: 'can1' }],
      malformed: 0,
      truncated: false,
    });
  });

  it('takes the format from --to before the name, and needs one of them', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', log);
    await bench.json('trace', 'convert', 'a.log', 'b.asc', '--to=candump');
    expect(textOf(bench, 'b.asc')).toBe(log);
    expect(await bench.failure('trace', 'convert', 'a.log', 'b.txt')).toMatchObject({
      exit: 2,
      code: 'invalid_argument',
      details: { field: 'to' },
    });
    expect(await bench.failure('trace', 'convert', 'a.log', 'b.txt', '--to=mdf')).toMatchObject({
      exit: 2,
      code: 'invalid_argument',
      details: { field: 'to' },
    });
  });

  it('takes over chosen channels only', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', log);
    const words = ['trace', 'convert', 'a.log', 'b.log', '--channel=2', '--channel=C2'];
    expect(await bench.json(...words)).toMatchObject({ read: 3, written: 1, filtered: 2 });
    expect(textOf(bench, 'b.log')).toBe('(1767225600.000200) can1 18FF50E5#010203 T\n');
    expect(await bench.failure('trace', 'convert', 'a.log', 'c.log', '--channel=x')).toMatchObject({
      exit: 2,
      details: { field: 'channel' },
    });
  });

  it('refuses a channel that the input does not have, and writes nothing', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', log);
    for (const channels of [['--channel=99'], ['--channel=1', '--channel=L1']]) {
      const failure = await bench.failure('trace', 'convert', 'a.log', 'b.log', ...channels);
      expect(failure).toMatchObject({
        exit: 2,
        code: 'invalid_argument',
        details: { field: 'channel', reason: 'no_such_channel', file_channels: ['1', '2'] },
      });
      expect(failure.message).toContain('available: 1, 2');
    }
    expect(readdirSync(bench.project)).toEqual(['a.log']);
  });

  it('writes what it could read of a ruined trace, tells what it could not, and fails', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', log);
    await bench.json('trace', 'convert', 'a.log', 'whole.blf');
    const whole = readFileSync(join(bench.project, 'whole.blf'));
    // A container of the same file, with NUL in place of its compressed data.
    put(bench, 'ruined.blf', Buffer.concat([whole, whole.subarray(144, 190), Buffer.alloc(500)]));
    const { code, stdout, stderr } = await bench.run([
      'trace',
      'convert',
      'ruined.blf',
      'b.log',
      '--format=json',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ read: 3, written: 3, truncated: true });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'trace_damaged',
      details: { field: 'input', truncated: true },
    });
    expect(textOf(bench, 'b.log')).toBe(`${log}# Some events are missing here\n`);
    const text = await bench.ask(['trace', 'convert', 'ruined.blf', 'c.log']);
    expect(text.code).toBe(1);
    expect(text.stderr).toMatch(/trace_damaged: .*ruined\.blf could only be read in part: /);
  });

  it('says in words that the disk is full, and leaves nothing there', async ({ skip }) => {
    const bench = setUpWorkbench();
    const folder = join(bench.project, 'small');
    if (!mountSmallDisk(folder, 64 * 1024)) skip('needs the right to mount a file system');
    put(bench, 'a.log', log.repeat(1000));
    const { code, stderr } = await bench.ask(['trace', 'convert', 'a.log', 'small/b.asc']);
    expect(code).toBe(1);
    expect(stderr).toContain('file_unavailable: No space left for the file');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('tells what the output has no room for', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.asc', linAsc);
    expect(await bench.json('trace', 'convert', 'a.asc', 'b.log')).toMatchObject({
      read: 2,
      written: 1,
      unwritten: { lin: 1 },
    });
  });

  it('replaces a file only where it is told to', async () => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', log);
    put(bench, 'b.log', 'precious');
    expect(await bench.failure('trace', 'convert', 'a.log', 'b.log')).toMatchObject({
      exit: 1,
      code: 'already_exists',
      details: { field: 'output', path: join(bench.project, 'b.log') },
    });
    expect(textOf(bench, 'b.log')).toBe('precious');
    await bench.json('trace', 'convert', 'a.log', 'b.log', '--overwrite');
    expect(textOf(bench, 'b.log')).toBe(log);
  });

  it('refuses to write into the file that it reads, under whatever name', async () => {
    const bench = setUpWorkbench();
    const path = put(bench, 'a.log', log);
    symlinkSync(path, join(bench.project, 'link.log'));
    for (const output of ['a.log', './a.log', 'link.log']) {
      const failure = await bench.failure('trace', 'convert', 'a.log', output, '--overwrite');
      expect(failure).toMatchObject({ exit: 2, code: 'invalid_argument' });
      expect(failure.details).toMatchObject({ field: 'output' });
    }
    expect(textOf(bench, 'a.log')).toBe(log);
  });

  it.each([
    ['input', ['absent.log', 'b.asc'], 'file_not_found'],
    ['input', ['text.asc', 'b.asc'], 'invalid_trace'],
    ['output', ['a.log', 'absent/b.asc'], 'file_not_found'],
    ['output', ['a.log', 'folder', '--to=asc', '--overwrite'], 'file_unavailable'],
    ['output', ['a.log', '/dev/null', '--to=asc', '--overwrite'], 'file_unavailable'],
  ])('names the %s at fault for %j and leaves nothing behind', async (field, words, code) => {
    const bench = setUpWorkbench();
    put(bench, 'a.log', log);
    put(bench, 'text.asc', 'once upon a time\n');
    mkdirSync(join(bench.project, 'folder'));
    const before = readdirSync(bench.project);
    expect(await bench.failure('trace', 'convert', ...words)).toMatchObject({
      exit: 1,
      code,
      details: { field },
    });
    expect(readdirSync(bench.project)).toEqual(before);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const bench = setUpWorkbench();
    // A pipe that no process closes keeps the command busy for as long as the test wants.
    spawnSync('mkfifo', [join(bench.project, 'pipe')]);
    const feeder = spawn('bash', ['-c', `while cat a.log; do :; done > pipe`], {
      cwd: bench.project,
      stdio: 'ignore',
    });
    put(bench, 'a.log', log.repeat(1000));
    const command = runInBackground(bench, 'trace', 'convert', 'pipe', 'b.asc');
    const drafts = (): string[] => readdirSync(bench.project).filter((name) => /b\.asc/.test(name));
    try {
      await eventually(() => drafts().length === 1);
      command.kill('SIGINT');
      expect(await command.ended).toEqual({ code: 1, signal: null });
    } finally {
      feeder.kill('SIGKILL');
    }
    expect(command.stderr).toContain('operation_cancelled');
    expect(drafts()).toEqual([]);
  });
});

describe('a packaged install', () => {
  it('finds the parts of the CLI beside it, and they speak of errors with one voice', async () => {
    const bench = setUpWorkbench();
    const place = join(bench.project, 'installed');
    for (const name of ['bin', 'dist']) {
      cpSync(join(repository, name), join(place, name), {
        recursive: true,
        filter: (path) => !/\/(client|daemon|loader|recorder)\.|\.map$/.test(path),
      });
    }
    const link = join(bench.project, 'busbar');
    symlinkSync(join(place, 'bin', 'busbar'), link);
    put(bench, 'a.log', log);
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [link, ...words], {
        cwd: bench.project,
        env: bench.environment,
        encoding: 'utf8',
      });
    expect(JSON.parse(run('trace', 'info', 'a.log', '--format=json').stdout).events).toBe(3);
    expect(run('help', 'trace', 'info').stdout).toContain('busbar trace info');
    expect(run('completion', 'bash').status).toBe(0);
    expect(run('trace', 'info', 'absent').stderr).toMatch(/^busbar: file_not_found: /);
    for (const words of [
      ['message', 'recv'],
      ['signal', 'watch'],
    ]) {
      const { status, stderr } = run(...words);
      expect([status, stderr]).toEqual([3, expect.stringMatching(/^busbar: daemon_unreachable: /)]);
    }
  });
});
