import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const ready = JSON.stringify(join(import.meta.dirname, 'ready.mjs'));

/** Result of a process that runs these commands in parallel and then continues. */
const runBeside = (...commands: readonly string[][]) => {
  const script = `import { runBeside } from ${ready};
    await runBeside(${JSON.stringify(commands)});
    console.log('went on');`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n').sort() };
};
const node = (script: string): string[] => [process.execPath, '-e', script];

describe('commands beside each other', () => {
  it('are all printed, and what comes behind them goes on', () => {
    expect(runBeside(node('console.log("a")'), node('console.error("b")'))).toEqual({
      status: 0,
      lines: ['a', 'b', 'went on'],
    });
  });

  it('end the process with the code of one that failed, once the others are done', () => {
    const waiting = node('process.stdin.on("end", () => console.log("done")).resume()');
    expect(runBeside(waiting, node('process.exit(3)'))).toEqual({ status: 3, lines: ['done'] });
  });

  it('fail with one that cannot be started', () => {
    const { status, lines } = runBeside(['no-such-program']);
    expect(status).toBe(1);
    expect(lines.join()).toContain('no-such-program');
  });
});

describe('making a tree ready', () => {
  it('leaves packages alone that another tree installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-ready-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const scripts = join(folder, 'tree', 'scripts');
    const installed = join(folder, 'installed');
    const programs = join(folder, 'programs');
    for (const path of [scripts, installed, programs]) mkdirSync(path, { recursive: true });
    for (const name of ['ready.mjs', 'stamp.mjs']) {
      cpSync(join(import.meta.dirname, name), join(scripts, name));
    }
    writeFileSync(join(scripts, 'build.mjs'), 'console.log("built")');
    writeFileSync(join(programs, 'npm'), `#!/bin/sh\ntouch ${folder}/npm-was-called\n`, {
      mode: 0o755,
    });
    symlinkSync(installed, join(folder, 'tree', 'node_modules'));

    const script = `import { makeReady } from './scripts/ready.mjs'; await makeReady();`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(folder, 'tree'),
      env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'Building…\nbuilt\n' });
    expect(existsSync(join(folder, 'npm-was-called'))).toBe(false);
  });
});
