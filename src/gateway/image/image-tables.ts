import { TableLayout } from '../memory/columns.ts';
import { type TaskCounter, taskCounterNames } from '../values/task-counters.ts';

/**
 * Tables of an image. Texts are string pool numbers. Lists have a first row and a length.
 * References count from 0, or from 1 if 0 means none.
 */
export const endpointTable = new TableLayout({
  id: 'u32',
  role: 'u8',
  network: 'u32',
  unit: 'u8',
  timeoutMs: 'f64',
  /** In `endpointResources`, by table and address. */
  firstResource: 'u32',
  resources: 'u32',
});

export const signalTable = new TableLayout({
  id: 'u32',
  /** Signals sorted by id. */
  byId: 'u32',
  type: 'u8',
  producer: 'u8',
  unit: 'u32',
  hasInitial: 'u8',
  initial: 'cell',
  /** Neither a constant nor computed from constants. */
  isDynamic: 'u8',
  waveform: 'u32',
  firstLabel: 'u32',
  labels: 'u32',
  /** Mappings that read it, in `readers`. */
  firstReader: 'u32',
  readers: 'u32',
  /** In `shownBindings` and in the state. */
  firstShown: 'u32',
  shown: 'u32',
});

export const labelTable = new TableLayout({ value: 'u32', label: 'u32' });

/** No validity bit. */
export const noBit = 0xffff;

/**
 * Bindings; those of one message, resource or task lie together, selectors before the bindings that they select. First
 * come those with a raw to show: sent by tasks, served, written by clients. Polled ones and those of received
 * messages follow.
 */
export const bindingTable = new TableLayout({
  /** Of shown bindings. */
  id: 'u32',
  signal: 'u32',
  codec: 'u32',
  resource: 'u32',
  /** From 1: the resource with its validity. */
  validityResource: 'u32',
  /** DBC bit number from the message's first byte. */
  start: 'u16',
  validityBit: 'u16',
  /** From 1 among the bindings of its message. */
  selector: 'u32',
  firstRange: 'u32',
  ranges: 'u32',
  /** Covered by the check of its message. */
  isChecked: 'u8',
  /** Row in `state.bindings`, if shown. */
  state: 'u32',
});

/** Raw values of a selector, inclusive. */
export const muxRangeTable = new TableLayout({ low: 'cell', high: 'cell' });

/** Codecs without duplicates. */
export const codecTable = new TableLayout({
  plugin: 'u32',
  /** E2E layout as JSON. */
  layout: 'u32',
  raw: 'u8',
  /** 0 if the plugin decides. */
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
  /** Of messages with a check. */
  id: 'u32',
  isReceived: 'u8',
  endpoint: 'u32',
  canId: 'u32',
  extended: 'u8',
  fd: 'u8',
  brs: 'u8',
  length: 'u8',
  fill: 'u8',
  /** 0: values never become stale. */
  staleUs: 'f64',
  /** From 1: its check or protection. */
  e2e: 'u32',
  firstBinding: 'u32',
  bindings: 'u32',
});

/** Checks and protections, and the bytes they cover. */
export const e2eTable = new TableLayout({ codec: 'u32', at: 'u8', length: 'u8' });

export const taskTable = new TableLayout({
  id: 'u32',
  policy: 'u8',
  mode: 'u8',
  /** 0 without a period. */
  periodMs: 'f64',
  minIntervalUs: 'f64',
  endpoint: 'u32',
  /** From 1; 0 for tasks on Modbus. */
  message: 'u32',
  firstResource: 'u32',
  resources: 'u32',
  firstBinding: 'u32',
  bindings: 'u32',
  firstFault: 'u32',
  faults: 'u32',
});

/** Fault rules by task: JSON, and the project row. */
export const faultTable = new TableLayout({ rule: 'u32', row: 'u32' });

/** A whole register. */
export const noBitOffset = 0xff;

export const resourceTable = new TableLayout({
  endpoint: 'u32',
  table: 'u8',
  address: 'u16',
  items: 'u8',
  bitOffset: 'u8',
  access: 'u8',
  /** 0: values never become stale. */
  staleUs: 'f64',
  firstBinding: 'u32',
  bindings: 'u32',
});

/** Repeated reads of units. */
export const pollTable = new TableLayout({
  endpoint: 'u32',
  table: 'u8',
  address: 'u16',
  items: 'u16',
  pollMs: 'f64',
  firstFill: 'u32',
  fills: 'u32',
});

/** Resources of a read, and their first item. */
export const pollFillTable = new TableLayout({ resource: 'u32', at: 'u16' });

/** Mappings and processors in evaluation order. */
export const mappingTable = new TableLayout({
  transform: 'u32',
  firstOperand: 'u32',
  inputs: 'u32',
  outputs: 'u32',
  /** Infinity if not checked. */
  maxSkewUs: 'f64',
  ttlUs: 'f64',
});

/** JSON of a `UsedPlugin`. */
export const pluginTable = new TableLayout({ plugin: 'u32' });

/** Row numbers of another table. */
export const listTable = new TableLayout({ number: 'u32' });

/**
 * One row: a sequence that is odd during a change, the number of changes, and whether a plugin
 * is being called.
 */
export const versionTable = new TableLayout({ sequence: 'i32', changes: 'f64', inPlugin: 'i32' });

/** Mutable state. Values and raw values have eight bytes, read by type. */
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

/** Counters of tasks. The first row is the sum, so that it is consistent. */
export const taskStateTable = new TableLayout({
  ...counterColumns,
  lastLatenessUs: 'f64',
  maxLatenessUs: 'f64',
  error: 'u8',
  errorUs: 'f64',
  /** Last refusal of the transport; 0 for none. */
  refusal: 'u8',
});

/** Measurements, one row per task and group. */
export const timingTable = new TableLayout({ count: 'f64', max: 'f64' });

/** Latest measurements of each group, as a ring. */
export const timingSampleTable = new TableLayout({ us: 'u32' });

/** Whether the check of a message fails while frames arrive. */
export const messageStateTable = new TableLayout({ failed: 'u8' });

/** Enabled flag and count of each rule. */
export const faultStateTable = new TableLayout({ enabled: 'u8', fired: 'f64' });

/** Newest fault events, a ring by sequence. */
export const keptFaultEvents = 1024;

/** Bytes per event. */
export const faultEventBytes = 64;

export const faultEventTable = new TableLayout({
  rule: 'u32',
  task: 'u32',
  effect: 'u8',
  /** Channel slot from 1; 0 if not open. */
  channel: 'u32',
  /** Bytes of the frame, from 1; 0 if none was built. */
  length: 'u8',
  firedUs: 'f64',
  /** Event id of the completion, or 0. */
  eventId: 'f64',
  /** Number of its last change. */
  change: 'f64',
});

export const faultEventDataTable = new TableLayout({ byte: 'u8' });

export const instanceStateTable = new TableLayout({
  failedTasks: 'u32',
  failedChecks: 'u32',
  /** Sequence of the newest fault event, and the number of changes. */
  newestFaultEvent: 'f64',
  faultEventChanges: 'f64',
  rejectedRemote: 'f64',
  rejectedShort: 'f64',
  rejectedE2e: 'f64',
  pollCoalesced: 'f64',
  pollMissed: 'f64',
});
