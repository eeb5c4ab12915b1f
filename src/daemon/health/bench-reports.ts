import type { Clock } from '../../base/clock/clock.ts';
import type { SharedInstance } from '../../gateway/instances/instance-registry.ts';
import { isUnresponsive } from '../../gateway/plugins/plugin-guard.ts';
import type { ChannelReport, DaemonHealth, RecorderReport } from './reports.ts';

export interface BenchReport {
  readonly daemon: DaemonHealth;
  readonly channels: readonly ChannelReport[];
  readonly instances: readonly SharedInstance[];
  readonly recorders: readonly RecorderReport[];
}

interface ReportingBench {
  daemonHealth(): Promise<DaemonHealth>;
  channelReports(): Promise<readonly ChannelReport[]>;
  instances(): Promise<readonly SharedInstance[]>;
  recorderReports(): Promise<readonly RecorderReport[]>;
}

export interface BenchReportsOptions {
  readonly bench: ReportingBench;
  readonly clock: Pick<Clock, 'unixUs'>;
  readonly startedAtUs: number;
}

/** Status of the bench thread, and its last status before a plugin blocked it. */
export class BenchReports {
  readonly #options: BenchReportsOptions;
  #last: BenchReport | undefined;

  constructor(options: BenchReportsOptions) {
    this.#options = options;
  }

  async ask(): Promise<BenchReport> {
    const { bench, clock, startedAtUs } = this.#options;
    try {
      const [daemon, channels, instances, recorders] = await Promise.all([
        bench.daemonHealth(),
        bench.channelReports(),
        bench.instances(),
        bench.recorderReports(),
      ]);
      this.#last = { daemon, channels, instances, recorders };
      return this.#last;
    } catch (thrown) {
      if (!isUnresponsive(thrown) || !this.#last) throw thrown;
      const { daemon, ...rest } = this.#last;
      const uptime_us = clock.unixUs() - startedAtUs;
      return { daemon: { ...daemon, status: 'degraded', uptime_us }, ...rest };
    }
  }
}
