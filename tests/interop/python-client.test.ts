import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPeer } from '../support/peers.ts';
import { busbar, repository } from '../support/workbench.ts';

const python = '/usr/bin/python3';
const available =
  hasPeer(python, 'python3') &&
  hasPeer('/usr/lib/python3/dist-packages/pytest/__init__.py', 'python3-pytest');

const runTests = (...paths: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(
    python,
    ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...paths],
    {
      cwd: join(repository, 'clients', 'python'),
      encoding: 'utf8',
      env: {
        ...process.env,
        BUSBAR_PROGRAM: busbar,
        PYTHONPATH: '.',
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  );
  return { status, output: stdout + stderr };
};

describe.skipIf(!available)('the Python client', () => {
  it('passes its own tests against the daemon', () => {
    const { status, output } = runTests('tests');
    expect(status, output).toBe(0);
  });
});
