import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isRunning } from './process-state.ts';

const largestPid = 2 ** 22;

describe('isRunning', () => {
  it('holds for a process that runs', () => {
    expect(isRunning(process.pid)).toBe(true);
  });

  it('does not hold for one that never was', () => {
    expect(isRunning(largestPid + 1)).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'does not hold for one that has ended but is not yet forgotten',
    async () => {
      // The shell replaces itself by a program that never asks for its ended child.
      const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec cat'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const [line] = await once(parent.stdout, 'data');
      const child = Number(String(line).trim());
      parent.stdin.write('replaced\n');
      await once(parent.stdout, 'data');
      process.kill(child, 'SIGKILL');
      const state = (): string => readFileSync(`/proc/${child}/stat`, 'latin1').split(' ')[2] ?? '';
      while (state() !== 'Z') await new Promise(setImmediate);
      expect(isRunning(child)).toBe(false);
      parent.stdin.end();
      await once(parent, 'exit');
    },
  );
});
