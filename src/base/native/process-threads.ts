import { readdirSync } from 'node:fs';

export const threadsBeside = (thread: number): readonly number[] => {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/task')
    .map(Number)
    .filter((each) => each !== thread);
};
