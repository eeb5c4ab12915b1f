import { spawn, spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import {
  borrowWorkbench,
  busbar,
  endOf,
  type Finished,
  setUpWorkbench,
  type Workbench,
} from '../support/workbench.ts';

const escapeCode = '\u001b';
const program = `'${process.execPath}' '${busbar}'`;
const hasScript = spawnSync('script', ['--version']).status === 0;

const shell = (
  bench: Workbench,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> => {
  const { NO_COLOR: _, ...environment } = bench.environment;
  const child = spawn(command, args, {
    cwd: bench.project,
    env: { ...environment, TERM: 'xterm', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return endOf(child);
};

/** Runs a command line in bash; the exit code is that of the first failing program of a pipe. */
const inBash = (bench: Workbench, line: string): Promise<Finished> =>
  shell(bench, 'bash', ['-c', `set -o pipefail; ${line}`]);

/** Runs a command on a separate terminal and returns its output. */
const onTerminal = async (
  bench: Workbench,
  words: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> => {
  const { stdout } = await shell(
    bench,
    'script',
    ['-qec', `${program} ${words}`, '/dev/null'],
    env,
  );
  return stdout;
};

describe('output that nobody looks at', () => {
  it('holds no escapes', async () => {
    const bench = setUpWorkbench();
    for (const words of [['web', 'status'], ['help', 'web', 'start'], ['wbe']]) {
      const { stdout, stderr } = await shell(bench, process.execPath, [busbar, ...words]);
      expect(stdout + stderr).not.toBe('');
      expect(stdout + stderr).not.toContain(escapeCode);
    }
  });

  it('may be cut short by its reader without an error', async () => {
    const bench = borrowWorkbench();
    await bench.serve();
    const list = `${program} operation list --format=json`;
    expect(await inBash(bench, `${list} | head -1`)).toEqual({
      code: 0,
      stdout: '{\n',
      stderr: '',
    });
    expect(await inBash(bench, `${program} | head -1`)).toMatchObject({ code: 0, stderr: '' });
    expect(await inBash(bench, `${list} | true`)).toMatchObject({ code: 0, stderr: '' });
  });

  itLong('arrives whole at a reader that takes its time', async () => {
    const bench = borrowWorkbench();
    await bench.serve();
    const { stdout } = await inBash(
      bench,
      `${program} operation list --format=json | (while read -r line; do printf '%s\\n' "$line"; done)`,
    );
    expect(JSON.parse(stdout)).toEqual(await bench.json('operation', 'list'));
  });

  it('fails for a reason of its own where it cannot be written', async () => {
    const bench = setUpWorkbench();
    const { code, stderr } = await inBash(bench, `${program} web status > /dev/full`);
    expect(code).toBe(1);
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('internal_error');
  });
});

describe.runIf(hasScript || process.env.CI)('output on a terminal', () => {
  it('is coloured for people', async () => {
    const bench = setUpWorkbench();
    expect(await onTerminal(bench, 'web status')).toContain(`${escapeCode}[`);
    expect(await onTerminal(bench, 'help web start')).toContain(
      `${escapeCode}[1mUsage${escapeCode}[0m`,
    );
    expect(await onTerminal(bench, 'wbe')).toContain(`${escapeCode}[31mbusbar:${escapeCode}[0m`);
  });

  it('is plain for programs', async () => {
    const bench = setUpWorkbench();
    for (const format of ['json', 'jsonl', 'csv']) {
      expect(await onTerminal(bench, `web status --format=${format}`)).not.toContain(escapeCode);
    }
  });

  it('is plain where NO_COLOR asks for it', async () => {
    const bench = setUpWorkbench();
    for (const words of ['web status', 'help web start', 'wbe']) {
      expect(await onTerminal(bench, words, { NO_COLOR: '1' })).not.toContain(escapeCode);
    }
  });

  it('is plain on a terminal that understands no escapes', async () => {
    const bench = setUpWorkbench();
    expect(await onTerminal(bench, 'web status', { TERM: 'dumb' })).not.toContain(escapeCode);
  });
});
