import { ftruncateSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { writeFileAtomically } from '../base/files/atomic-write.ts';
import type { Home } from './home.ts';

export interface DaemonRecord {
  readonly pid: number;
  /** Start time of the process, to detect a reused pid. */
  readonly started_ticks: number | null;
  readonly version: string;
  readonly started_at_us: number;
  readonly project_root: string;
}

const stateField = 0;
const userTicksField = 11;
const systemTicksField = 12;
const startTimeField = 19;

const statOf = (pid: number | string): readonly string[] | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
};

/** Start time in ticks; null if unknown. */
export const startTicksOf = (pid: number): number | null => {
  const text = statOf(pid)?.[startTimeField];
  return text === undefined ? null : Number(text);
};

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM means that the process exists.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const isAlive = (stat: readonly string[] | null): boolean =>
  stat !== null && stat[stateField] !== 'Z' && stat[stateField] !== 'X';

/**
 * True if a process with a dead main thread still has other threads, which hold files and locks.
 */
const hasThreads = (pid: number): boolean => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.some((thread) => isAlive(statOf(`${pid}/task/${thread}`)));
  } catch {
    return false;
  }
};

/** True if a process runs. A zombie holds no files or locks and counts as ended. */
export const isRunning = (pid: number): boolean => {
  if (!exists(pid)) return false;
  const stat = statOf(pid);
  if (stat === null) return process.platform !== 'linux';
  return isAlive(stat) || hasThreads(pid);
};

export const signLock = (fd: number): void => {
  ftruncateSync(fd);
  writeSync(fd, JSON.stringify({ pid: process.pid, started_ticks: startTicksOf(process.pid) }));
};

const namedIn = (path: string): number | null => {
  try {
    const { pid, started_ticks: ticks } = JSON.parse(readFileSync(path, 'utf8'));
    if (!Number.isSafeInteger(pid) || pid <= 0 || typeof ticks !== 'number') return null;
    return isRunning(pid) && startTicksOf(pid) === ticks ? pid : null;
  } catch {
    return null;
  }
};

/**
 * Processor time of a daemon that holds the lock and is not ready; null without one. An
 * increase shows that it is alive.
 */
export const startingDaemonTicks = (home: Home): number | null => {
  const pid = namedIn(home.lock);
  if (pid === null || pid === recordedDaemon(home)) return null;
  const stat = statOf(pid);
  return stat ? Number(stat[userTicksField]) + Number(stat[systemTicksField]) : null;
};

export const writeDaemonRecord = (home: Home, record: DaemonRecord): void =>
  writeFileAtomically(home.record, JSON.stringify(record), 0o600);

export const recordedDaemon = (home: Home): number | null => namedIn(home.record);
