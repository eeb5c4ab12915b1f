import { product } from '../../base/product.ts';
import { versionRecord } from '../../link/version-record.ts';
import type { DaemonStatus } from '../../operations/daemon.ts';
import type { WebStatus } from '../../operations/web.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import type { DaemonHealth } from './reports.ts';

/** Version, start time and platform. */
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

/** Status of a running daemon. */
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
