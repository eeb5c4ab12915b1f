import type { Clock } from '../../base/clock/clock.ts';
import { fineDurationRecord } from '../../base/schedule/duration-record.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import type { ThreadReport } from '../threads/supervisor.ts';
import type { DaemonHealth } from './reports.ts';

interface BenchState {
  readonly identity: Pick<DaemonIdentity, 'pid' | 'startedAtUs'>;
  readonly clock: Pick<Clock, 'unixUs'>;
  readonly realtime: DaemonHealth['realtime'];
  readonly threads: readonly ThreadReport[];
  readonly scheduler: Scheduler;
}

/** How the bench thread and the threads that it watches are. */
export const benchHealth = (state: BenchState): DaemonHealth => {
  const { identity, clock, realtime, threads, scheduler } = state;
  return {
    status: threads.every((thread) => thread.state === 'running') ? 'ok' : 'degraded',
    pid: identity.pid,
    uptime_us: clock.unixUs() - identity.startedAtUs,
    realtime,
    threads: [...threads],
    scheduler: {
      tasks: scheduler.scheduledTasks,
      lateness_us: fineDurationRecord(scheduler.lateness.summary()),
      last_minute_lateness_us: fineDurationRecord(scheduler.lastMinuteLateness()),
    },
  };
};
