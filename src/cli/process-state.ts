import { readFileSync } from 'node:fs';

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Not allowed to signal it: then it is there.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Whether a process still runs. One that has ended stays in the table until its parent asks for it,
 * which in a container may be never; it holds no files or locks any longer and counts as gone.
 */
export const isRunning = (pid: number): boolean => {
  if (!exists(pid)) return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before the state is in parentheses and may itself contain some.
    const state = stat.charAt(stat.lastIndexOf(')') + 2);
    return state !== 'Z' && state !== 'X';
  } catch {
    return process.platform !== 'linux';
  }
};
