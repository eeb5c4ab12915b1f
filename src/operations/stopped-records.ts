import type { WebMemory } from '../link/web-memory.ts';
import type { DaemonStatus } from './daemon.ts';
import { defaultListen } from './limits.ts';
import type { WebStatus } from './web.ts';

export const stoppedWebStatus = (memory: WebMemory): WebStatus => ({
  state: 'stopped',
  default_listen: defaultListen,
  listen_source: 'default',
  listen: defaultListen,
  configured_listen: memory.configuredListen,
  effective_listen: null,
  log_level: memory.logLevel,
  log_destination: memory.logDestination,
  url: null,
  web_root: null,
  authentication: null,
  history_capacity: null,
  started_at_us: null,
  stream_epoch: null,
});

export const stoppedDaemonStatus = (home: string): DaemonStatus => ({
  state: 'stopped',
  pid: null,
  version: null,
  home,
  project_root: null,
  started_at_us: null,
  realtime: null,
  last_minute_lateness_us: null,
  web: null,
  threads: [],
});
