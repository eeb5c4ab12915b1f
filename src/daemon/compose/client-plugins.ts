import { join } from 'node:path';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { CallPort } from '../../base/threads/call-port.ts';
import type { SharedInstance } from '../../gateway/instances/instance-registry.ts';
import { openBoard } from '../../gateway/plugins/board-file.ts';
import type { PluginCall } from '../../gateway/plugins/call-board.ts';
import { PluginStarts } from '../../gateway/plugins/plugin-starts.ts';
import { PluginWatchdog } from '../../gateway/plugins/plugin-watchdog.ts';
import type { ChannelReport, DaemonHealth } from '../health/reports.ts';
import type { DaemonLog } from '../lifecycle/daemon-log.ts';
import type { BenchOffer, DaemonIdentity } from './thread-contracts.ts';

interface ClientPluginsOptions {
  readonly identity: DaemonIdentity;
  readonly clock: Clock;
  readonly log: DaemonLog;
  readonly bench: CallPort<BenchOffer>;
  /** Where the programs of the daemon are. */
  readonly programs: string;
}

/** What the bench thread said of itself last. */
export interface BenchReport {
  readonly daemon: DaemonHealth;
  readonly channels: readonly ChannelReport[];
  readonly instances: readonly SharedInstance[];
}

/** Calls that a bench thread has to hear of, however late. */
const delivered = ['cancel', 'rememberWeb', 'releaseInstance', 'clientStage', 'clientReady'];

/** The plugins of all instances, seen from the thread that serves clients: it opens, tries and watches them. */
export class ClientPlugins {
  readonly starts: PluginStarts;
  readonly #options: ClientPluginsOptions;
  readonly #watchdog: PluginWatchdog;
  #lastReport: BenchReport | undefined;

  constructor(options: ClientPluginsOptions) {
    const { identity, clock, log, bench, programs } = options;
    this.#options = options;
    const { projectRoot, home } = identity;
    this.starts = new PluginStarts({
      projectRoot,
      clock,
      program: join(programs, 'plugin-probe.cjs'),
    });
    this.#watchdog = new PluginWatchdog({
      clock,
      board: async () => openBoard((await import('koffi')).default, home.pluginCalls),
      onHung: ({ instance, plugin }) => {
        log.event('plugin_unresponsive', { instance, plugin });
        const message = `The plugin ${plugin} of ${instance} does not return`;
        const details = { instance, plugin };
        bench.interrupt(new BusbarError('instance_unresponsive', { message, details }), delivered);
      },
      onReturned: ({ instance, plugin }) => {
        log.event('plugin_returned', { instance, plugin });
        bench.resume();
      },
    });
  }

  /** The plugin that does not return; null if all of them do. */
  get hung(): PluginCall | null {
    return this.#watchdog.hung;
  }

  /** There are plugins from now on. */
  async watch(): Promise<void> {
    await this.report();
    await this.#watchdog.start();
  }

  /** How the bench thread is, or was before a plugin did not return. */
  async report(): Promise<BenchReport> {
    const { remote } = this.#options.bench;
    try {
      const [daemon, channels, instances] = await Promise.all([
        remote.daemonHealth(),
        remote.channelReports(),
        remote.instances(),
      ]);
      this.#lastReport = { daemon, channels, instances };
      return this.#lastReport;
    } catch (thrown) {
      const isHung = BusbarError.from(thrown).code === 'instance_unresponsive';
      if (!isHung || !this.#lastReport) throw thrown;
      const { daemon, channels, instances } = this.#lastReport;
      const uptime_us = this.#options.clock.unixUs() - this.#options.identity.startedAtUs;
      return { daemon: { ...daemon, status: 'degraded', uptime_us }, channels, instances };
    }
  }

  /** Ends a daemon whose bench thread cannot end it in order. */
  endByForce(): void {
    const { log, identity } = this.#options;
    log.event('ended_by_force', { ...this.hung });
    process.kill(identity.pid, 'SIGKILL');
  }

  close(): void {
    this.#watchdog.stop();
  }
}
