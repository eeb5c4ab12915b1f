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

/** Result of a process that starts these commands, continues, and then waits for them. */
const runBeside = (...commands: readonly string[][]) => {
  const script = `import { startBeside } from ${ready};
    const end = startBeside(${JSON.stringify(commands)});
    console.log('went on');
    console.log((await end()) ? 'passed' : 'failed');`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
};
const node = (script: string): string[] => [process.execPath, '-e', script];

describe('commands beside each other', () => {
  it('are printed, each in one piece, behind what goes on meanwhile', () => {
    const slow = node('console.log(1); setTimeout(() => console.log(2), 50)');
    expect(runBeside(slow, node('console.error(3)'))).toEqual({
      status: 0,
      lines: ['went on', '1', '2', '3', 'passed'],
    });
  });

  it('have failed with one of them, once the others are done', () => {
    const waiting = node('process.stdin.on("end", () => console.log("done")).resume()');
    const { lines } = runBeside(waiting, node('process.exit(3)'));
    expect(lines).toEqual(['went on', 'done', 'failed']);
  });

  it('have failed with one that cannot be started', () => {
    const { lines } = runBeside(['no-such-program']);
    expect(lines.join()).toContain('no-such-program');
    expect(lines.at(-1)).toBe('failed');
  });

  it('give way to other processes', () => {
    const { lines } = runBeside(node('console.log(os.getPriority())'));
    expect(lines).toEqual(['went on', '10', 'passed']);
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
