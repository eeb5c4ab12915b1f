import { readdirSync } from 'node:fs';

/** Other threads of this process; none if the platform does not list them. */
export const threadsBeside = (thread: number): readonly number[] => {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/task')
    .map(Number)
    .filter((each) => each !== thread);
};
