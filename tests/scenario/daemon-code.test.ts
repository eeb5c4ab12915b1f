import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { endOf, eventually, repository, setUpWorkbench } from '../support/workbench.ts';

/** Notes for every program loaded by a thread, with whether V8 accepted its cached code. */
const noteCode = `
  const { appendFileSync } = require('node:fs');
  const { basename } = require('node:path');
  const vm = require('node:vm');
  vm.Script = class extends vm.Script {
    constructor(source, options) {
      super(source, options);
      const program = basename(options.filename);
      const line = JSON.stringify({ program, isTaken: this.cachedDataRejected === false });
      appendFileSync(process.env.NOTES, line + '\\n');
    }
  };`;

/** Every program except the CLI, with whether its code was accepted. */
const notesIn = (file: string): Record<string, boolean> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ program }) => program !== 'cli.cjs')
      .map(({ program, isTaken }) => [program, isTaken]),
  );

/** Whether a cache contains code, and none that is being written. */
const isWhole = (names: readonly string[]): boolean =>
  names.length > 0 && names.every((name) => !name.includes('.part-'));

describe('the daemon as it is built', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'busbar-built-'));
    for (const name of ['bin', 'dist', 'code']) {
      cpSync(join(repository, name), join(copy, name), { recursive: true });
    }
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const startNoting = async (variables: NodeJS.ProcessEnv = {}) => {
    const bench = setUpWorkbench();
    const [preload, notes] = [join(bench.project, 'note.cjs'), join(bench.project, 'notes')];
    writeFileSync(preload, noteCode);
    const env = { ...variables, NODE_OPTIONS: `--require ${preload}`, NOTES: notes };
    const start = await bench.run(['daemon', 'start'], {
      env,
      program: join(copy, 'bin', 'busbar'),
    });
    const record = join(bench.project, 'rec.asc');
    await bench.json('channel', 'open', 'SIM00001/0');
    await bench.json('logging', 'start', record);
    return { start, programs: notesIn(notes) };
  };

  it('has code that this Node takes in every thread', async () => {
    const { start, programs } = await startNoting();
    expect(start).toMatchObject({ code: 0 });
    expect(programs).toEqual({
      'bench.cjs': true,
      'loader.cjs': true,
      'client.cjs': true,
      'recorder.cjs': true,
    });
  });

  it('does without code that V8 does not take', async () => {
    writeFileSync(join(copy, 'code', 'bench.code'), '');
    writeFileSync(join(copy, 'code', 'client.code'), Buffer.alloc(100, 0xff));
    writeFileSync(
      join(copy, 'code', 'loader.code'),
      readFileSync(join(copy, 'code', 'loader.code')).fill(0, 4, 8),
    );
    const { start, programs } = await startNoting();
    expect(start).toMatchObject({ code: 0 });
    expect(programs).toMatchObject({
      'bench.cjs': false,
      'loader.cjs': false,
      'client.cjs': false,
    });
  });

  itLong('makes code behind its first start where it came without', async () => {
    rmSync(join(copy, 'code'), { recursive: true });
    const cache = join(copy, 'cache');
    const older = ['a', 'b', 'c'].map((digit) => `${digit.repeat(24)}-11.3.244-x64`);
    for (const [day, name] of older.entries()) {
      mkdirSync(join(cache, 'busbar', name), { recursive: true });
      utimesSync(join(cache, 'busbar', name), day, day);
    }
    const first = await startNoting({ XDG_CACHE_HOME: cache });
    expect(first.programs).toMatchObject({ 'bench.cjs': false, 'client.cjs': false });
    const folder = join(cache, 'busbar');
    const made = (): string[] => readdirSync(folder).filter((name) => !older.includes(name));
    await eventually(() => isWhole(made()));
    // The oldest of four is removed.
    await eventually(() => !existsSync(join(folder, older[0] ?? '')));
    expect(readdirSync(folder)).toHaveLength(3);
    const second = await startNoting({ XDG_CACHE_HOME: cache });
    expect(second.programs).toEqual({
      'bench.cjs': true,
      'loader.cjs': true,
      'client.cjs': true,
      'recorder.cjs': true,
    });
    const [name = ''] = made();
    chmodSync(join(folder, name), 0o777);
    const third = await startNoting({ XDG_CACHE_HOME: cache });
    expect(third.programs).toMatchObject({ 'bench.cjs': false, 'client.cjs': false });
  });

  /** A compiler that pauses between the code of the CLI and of the daemon. */
  const startCompiler = async () => {
    for (;;) {
      const cache = mkdtempSync(join(tmpdir(), 'busbar-removed-'));
      const program = join(copy, 'dist', 'compile.cjs');
      const compiler = spawn(process.execPath, [program, join(cache, 'code')], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = endOf(compiler);
      const made = (): string[] => {
        try {
          const [part = ''] = readdirSync(cache);
          return readdirSync(join(cache, part));
        } catch {
          // It was renamed during the check, and is complete.
          return [];
        }
      };
      await eventually(() => made().includes('cli.code'));
      compiler.kill('SIGSTOP');
      if (made().length === 1) return { cache, compiler, ended };
      // Checked too late on a busy machine.
      compiler.kill('SIGCONT');
      await ended;
      rmSync(cache, { recursive: true });
    }
  };

  it('is not compiled any longer where the folder for its code is removed', async () => {
    const { cache, compiler, ended } = await startCompiler();
    rmSync(cache, { recursive: true, maxRetries: 5 });
    compiler.kill('SIGCONT');
    // Processes started for it must end too.
    expect(await ended).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/was removed|exited before its code was written/),
    });
  });
});
