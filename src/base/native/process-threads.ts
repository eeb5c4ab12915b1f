import { readdirSync } from 'node:fs';

/** The threads that this process has beside one; none where the platform does not tell. */
export const threadsBeside = (thread: number): readonly number[] => {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/task')
    .map(Number)
    .filter((each) => each !== thread);
};
