import { readlinkSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Lets the kernel wake the calling thread as exactly as it can, instead of up to 50 µs late to
 * save power. False where the platform has no such setting.
 */
export const minimiseTimerSlack = (): boolean => {
  try {
    // The setting is missing below /proc/thread-self, but /proc/<thread id> has it for any thread.
    const threadId = readlinkSync('/proc/thread-self').split('/').at(-1);
    writeFileSync(`/proc/${threadId}/timerslack_ns`, '1');
    return true;
  } catch {
    return false;
  }
};

/**
 * Sets the niceness of the calling thread, from −20 (first) to 19 (last). False where it is not
 * permitted, or where the platform knows niceness only for a whole process.
 */
export const niceThisThread = (niceness: number): boolean => {
  if (process.platform !== 'linux') return false;
  try {
    setPriority(0, niceness);
    return true;
  } catch {
    return false;
  }
};
