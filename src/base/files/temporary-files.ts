import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { errnoOf } from '../errors/errno-of.ts';
import type { Pin } from './pin.ts';

/** So much of its own name is in the name of a temporary file, which must be no longer than others may be. */
const keptName = 32;

/** Behind the name: which process writes, when it began, and what tells its files apart. */
const temporaryForm = /^(\d+)-(\d+)\.[0-9a-f]{12}\.tmp$/;

const prefixOf = (name: string): string => `.${name.slice(0, keptName)}.`;

/** What the kernel tells of a process, on systems that tell it in files. */
const statOf = (pid: number): { readonly state: string; readonly start: string } | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in brackets, and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: fields[19] ?? '0' };
  } catch {
    return undefined;
  }
};

const hasNumber = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return errnoOf(thrown) !== 'ESRCH';
  }
};

/** States of processes that have ended, and whose parent has not asked for their end yet. */
const endedStates = ['Z', 'X'];

/** Whether a process runs that has this number and began then, and not another of that number. */
const isRunning = (pid: number, start: string): boolean => {
  if (!hasNumber(pid)) return false;
  const stat = statOf(pid);
  return stat === undefined || (stat.start === start && !endedStates.includes(stat.state));
};

/** A name that no other file has, from which a later writer sees whether this one is still at it. */
export const newTemporaryName = (name: string): string =>
  `${prefixOf(name)}${process.pid}-${statOf(process.pid)?.start ?? 0}.${randomBytes(6).toString('hex')}.tmp`;

const isAbandoned = (entry: string, name: string): boolean => {
  const prefix = prefixOf(name);
  if (!entry.startsWith(prefix)) return false;
  const [, pid, start] = temporaryForm.exec(entry.slice(prefix.length)) ?? [];
  return pid !== undefined && start !== undefined && !isRunning(Number(pid), start);
};

/**
 * Removes the temporary files beside a file whose writers were killed. Whatever stands in the way of
 * that does not stand in the way of the next writer.
 */
export const removeAbandonedFiles = (directory: Pin, name: string): void => {
  try {
    for (const entry of directory.list()) {
      if (isAbandoned(entry, name)) directory.remove(entry);
    }
  } catch {
    // The file to come tells what is wrong with the directory.
  }
};
