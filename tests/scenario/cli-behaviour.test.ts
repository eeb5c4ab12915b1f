import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../src/base/errors/table.ts';
import { product } from '../../src/base/product.ts';
import { repository, setUpWorkbench } from '../support/workbench.ts';
import { daemonsOf } from './support/processes.ts';

type Code = keyof typeof errorTable;

describe('a command that fails', () => {
  it('ends with 1, 2 or 3 by whose fault it is, and prints nothing but the error', async () => {
    const bench = setUpWorkbench();
    const help = 'busbar help web status lists every parameter with its range.';
    const expectations: [words: string[], exit: number, code: Code, hint: string][] = [
      [['info'], 3, 'daemon_unreachable', 'busbar daemon start starts one.'],
      [['web', 'strat'], 2, 'unknown_command', 'busbar help lists all commands.'],
      [['web', 'status', '--listen=x'], 2, 'invalid_argument', help],
      [['daemon', 'status'], 0, 'internal_error', ''],
    ];
    for (const [words, exit, code, hint] of expectations) {
      const finished = await bench.run(words);
      expect([words, finished.code]).toEqual([words, exit]);
      if (exit === 0) {
        expect(finished.stderr).toBe('');
        continue;
      }
      expect(finished.stdout).toBe('');
      const [first, second, ...rest] = finished.stderr.split('\n');
      expect(first).toMatch(new RegExp(`^busbar: ${code}: .+`));
      expect(second).toBe(`  hint: ${hint}`);
      expect(rest).toEqual(['']);
    }
    await bench.json('daemon', 'start');
    const { code, stdout, stderr } = await bench.run(['operation', 'show', 'web.strat']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^busbar: operation_not_found: /);
  });

  it('tells programs the same as one JSON object, on one line for jsonl', async () => {
    const bench = setUpWorkbench();
    const { hint } = errorTable.unknown_command;
    const expected = {
      error: {
        code: 'unknown_command',
        message: expect.stringContaining('web strat'),
        details: { command: 'web strat', suggestion: 'web start' },
        retryable: false,
        hint,
      },
    };
    for (const words of [
      ['web', 'strat', '--format=json'],
      ['--format=json', 'web', 'strat'],
      ['--format=jsonl', 'web', 'strat'],
    ]) {
      const { code, stdout, stderr } = await bench.ask(words);
      expect([words, code, stdout]).toEqual([words, 2, '']);
      expect(JSON.parse(stderr)).toEqual(expected);
      expect(stderr.trimEnd().includes('\n')).toBe(!words.includes('--format=jsonl'));
    }
  });

  it('keeps to the format that was asked for behind a space', async () => {
    const bench = setUpWorkbench();
    const { stderr } = await bench.ask(['web', 'strat', '--format', 'json']);
    expect(stderr).toBe((await bench.ask(['web', 'strat', '--format=json'])).stderr);
  });

  it('says what was probably meant', async () => {
    const bench = setUpWorkbench();
    for (const [words, meant] of [
      [['wbe', 'status'], 'web'],
      [['deamon', 'start'], 'daemon'],
      [['hlep'], 'help'],
      [['web', 'stats'], 'web status'],
      [['help', 'wbe'], 'web'],
      [['help', 'web', 'strat'], 'web start'],
      [['web', 'start', '--lisen=127.0.0.1:0'], '--listen'],
      [['web', 'start', '--history-capactiy=1'], '--history-capacity'],
      [['web', 'status', '--fromat=json'], '--format'],
    ] as const) {
      const { code, stderr } = await bench.ask(words);
      expect([words, code]).toEqual([words, 2]);
      expect(stderr).toContain(`Did you mean ${meant}?`);
    }
    const { stderr } = await bench.ask(['quetzalcoatl']);
    expect(stderr).not.toContain('Did you mean');
    expect((await bench.ask(['web'])).stderr).toContain('start, status, stop');
  });
});

describe('a command line', () => {
  it('is refused with the name of the option or argument at fault, and starts nothing', async () => {
    const bench = setUpWorkbench();
    for (const [words, named] of [
      [['web', 'start', '--nonsense=1'], '--nonsense'],
      [['web', 'start', '-x'], '-x'],
      [['web', 'start', '--listen=127.0.0.1:0', '--listen=127.0.0.1:0'], '--listen'],
      [['web', 'status', '--format=text', '--format=text'], '--format'],
      [['web', 'start', '--allow-insecure-http', '--allow-insecure-http'], '--allow-insecure-http'],
      [['--listen=127.0.0.1:0', 'web', 'start'], '--listen'],
      [['web', '--listen=127.0.0.1:0', 'start'], '--listen'],
      [['web', 'status', '--listen=127.0.0.1:0'], '--listen'],
      [['web', 'start', '--allow-insecure-http=true'], '--allow-insecure-http'],
      [['web', 'start', '--allow-insecure-http='], '--allow-insecure-http'],
      [['daemon', 'start', '--foreground=false'], '--foreground'],
      [['web', 'start', '--listen'], '--listen'],
      [['web', 'start', '--listen', '--token=x'], '--listen'],
      [['web', 'status', '--format'], '--format'],
      [['web', 'status', '--format=xml'], '--format'],
      [['web', 'status', '--format=JSON'], '--format'],
      [['web', 'status', 'now'], 'now'],
      [['web', 'start', '127.0.0.1:0'], '127.0.0.1:0'],
      [['operation', 'show'], '<operation-id>'],
      [['operation', 'show', 'web.start', 'web.stop'], 'web.stop'],
    ] as const) {
      const { code, stdout, stderr } = await bench.ask(words);
      expect([words, code, stdout]).toEqual([words, 2, '']);
      expect(stderr).toMatch(/^busbar: invalid_argument: /);
      expect(stderr.split('\n')[0]).toContain(named);
    }
    expect(daemonsOf(bench.home)).toEqual([]);
  });

  it('is refused with the name of an argument as help writes it', async () => {
    const bench = setUpWorkbench();
    const { code, stderr } = await bench.ask(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
    expect(stderr).not.toContain('--shell');
  });

  it('takes option values behind a space as well as behind an equals sign', async () => {
    const bench = setUpWorkbench();
    const words = ['web', 'start', '--listen', '127.0.0.1:0', '--log-level', 'error'];
    const { code, stdout } = await bench.ask([...words, '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'running', log_level: 'error' });
  });

  it('takes global options wherever they stand', async () => {
    const bench = setUpWorkbench();
    const outputs = await Promise.all(
      [
        ['--format=json', 'web', 'status'],
        ['web', '--format=json', 'status'],
        ['web', 'status', '--format=json'],
        ['--project=.', 'web', 'status', '--format=json'],
      ].map((words) => bench.ask(words)),
    );
    for (const { code, stdout } of outputs) {
      expect(code).toBe(0);
      expect(stdout).toBe(outputs[0]?.stdout);
    }
    expect(JSON.parse(outputs[0]?.stdout ?? '')).toMatchObject({ state: 'stopped' });
  });

  it('ends its options at two dashes', async () => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start');
    const shown = await bench.ask(['operation', 'show', '--format=json', '--', 'web.start']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: 'web.start' });
    expect((await bench.ask(['web', 'status', '--'])).code).toBe(0);
    const dashed = await bench.ask(['operation', 'show', '--', '--format=json']);
    expect(dashed).toMatchObject({ code: 1, stdout: '' });
  });

  it('has no options behind two dashes, not even for the format of its error', async () => {
    const bench = setUpWorkbench();
    const { code, stdout, stderr } = await bench.ask(['web', 'status', '--', '--format=json']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^busbar: invalid_argument: .*does not accept the argument --format=json/,
    );
  });

  it('refuses a project that is no directory', async () => {
    const bench = setUpWorkbench();
    writeFileSync(join(bench.project, 'a-file'), '');
    mkdirSync(join(bench.project, 'a-directory'));
    for (const [project, exit] of [
      ['missing', 2],
      ['a-file', 2],
      ['a-file/below', 2],
      ['', 2],
      ['a-directory', 0],
      [bench.project, 0],
    ] as const) {
      const { code, stderr } = await bench.ask(['web', 'status', `--project=${project}`]);
      expect([project, code]).toEqual([project, exit]);
      if (exit === 2) expect(stderr).toContain('--project');
    }
  });

  it('may ask for the version in the way of all programs', async () => {
    const bench = setUpWorkbench();
    const command = await bench.run(['version']);
    expect(command.stdout).toContain(product.version);
    expect(await bench.run(['--version'])).toEqual(command);
  });

  it('is told the commit of the build, by the command and by the service alike', async () => {
    const bench = setUpWorkbench();
    const built = JSON.parse(readFileSync(join(repository, 'dist', 'build.json'), 'utf8'));
    expect(Object.keys(built)).toEqual(['commit', 'committed_at_us']);
    const version = await bench.json<object>('version');
    expect(version).toMatchObject(built);
    await bench.json('daemon', 'start');
    expect(await bench.json('info')).toMatchObject(version);
  });
});
