import { describe, expect, it } from 'vitest';
import { MetricRegistry } from '../../web/metrics/registry.ts';
import type { WebService } from '../../web/web-service.ts';
import { DaemonMetrics } from './daemon-metrics.ts';
import type { DaemonHealth } from './reports.ts';

const web = { status: () => ({ state: 'running' }), clients: 0, logRecordsDropped: 0 };

const health: DaemonHealth = {
  status: 'ok',
  pid: 1,
  uptime_us: 5_000_000,
  realtime: 'active',
  threads: [],
  scheduler: {
    tasks: 1,
    lateness_us: { count: 70_000, p50: 20, p99: 40, p999: 90, max: 9000 },
    last_minute_lateness_us: { count: 60_000, p50: 20, p99: 30, p999: 80, max: 450 },
  },
};

describe('the metrics of the daemon', () => {
  it('tell how late scheduled tasks ran, since the start and in the last minute', () => {
    const metrics = new DaemonMetrics(new MetricRegistry(), web as unknown as WebService);
    const lines = metrics.render(health, []).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'busbar_scheduler_runs_total 70000',
        'busbar_scheduler_lateness_p999_seconds 0.00009',
        'busbar_scheduler_last_minute_lateness_p999_seconds 0.00008',
        'busbar_scheduler_last_minute_lateness_max_seconds 0.00045',
      ]),
    );
  });
});
