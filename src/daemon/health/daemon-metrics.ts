import { product } from '../../base/product.ts';
import type { MetricRegistry } from '../../web/metrics/registry.ts';
import type { WebService } from '../../web/web-service.ts';
import type { ChannelReport, DaemonHealth } from './reports.ts';

type ChannelMetric = readonly [
  name: string,
  help: string,
  type: 'counter' | 'gauge',
  value: (stats: ChannelReport['stats']) => number,
];

const channelMetrics: readonly ChannelMetric[] = [
  [
    'busbar_channel_received_frames_total',
    'Frames received',
    'counter',
    ({ rx_frames }) => rx_frames,
  ],
  ['busbar_channel_sent_frames_total', 'Frames sent', 'counter', ({ tx_frames }) => tx_frames],
  [
    'busbar_channel_failed_frames_total',
    'Accepted frames that were abandoned',
    'counter',
    ({ tx_failed }) => tx_failed,
  ],
  [
    'busbar_channel_error_frames_total',
    'Bus errors',
    'counter',
    ({ error_frames }) => error_frames,
  ],
  [
    'busbar_channel_overruns_total',
    'Events dropped by the hardware or the system',
    'counter',
    ({ overruns }) => overruns,
  ],
  [
    'busbar_channel_bus_load_ratio',
    'Bus load of the last second, 0 to 1',
    'gauge',
    ({ bus_load_percent }) => bus_load_percent / 100,
  ],
];

export class DaemonMetrics {
  readonly #registry: MetricRegistry;
  #health: DaemonHealth | undefined;
  #channels: readonly ChannelReport[] = [];

  constructor(registry: MetricRegistry, web: WebService) {
    this.#registry = registry;
    registry.observed({
      name: 'busbar_build_info',
      help: 'Always 1; the labels identify the build',
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
      help: 'Open HTTP connections',
      type: 'gauge',
      read: (report) => report(web.clients),
    });
    registry.observed({
      name: 'busbar_web_log_records_dropped_total',
      help: 'Log records lost since the Web service started',
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
      'busbar_scheduler_lateness_p999_seconds',
      '99.9th percentile of the lateness of scheduled tasks since the daemon started',
      'gauge',
      ({ scheduler }) => scheduler.lateness_us.p999 / 1_000_000,
    );
    this.#observeHealth(
      'busbar_scheduler_last_minute_lateness_p999_seconds',
      '99.9th percentile of the lateness of scheduled tasks in the last minute',
      'gauge',
      ({ scheduler }) => scheduler.last_minute_lateness_us.p999 / 1_000_000,
    );
    this.#observeHealth(
      'busbar_scheduler_last_minute_lateness_max_seconds',
      'Maximum lateness of scheduled tasks in the last minute',
      'gauge',
      ({ scheduler }) => scheduler.last_minute_lateness_us.max / 1_000_000,
    );
    this.#observeHealth(
      'busbar_scheduler_runs_total',
      'Runs of scheduled tasks',
      'counter',
      ({ scheduler }) => scheduler.lateness_us.count,
    );
    registry.observed({
      name: 'busbar_thread_restarts_total',
      help: 'Restarts of daemon threads after a crash',
      type: 'counter',
      labels: { thread: ['client', 'loader'] },
      read: (report) => {
        for (const { name, restarts } of this.#health?.threads ?? []) {
          report(restarts, { thread: name });
        }
      },
    });
    this.#observeChannels();
  }

  #observeChannels(): void {
    this.#registry.observed({
      name: 'busbar_channel_up',
      help: 'Whether the channel is open and on the bus',
      type: 'gauge',
      labels: { channel: 'open' },
      read: (report) => {
        for (const { record } of this.#channels) {
          report(record.state === 'open' ? 1 : 0, { channel: record.selector });
        }
      },
    });
    for (const [name, help, type, value] of channelMetrics) {
      this.#registry.observed({
        name,
        help,
        type,
        labels: { channel: 'open' },
        read: (report) => {
          for (const { record, stats } of this.#channels) {
            report(value(stats), { channel: record.selector });
          }
        },
      });
    }
  }

  render(health: DaemonHealth, channels: readonly ChannelReport[]): string {
    this.#health = health;
    this.#channels = channels;
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
