import { completion, help } from './assistance.ts';
import { daemonStart, daemonStatus, daemonStop } from './daemon.ts';
import type { Operation } from './define.ts';
import { jobList, jobShow } from './job.ts';
import { operationList, operationShow } from './operation.ts';
import { capabilities, demo, execute, health, info, metrics, openapi, version } from './service.ts';
import { webStart, webStatus, webStop } from './web.ts';

/** Every operation there is. What is not in this list cannot be called, served or documented. */
export const operations: readonly Operation[] = [
  help,
  version,
  completion,
  demo,
  daemonStart,
  daemonStatus,
  daemonStop,
  webStart,
  webStatus,
  webStop,
  info,
  health,
  capabilities,
  openapi,
  metrics,
  operationList,
  operationShow,
  jobList,
  jobShow,
  execute,
];
