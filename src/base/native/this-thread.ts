import { setPriority } from 'node:os';

/**
 * Sets the niceness of the calling thread, from −20 to 19. Returns false if it is not
 * permitted, or if the platform has it per process only.
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
