// Processor time and memory of other processes, from /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** The name of a thread, and the seconds that it has run; the kernel counts in hundredths. */
const threadUsage = (pid, thread) => {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { name, seconds: (Number(fields[11]) + Number(fields[12])) / 100 };
};

/** Seconds that each kind of thread of a process has run. */
export const cpuOf = (pid) => {
  const cpu = new Map();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const { name, seconds } = threadUsage(pid, thread);
    const kind = Number(thread) === pid ? 'main' : name;
    cpu.set(kind, (cpu.get(kind) ?? 0) + seconds);
  }
  return cpu;
};

export const total = (cpu) => [...cpu.values()].reduce((sum, each) => sum + each, 0);

/** Seconds that the main thread has run; in the daemon, it is the bench thread. */
export const mainThreadCpu = (pid) => threadUsage(pid, pid).seconds;

export const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;
