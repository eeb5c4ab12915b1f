import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Mounts a small disk on a new folder; false if the system does not permit it. */
export const mountSmallDisk = (folder: string, bytes: number): boolean => {
  mkdirSync(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  if (status !== 0) return false;
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return true;
};
