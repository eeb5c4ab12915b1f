// Processor time of other processes, from /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** Seconds that each kind of thread of a process has run. */
export const cpuOf = (pid) => {
  const seconds = new Map();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const own = Number(thread) === pid ? 'main' : name;
    const cpu = (Number(fields[11]) + Number(fields[12])) / 100;
    seconds.set(own, (seconds.get(own) ?? 0) + cpu);
  }
  return seconds;
};

export const total = (cpu) => [...cpu.values()].reduce((sum, each) => sum + each, 0);
