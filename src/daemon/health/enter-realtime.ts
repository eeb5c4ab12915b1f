import { requestFifo } from '../../base/native/libc.ts';
import { ceilingPriority } from '../threads/priority-ceiling.ts';
import type { DaemonHealth } from './reports.ts';

/** The SCHED_FIFO priority of deadlines: above ordinary work, below the kernel's own threads. */
const benchPriority = 20;

/**
 * Asks for real-time scheduling of the calling thread, and of those with which V8 compiles: a
 * collection waits for them.
 */
export const enterRealtime = async (
  compilerThreads: readonly number[],
  onRefused: (reason: string) => void,
): Promise<DaemonHealth['realtime']> => {
  const outcome = await requestFifo(benchPriority);
  if (!outcome.granted) {
    onRefused(outcome.reason);
    return 'refused';
  }
  for (const thread of compilerThreads) await requestFifo(ceilingPriority, thread);
  return 'active';
};
