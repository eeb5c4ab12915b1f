import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { killMarked, trialMarker } from './probe-libraries.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A process that a plugin may leave running after a trial. */
const leave = async (trial: string): Promise<ChildProcess> => {
  const script = 'process.stdout.write("ready"); setInterval(() => {}, 1000)';
  const env = { ...process.env, ...trialMarker(trial) };
  const child = spawn(process.execPath, ['-e', script], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  if (child.stdout) await once(child.stdout, 'data');
  return child;
};

describe('processes that plugins leave in trials', () => {
  it('end with their trial, and with all trials of a home', async () => {
    const home = `/home-of-test-${process.pid}`;
    const [one, two, other] = await Promise.all(
      [`${home}/a`, `${home}/b`, `${home}-other/a`].map(leave),
    );
    const first = once(one as ChildProcess, 'exit');
    killMarked(`${home}/a`);
    expect(await first).toEqual([null, 'SIGKILL']);
    expect(two?.signalCode).toBeNull();
    const second = once(two as ChildProcess, 'exit');
    killMarked(home);
    expect(await second).toEqual([null, 'SIGKILL']);
    expect(other?.signalCode).toBeNull();
  });
});
