import { setPriority } from 'node:os';

/**
 * Sets the niceness of the calling thread, from −20 to 19. False if not permitted, or if the
 * platform only has it per process.
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
