// Installs and builds where needed, so that a fresh clone needs no other step.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { installStamp, installStampFile, isCurrent, sourceStamp, stampFile } from './stamp.mjs';

const root = resolve(import.meta.dirname, '..');

/** Runs a command in the repository and ends this process with it if it fails. */
export const run = (command, args, env = {}) => {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
};

export const makeReady = async () => {
  if (!(await isCurrent(installStampFile, installStamp))) {
    console.log('Installing dependencies…');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    await writeFile(installStampFile, await installStamp());
  }
  const built = existsSync(resolve(root, 'bin', 'busbar')) && existsSync(stampFile);
  if (!built || !(await isCurrent(stampFile, sourceStamp))) {
    console.log('Building…');
    run(process.execPath, ['scripts/build.mjs']);
  }
};
