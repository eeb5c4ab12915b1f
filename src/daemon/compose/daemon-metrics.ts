import { product } from '../../base/product.ts';
import type { MetricRegistry } from '../../web/metrics/registry.ts';
import type { WebService } from '../../web/web-service.ts';
import type { DaemonHealth } from './thread-contracts.ts';

/** What the daemon tells Prometheus about itself, beside what its faces count. */
export class DaemonMetrics {
  readonly #registry: MetricRegistry;
  #health: DaemonHealth | undefined;

  constructor(registry: MetricRegistry, web: WebService) {
    this.#registry = registry;
    registry.observed({
      name: 'busbar_build_info',
      help: 'Always 1; the labels tell which build this is',
      type: 'gauge',
      labels: { version: 'open', contract: 'open', node: 'open' },
      read: (report) =>
        report(1, {
          version: product.version,
          contract: product.contract,
          node: process.versions.node,
        }),
    });
    registry.observed({
      name: 'busbar_web_up',
      help: 'Whether the Web service is running',
      type: 'gauge',
      read: (report) => report(web.status().state === 'running' ? 1 : 0),
    });
    registry.observed({
      name: 'busbar_web_clients',
      help: 'HTTP connections open now',
      type: 'gauge',
      read: (report) => report(web.clients),
    });
    registry.observed({
      name: 'busbar_web_log_records_dropped_total',
      help: 'Diagnostic records that could not be written since the Web service started',
      type: 'counter',
      read: (report) => report(web.logRecordsDropped),
    });
    this.#observeHealth(
      'busbar_uptime_seconds',
      'Time since the daemon started',
      'gauge',
      (health) => health.uptime_us / 1_000_000,
    );
    this.#observeHealth(
      'busbar_scheduler_lateness_p50_seconds',
      'Median lateness of scheduled tasks since the daemon started',
      'gauge',
      ({ scheduler }) => scheduler.lateness_us.p50 / 1_000_000,
    );
    this.#observeHealth(
      'busbar_scheduler_lateness_p99_seconds',
      '99th percentile of the lateness of scheduled tasks since the daemon started',
      'gauge',
      ({ scheduler }) => scheduler.lateness_us.p99 / 1_000_000,
    );
    this.#observeHealth(
      'busbar_scheduler_runs_total',
      'Runs of scheduled tasks',
      'counter',
      ({ scheduler }) => scheduler.lateness_us.count,
    );
    registry.observed({
      name: 'busbar_thread_restarts_total',
      help: 'Times a thread of the daemon died and was started anew',
      type: 'counter',
      labels: { thread: ['client', 'metronome', 'loader'] },
      read: (report) => {
        for (const { name, restarts } of this.#health?.threads ?? []) {
          report(restarts, { thread: name });
        }
      },
    });
  }

  render(health: DaemonHealth): string {
    this.#health = health;
    return this.#registry.render();
  }

  #observeHealth(
    name: string,
    help: string,
    type: 'counter' | 'gauge',
    value: (health: DaemonHealth) => number,
  ): void {
    this.#registry.observed({
      name,
      help,
      type,
      read: (report) => {
        if (this.#health) report(value(this.#health));
      },
    });
  }
}
