import { product } from '../../base/product.ts';
import type { SharedInstance } from '../../gateway/instances/instance-registry.ts';
import { instanceSummary } from '../../gateway/instances/instance-summary.ts';
import { versionRecord } from '../../link/version-record.ts';
import type { DaemonStatus } from '../../operations/daemon.ts';
import type { ResultOf } from '../../operations/define.ts';
import type { health } from '../../operations/health.ts';
import type { WebStatus } from '../../operations/web.ts';
import type { WebService } from '../../web/web-service.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import type { ChannelReport, DaemonHealth, RecorderReport } from './reports.ts';

interface ServiceState {
  readonly nowUs: number;
  readonly daemon: DaemonHealth;
  readonly channels: readonly ChannelReport[];
  readonly instances: readonly SharedInstance[];
  readonly recorders: readonly RecorderReport[];
  readonly web: Pick<WebService, 'status' | 'isLogSound' | 'clients' | 'logRecordsDropped'>;
  readonly requests: number;
  /** The plugin that does not return, or null. */
  readonly hung: { readonly instance: string; readonly plugin: string } | null;
}

export const serviceHealth = (state: ServiceState): ResultOf<typeof health> => {
  const { nowUs, daemon, channels, instances, recorders, web, requests, hung } = state;
  const impaired = channels
    .map(({ record }) => ({ selector: record.selector, state: record.state }))
    .filter((channel) => channel.state === 'bus_off' || channel.state === 'lost');
  const brokerHealth = impaired.length > 0 ? 'degraded' : 'ok';
  const webHealth = web.isLogSound ? 'ok' : 'degraded';
  const status = web.status();
  const pluginHealth = hung === null ? 'ok' : 'degraded';
  const parts = [daemon.status, webHealth, brokerHealth, pluginHealth];
  return {
    status: parts.every((part) => part === 'ok') ? 'ok' : 'degraded',
    time_us: nowUs,
    daemon,
    web: {
      status: status.state === 'running' ? webHealth : 'stopped',
      listen: status.effective_listen,
      clients: web.clients,
      requests,
      log_records_dropped: web.logRecordsDropped,
    },
    broker: { status: brokerHealth, channels: channels.length, impaired },
    plugins: { status: pluginHealth, unresponsive: hung },
    recording: { recorders: [...recorders] },
    gateway: { instances: instances.map(instanceSummary) },
  };
};

export const serviceInfo = (identity: DaemonIdentity, { stream_epoch }: WebStatus) => ({
  ...versionRecord(identity.sources),
  node: process.versions.node,
  platform: `${process.platform}-${process.arch}`,
  service: {
    instance_id: identity.instanceId,
    pid: identity.pid,
    started_at_us: identity.startedAtUs,
    project_root: identity.projectRoot,
    stream_epoch,
  },
});

export const runningStatus = (
  identity: DaemonIdentity,
  { threads, realtime, scheduler }: DaemonHealth,
  web: WebStatus,
): DaemonStatus => ({
  state: 'running',
  pid: identity.pid,
  version: product.version,
  home: identity.home.directory,
  project_root: identity.projectRoot,
  started_at_us: identity.startedAtUs,
  realtime,
  last_minute_lateness_us: scheduler.last_minute_lateness_us,
  web: web.state,
  threads,
});
