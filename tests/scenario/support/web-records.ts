import { join } from 'node:path';
import { expect } from 'vitest';
import { repository } from '../../support/workbench.ts';

export const defaultListen = '127.0.0.1:8080';

/** Record of a Web service that was never started. */
export const neverStarted = {
  state: 'stopped',
  default_listen: defaultListen,
  listen_source: 'default',
  listen: defaultListen,
  configured_listen: null,
  effective_listen: null,
  log_level: 'info',
  log_destination: 'stderr',
  url: null,
  web_root: null,
  authentication: null,
  history_capacity: null,
  started_at_us: null,
  stream_epoch: null,
};

/** Its record while it runs with default options on this endpoint. */
export const runningOn = (listen: string) => ({
  state: 'running',
  default_listen: defaultListen,
  listen_source: 'effective',
  listen,
  configured_listen: listen,
  effective_listen: listen,
  log_level: 'info',
  log_destination: 'stderr',
  url: `http://${listen}/`,
  web_root: join(repository, 'dist', 'console'),
  authentication: 'none',
  history_capacity: 8192,
  started_at_us: expect.any(Number),
  stream_epoch: expect.any(Number),
});
