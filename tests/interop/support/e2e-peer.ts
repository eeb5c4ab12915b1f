import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { hasPeer } from '../../support/peers.ts';

const python = '/usr/bin/python3';
const script = join(import.meta.dirname, 'e2e_profiles.py');

/** Whether the second implementation of the profiles can run here. */
export const hasCrccheck =
  hasPeer('/usr/lib/python3/dist-packages/crccheck/__init__.py', 'python3-crccheck') &&
  hasPeer(python, 'python3');

/** Its responses to jobs, in order. */
export const answersOf = (jobs: readonly object[]): unknown[] => {
  const { status, stdout, stderr } = spawnSync(python, [script], {
    input: JSON.stringify(jobs),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};
