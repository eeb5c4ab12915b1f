// Processor time and memory of other processes, from /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** Name and run time of a thread; the kernel counts in hundredths of a second. */
const threadUsage = (pid, thread) => {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { name, seconds: (Number(fields[11]) + Number(fields[12])) / 100 };
};

/** Run time of a process with its ended threads. */
export const processCpu = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Run time by kind of thread. */
export const cpuOf = (pid) => {
  const cpu = new Map();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const { name, seconds } = threadUsage(pid, thread);
    const kind = Number(thread) === pid ? 'main' : name;
    cpu.set(kind, (cpu.get(kind) ?? 0) + seconds);
  }
  return cpu;
};

/** Run time of the thread with the most; 0 after the end of the process. */
export const busiestThread = (pid) => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return Math.max(...threads.map((thread) => threadUsage(pid, thread).seconds));
  } catch {
    return 0;
  }
};

export const total = (cpu) => [...cpu.values()].reduce((sum, each) => sum + each, 0);

/** Run time of the main thread, which is the bench thread of the daemon. */
export const mainThreadCpu = (pid) => threadUsage(pid, pid).seconds;

export const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;
