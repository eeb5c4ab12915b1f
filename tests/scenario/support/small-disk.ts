import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Gives a new folder a disk of its own; false where the system does not allow it. */
export const mountSmallDisk = (folder: string, bytes: number): boolean => {
  mkdirSync(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  if (status !== 0) return false;
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return true;
};
