import { setPriority } from 'node:os';

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
