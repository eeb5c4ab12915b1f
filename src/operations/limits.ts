import { maxRecorders } from '../bench/recorder-entry.ts';
import { maxCycleUs } from '../transmit/send-request.ts';

// Limits that declarations show or that compose passes to services. Other limits are in their
// rooms. `src/web/service-capabilities.ts` publishes some of both.

export const defaultListen = '127.0.0.1:8080';

export const logLevels = ['off', 'error', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
export const defaultLogLevel: LogLevel = 'info';

export const historyCapacity = { minimum: 1, maximum: 1_048_576, default: 8192 } as const;

export const historyPage = { default: 256, maximum: 4096 } as const;

export const databasePage = { default: 100, maximum: 1000 } as const;

export const signalHistory = { default: 1024, maximum: 65_536 } as const;

export const planPage = { default: 256, maximum: 4096 } as const;

export const samplePage = { default: 256, maximum: 4096 } as const;

export const pduPage = { default: 256, maximum: 4096 } as const;

export const gatewayTaskPage = { default: 32, maximum: 100 } as const;
export const gatewaySignalPage = { default: 100, maximum: 1000 } as const;

export const projectFilePage = { default: 200, maximum: 1000 } as const;

export const gatewayGraphPage = { default: 500, maximum: 5000 } as const;

export const simulationMessagePage = { default: 16, maximum: 64 } as const;

/** A batch over HTTP must complete before its client times out. */
export const batchLimit = {
  frames: 2_147_483_647,
  /** Use a replay for longer lists. */
  listFrames: 10_000,
  cycleUs: maxCycleUs,
  httpDurationUs: 60_000_000,
} as const;

export const httpScanMs = 60_000;
export const maxScanMs = { http: httpScanMs, cli: undefined } as const;
export const maxBatch = { http: { maxDurationUs: batchLimit.httpDurationUs }, cli: {} } as const;

/** Time limit and concurrency of trace summaries over HTTP. */
export const traceSummaryLimit = { durationUs: 5_000_000, atOnce: 4 } as const;

/** Files that are downloaded at a time. */
export const downloadsAtOnce = 8;

/** Files that are uploaded at a time. An upload without a new part ends after `idleMs`. */
export const uploadLimit = { atOnce: 8, idleMs: 60_000 } as const;

export const limits = {
  requestBodyBytes: 64 * 1024,
  responseBytes: 2 * 1024 * 1024,
  headerBytes: 16 * 1024,
  jsonDepth: 64,
  clients: 128,
  sseClients: 32,
  websocketClients: 32,
  databases: 64,
  signalPlans: 4096,
  signalsOfPlan: 4096,
  signalBytes: 512 * 1024 * 1024,
  txTasks: 1024,
  routes: 64,
  j1939Claims: 64,
  diagnosticLinks: 64,
  simulatedEcus: 64,
  modbusServers: 16,
  recorders: maxRecorders,
  jobsRunning: 4,
  jobsKept: 64,
} as const;

export const pageBytes = limits.responseBytes - 4096;

export const pageRange = ({
  offset,
  limit,
}: {
  readonly offset: number;
  readonly limit: number;
}) => ({ offset, limit, maxBytes: pageBytes });
