import { ftruncateSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { writeFileAtomically } from '../base/files/atomic-write.ts';
import type { Home } from './home.ts';

/** What a running daemon leaves in its home, so that it is found even without its socket. */
export interface DaemonRecord {
  readonly pid: number;
  /** When the kernel started the process: tells it from a later one with the same number. */
  readonly started_ticks: number | null;
  readonly version: string;
  readonly started_at_us: number;
  readonly project_root: string;
}

const stateField = 0;
const userTicksField = 11;
const systemTicksField = 12;
const startTimeField = 19;

/** The fields of /proc/<pid>/stat behind the name, which may itself hold blanks and parentheses. */
const statOf = (pid: number | string): readonly string[] | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
};

/** Start time of a process in the kernel's ticks; null where the platform does not tell. */
export const startTicksOf = (pid: number): number | null => {
  const text = statOf(pid)?.[startTimeField];
  return text === undefined ? null : Number(text);
};

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Not allowed to signal it: then it is there.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const isAlive = (stat: readonly string[] | null): boolean =>
  stat !== null && stat[stateField] !== 'Z' && stat[stateField] !== 'X';

/** Whether a process whose first thread is dead has others: until they are, too, it holds its files and locks. */
const hasThreads = (pid: number): boolean => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.some((thread) => isAlive(statOf(`${pid}/task/${thread}`)));
  } catch {
    return false;
  }
};

/**
 * Whether a process still runs. One that has ended stays in the table until its parent asks for it,
 * which in a container may be never; it holds no files or locks any longer and counts as gone.
 */
export const isRunning = (pid: number): boolean => {
  if (!exists(pid)) return false;
  const stat = statOf(pid);
  if (stat === null) return process.platform !== 'linux';
  return isAlive(stat) || hasThreads(pid);
};

/** Leaves in a lock whose it is, through the descriptor that holds it. */
export const signLock = (fd: number): void => {
  ftruncateSync(fd);
  writeSync(fd, JSON.stringify({ pid: process.pid, started_ticks: startTicksOf(process.pid) }));
};

/** The process that a file names, if that very process still runs; else null. */
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
 * The processor time that a daemon has used which holds the lock and is not ready yet, or no longer;
 * null if there is none. That it grows is a sign of life.
 */
export const startingDaemonTicks = (home: Home): number | null => {
  const pid = namedIn(home.lock);
  if (pid === null || pid === recordedDaemon(home)) return null;
  const stat = statOf(pid);
  return stat ? Number(stat[userTicksField]) + Number(stat[systemTicksField]) : null;
};

export const writeDaemonRecord = (home: Home, record: DaemonRecord): void =>
  writeFileAtomically(home.record, JSON.stringify(record), 0o600);

/** Number of the recorded daemon's process if that very process still runs; else null. */
export const recordedDaemon = (home: Home): number | null => namedIn(home.record);
