import type { DurationSummary } from '../../base/schedule/duration-histogram.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { ThreadReport } from '../threads/supervisor.ts';
import type { DaemonHealth } from './reports.ts';

interface BenchState extends Pick<DaemonHealth, 'pid' | 'uptime_us' | 'realtime'> {
  readonly threads: readonly ThreadReport[];
  readonly scheduler: Scheduler;
}

const latenessRecord = ({
  count,
  p50Us,
  p99Us,
  p999Us,
  maxUs,
}: DurationSummary): DaemonHealth['scheduler']['lateness_us'] => ({
  count,
  p50: p50Us,
  p99: p99Us,
  p999: p999Us,
  max: maxUs,
});

/** How the bench thread and the threads that it watches are. */
export const benchHealth = ({ threads, scheduler, ...state }: BenchState): DaemonHealth => ({
  status: threads.every((thread) => thread.state === 'running') ? 'ok' : 'degraded',
  ...state,
  threads: [...threads],
  scheduler: {
    tasks: scheduler.scheduledTasks,
    lateness_us: latenessRecord(scheduler.lateness.summary()),
    last_minute_lateness_us: latenessRecord(scheduler.lastMinuteLateness()),
  },
});
