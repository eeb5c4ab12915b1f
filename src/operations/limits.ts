import { longestCycleUs } from '../transmit/send-request.ts';

// Numbers that declarations of operations show, or that compose hands to services, named once. Those that a room keeps
// to by itself stand there. `src/web/service-capabilities.ts` publishes some of both.

export const defaultListen = '127.0.0.1:8080';

export const logLevels = ['off', 'error', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
export const defaultLogLevel: LogLevel = 'info';

export const historyCapacity = { minimum: 1, maximum: 1_048_576, default: 8192 } as const;

export const historyPage = { default: 256, maximum: 4096 } as const;

/** Messages of a database in one answer. */
export const databasePage = { default: 100, maximum: 1000 } as const;

/** Samples kept of each signal of a plan. */
export const signalHistory = { default: 1024, maximum: 65_536 } as const;

/** Plans in one answer. */
export const planPage = { default: 256, maximum: 4096 } as const;

/** Samples in one answer. */
export const samplePage = { default: 256, maximum: 4096 } as const;

/** Tasks of a gateway instance in one answer, and its signals, fault rules or fault events. */
export const gatewayTaskPage = { default: 32, maximum: 100 } as const;
export const gatewaySignalPage = { default: 100, maximum: 1000 } as const;

/** Files of the project in one answer. */
export const projectFilePage = { default: 200, maximum: 1000 } as const;

/** Nodes and edges of the graph of a project in one answer. */
export const gatewayGraphPage = { default: 500, maximum: 5000 } as const;

/** Messages of the simulation of a manifest in one answer. */
export const simulationMessagePage = { default: 16, maximum: 64 } as const;

/** A batch over HTTP must be done before its client stops waiting for the answer. */
export const batchLimit = {
  frames: 2_147_483_647,
  /** Frames of one list; longer ones are for replay. */
  listFrames: 10_000,
  cycleUs: longestCycleUs,
  httpDurationUs: 60_000_000,
} as const;

/** Nor does a client wait longer for a scan of Modbus units. */
export const httpScanMs = 60_000;
export const mostScanMs = { http: httpScanMs, cli: undefined } as const;
export const mostBatch = { http: { maxDurationUs: batchLimit.httpDurationUs }, cli: {} } as const;

/** How long a trace is read for a summary over HTTP, and how many are read at once. */
export const traceSummaryLimit = { durationUs: 5_000_000, atOnce: 4 } as const;

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
  txTasks: 256,
  routes: 64,
  modbusServers: 16,
  jobsRunning: 4,
  jobsKept: 64,
} as const;

/** What a page of an answer may take, with room for what stands around it. */
export const pageBytes = limits.responseBytes - 4096;

/** The part of a list that a caller asks for, and what it may take. */
export const pageRange = ({
  offset,
  limit,
}: {
  readonly offset: number;
  readonly limit: number;
}) => ({ offset, limit, maxBytes: pageBytes });

/** The part of a list that is shown where none is chosen. */
export const firstPage = (page: { readonly default: number }) =>
  pageRange({ offset: 0, limit: page.default });
