import type { SharedInstance } from '../../gateway/instances/instance-registry.ts';
import type { DaemonMetrics } from './daemon-metrics.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { ChannelReport, DaemonHealth } from './reports.ts';

/** The bench thread, as far as metrics tell of it. */
interface MeasuredBench {
  daemonHealth(): Promise<DaemonHealth>;
  channelReports(): Promise<readonly ChannelReport[]>;
  instances(): Promise<readonly SharedInstance[]>;
  instanceBytes(): Promise<number>;
}

/** All metrics, of one moment as nearly as can be. */
export const renderMetrics = async (
  bench: MeasuredBench,
  daemon: DaemonMetrics,
  gateways: GatewayMetrics,
): Promise<ReturnType<DaemonMetrics['render']>> => {
  const [health, channels, instances, instanceBytes] = await Promise.all([
    bench.daemonHealth(),
    bench.channelReports(),
    bench.instances(),
    bench.instanceBytes(),
  ]);
  gateways.show(instances, instanceBytes);
  return daemon.render(health, channels);
};
