import { fineDurationRecord } from '../../base/schedule/duration-record.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { ThreadReport } from '../threads/supervisor.ts';
import type { DaemonHealth } from './reports.ts';

interface BenchState extends Pick<DaemonHealth, 'pid' | 'uptime_us' | 'realtime'> {
  readonly threads: readonly ThreadReport[];
  readonly scheduler: Scheduler;
}

/** How the bench thread and the threads that it watches are. */
export const benchHealth = ({ threads, scheduler, ...state }: BenchState): DaemonHealth => ({
  status: threads.every((thread) => thread.state === 'running') ? 'ok' : 'degraded',
  ...state,
  threads: [...threads],
  scheduler: {
    tasks: scheduler.scheduledTasks,
    lateness_us: fineDurationRecord(scheduler.lateness.summary()),
    last_minute_lateness_us: fineDurationRecord(scheduler.lastMinuteLateness()),
  },
});
