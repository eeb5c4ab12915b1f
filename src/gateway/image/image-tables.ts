import { TableLayout } from '../memory/columns.ts';
import { type TaskCounter, taskCounterNames } from '../values/task-counters.ts';

/**
 * Tables of an image. Strings are string pool numbers. A list has a first row and a length.
 * References count from 0, or from 1 if 0 means none.
 */
export const endpointTable = new TableLayout({
  id: 'u32',
  role: 'u8',
  network: 'u32',
  unit: 'u8',
  timeoutMs: 'f64',
  firstResource: 'u32',
  resources: 'u32',
});

export const signalTable = new TableLayout({
  id: 'u32',
  byId: 'u32',
  type: 'u8',
  producer: 'u8',
  unit: 'u32',
  hasInitial: 'u8',
  initial: 'cell',
  isDynamic: 'u8',
  waveform: 'u32',
  firstLabel: 'u32',
  labels: 'u32',
  firstReader: 'u32',
  readers: 'u32',
  firstShown: 'u32',
  shown: 'u32',
});

export const labelTable = new TableLayout({ value: 'u32', label: 'u32' });

export const noBit = 0xffff;

/**
 * Bindings of one message, resource or task are adjacent, selectors first. Shown bindings come
 * first: sent by tasks, served, written by clients. Polled and received ones follow.
 */
export const bindingTable = new TableLayout({
  id: 'u32',
  signal: 'u32',
  codec: 'u32',
  resource: 'u32',
  validityResource: 'u32',
  /** DBC bit number, counted from the first byte of the message. */
  start: 'u16',
  validityBit: 'u16',
  /** Number of the selector among the bindings of the message, from 1. */
  selector: 'u32',
  firstRange: 'u32',
  ranges: 'u32',
  isChecked: 'u8',
  /** Row in `state.bindings` of a shown binding. */
  state: 'u32',
});

export const muxRangeTable = new TableLayout({ low: 'cell', high: 'cell' });

export const codecTable = new TableLayout({
  plugin: 'u32',
  layout: 'u32',
  raw: 'u8',
  bitLength: 'u16',
  byteOrder: 'u8',
  wordOrder: 'u8',
  factor: 'f64',
  offset: 'f64',
  rawMin: 'u32',
  rawMax: 'u32',
  invalidRaw: 'u32',
  firstSpecial: 'u32',
  specials: 'u32',
});

export const specialRawTable = new TableLayout({ raw: 'u32', state: 'u8' });

export const messageTable = new TableLayout({
  id: 'u32',
  isReceived: 'u8',
  endpoint: 'u32',
  canId: 'u32',
  extended: 'u8',
  fd: 'u8',
  brs: 'u8',
  length: 'u8',
  fill: 'u8',
  /** 0 if values never become stale. */
  staleUs: 'f64',
  e2e: 'u32',
  firstBinding: 'u32',
  bindings: 'u32',
});

export const e2eTable = new TableLayout({ codec: 'u32', at: 'u8', length: 'u8' });

export const taskTable = new TableLayout({
  id: 'u32',
  policy: 'u8',
  mode: 'u8',
  periodMs: 'f64',
  minIntervalUs: 'f64',
  endpoint: 'u32',
  /** From 1; 0 for Modbus tasks. */
  message: 'u32',
  firstResource: 'u32',
  resources: 'u32',
  firstBinding: 'u32',
  bindings: 'u32',
  firstFault: 'u32',
  faults: 'u32',
});

export const faultTable = new TableLayout({ rule: 'u32', row: 'u32' });

export const noBitOffset = 0xff;

export const resourceTable = new TableLayout({
  endpoint: 'u32',
  table: 'u8',
  address: 'u16',
  items: 'u8',
  bitOffset: 'u8',
  access: 'u8',
  /** 0 if values never become stale. */
  staleUs: 'f64',
  firstBinding: 'u32',
  bindings: 'u32',
});

export const pollTable = new TableLayout({
  endpoint: 'u32',
  table: 'u8',
  address: 'u16',
  items: 'u16',
  pollMs: 'f64',
  firstFill: 'u32',
  fills: 'u32',
});

export const pollFillTable = new TableLayout({ resource: 'u32', at: 'u16' });

export const mappingTable = new TableLayout({
  transform: 'u32',
  firstOperand: 'u32',
  inputs: 'u32',
  outputs: 'u32',
  maxSkewUs: 'f64',
  ttlUs: 'f64',
});

export const pluginTable = new TableLayout({ plugin: 'u32' });

export const listTable = new TableLayout({ number: 'u32' });

/** One row. The sequence is odd during a change. */
export const versionTable = new TableLayout({ sequence: 'i32', changes: 'f64', inPlugin: 'i32' });

/** Mutable state. Values and raw values are eight bytes, interpreted by type. */
export const signalStateTable = new TableLayout({
  value: 'cell',
  hasValue: 'u8',
  valid: 'u8',
  quality: 'u8',
  observedUs: 'f64',
});

export const bindingStateTable = new TableLayout({ raw: 'cell', valid: 'u8', error: 'u8' });

const counterColumns = Object.fromEntries(
  taskCounterNames.map((name) => [name, 'f64']),
) as Readonly<Record<TaskCounter, 'f64'>>;

/** Counters of tasks. The first row is their sum, so that readers get consistent totals. */
export const taskStateTable = new TableLayout({
  ...counterColumns,
  lastLatenessUs: 'f64',
  maxLatenessUs: 'f64',
  error: 'u8',
  errorUs: 'f64',
  refusal: 'u8',
});

export const timingTable = new TableLayout({ count: 'f64', max: 'f64' });

export const timingSampleTable = new TableLayout({ us: 'u32' });

export const messageStateTable = new TableLayout({ failed: 'u8' });

export const faultStateTable = new TableLayout({ enabled: 'u8', fired: 'f64' });

/** Size of the ring of fault events, which is indexed by sequence. */
export const keptFaultEvents = 1024;

export const faultEventBytes = 64;

export const faultEventTable = new TableLayout({
  rule: 'u32',
  task: 'u32',
  effect: 'u8',
  channel: 'u32',
  length: 'u8',
  firedUs: 'f64',
  eventId: 'f64',
  change: 'f64',
});

export const faultEventDataTable = new TableLayout({ byte: 'u8' });

export const instanceStateTable = new TableLayout({
  failedTasks: 'u32',
  failedChecks: 'u32',
  newestFaultEvent: 'f64',
  faultEventChanges: 'f64',
  rejectedRemote: 'f64',
  rejectedShort: 'f64',
  rejectedE2e: 'f64',
  pollCoalesced: 'f64',
  pollMissed: 'f64',
});
