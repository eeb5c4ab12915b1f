import { TableLayout } from '../memory/columns.ts';
import { type TaskCounter, taskCounterNames } from '../values/task-counters.ts';

/**
 * The tables of an image. Texts are numbers of the string pool. Lists are given by their first row and their length.
 * References count from 0, or from 1 where 0 means none.
 */
export const endpointTable = new TableLayout({
  id: 'u32',
  role: 'u8',
  network: 'u32',
  /** Of Modbus endpoints, as is all that follows. */
  unit: 'u8',
  timeoutMs: 'f64',
  /** In `endpointResources`, by table and address. */
  firstResource: 'u32',
  resources: 'u32',
});

export const signalTable = new TableLayout({
  id: 'u32',
  /** The signals in the order of their ids, for lookups. */
  byId: 'u32',
  type: 'u8',
  producer: 'u8',
  unit: 'u32',
  hasInitial: 'u8',
  initial: 'cell',
  /** Neither a constant nor computed from constants alone: it has a time of observation. */
  isDynamic: 'u8',
  /** JSON. */
  waveform: 'u32',
  firstLabel: 'u32',
  labels: 'u32',
  /** Mappings that read it, in `readers`. */
  firstReader: 'u32',
  readers: 'u32',
  /** Bindings that are shown, in `shownBindings` and in the state. */
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
  /** Of those that are shown. */
  id: 'u32',
  signal: 'u32',
  codec: 'u32',
  /** From 1; those of messages have none. */
  resource: 'u32',
  /** From 1: the resource that says whether it is valid. */
  validityResource: 'u32',
  /** As DBC files count, from the first byte of the message. */
  start: 'u16',
  validityBit: 'u16',
  /** From 1 among the bindings of its message. */
  selector: 'u32',
  firstRange: 'u32',
  ranges: 'u32',
  /** The check of its message covers it. */
  isChecked: 'u8',
  /** Row in `state.bindings`, where it is shown. */
  state: 'u32',
});

/** Raws of a selector, both ends included. */
export const muxRangeTable = new TableLayout({ low: 'cell', high: 'cell' });

/** Codecs that differ in more than their name. */
export const codecTable = new TableLayout({
  /** Of native codecs. */
  plugin: 'u32',
  /** JSON of the layout of an E2E codec. */
  layout: 'u32',
  raw: 'u8',
  /** 0 where the plugin says it. */
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
  /** Where a check may fail. */
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

/** Checks and protections, and which bytes of the message they cover. */
export const e2eTable = new TableLayout({ codec: 'u32', at: 'u8', length: 'u8' });

export const taskTable = new TableLayout({
  id: 'u32',
  policy: 'u8',
  mode: 'u8',
  /** 0 where it has none. */
  periodMs: 'f64',
  minIntervalUs: 'f64',
  endpoint: 'u32',
  /** From 1; tasks on Modbus have none. */
  message: 'u32',
  /** In `taskResources`. */
  firstResource: 'u32',
  resources: 'u32',
  firstBinding: 'u32',
  bindings: 'u32',
  firstFault: 'u32',
  faults: 'u32',
});

/** Fault rules, those of one task together: JSON, and the row in the project. */
export const faultTable = new TableLayout({ rule: 'u32', row: 'u32' });

/** No bit of a register, but all of it. */
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

/** Reads of units that are repeated. */
export const pollTable = new TableLayout({
  endpoint: 'u32',
  table: 'u8',
  address: 'u16',
  items: 'u16',
  pollMs: 'f64',
  firstFill: 'u32',
  fills: 'u32',
});

/** Resources that a read fills, and the first of its items that is theirs. */
export const pollFillTable = new TableLayout({ resource: 'u32', at: 'u16' });

/** Mappings and processors, each after those that it reads from. */
export const mappingTable = new TableLayout({
  /** JSON. */
  transform: 'u32',
  /** In `operands`: inputs, then outputs. */
  firstOperand: 'u32',
  inputs: 'u32',
  outputs: 'u32',
  /** Infinity where it is not checked. */
  maxSkewUs: 'f64',
  ttlUs: 'f64',
});

/** JSON of a `UsedPlugin`. */
export const pluginTable = new TableLayout({ plugin: 'u32' });

/** Numbers of rows of another table. */
export const listTable = new TableLayout({ number: 'u32' });

/**
 * One row: a number that is odd while the state is being changed, how often it was changed, and whether a plugin is
 * being called meanwhile.
 */
export const versionTable = new TableLayout({ sequence: 'i32', changes: 'f64', inPlugin: 'i32' });

/** What changes while an instance is there. Values and raws are eight bytes, read as their type says. */
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

/** What tasks came to. The first row is the sum over all, so that it is of the same moment as any of them. */
export const taskStateTable = new TableLayout({
  ...counterColumns,
  lastLatenessUs: 'f64',
  maxLatenessUs: 'f64',
  /** Number of the error; 0 is none. */
  error: 'u8',
  /** Unix time. */
  errorUs: 'f64',
  /** Number of the error that the transport last refused a frame with; 0 is none. */
  refusal: 'u8',
});

/** Measurements of tasks, one row for each group of each of them. */
export const timingTable = new TableLayout({ count: 'f64', max: 'f64' });

/** The latest measurements of each group, the newest in the place of the oldest. */
export const timingSampleTable = new TableLayout({ us: 'u32' });

/** Messages: whether their check fails while frames arrive. */
export const messageStateTable = new TableLayout({ failed: 'u8' });

/** Fault rules: whether they are switched on, and how often they have fired since. */
export const faultStateTable = new TableLayout({ enabled: 'u8', fired: 'f64' });

/** Fault events kept: the newest ones, each in the row of its sequence modulo their number. */
export const keptFaultEvents = 1024;

/** Bytes that each event has room for. */
export const faultEventBytes = 64;

export const faultEventTable = new TableLayout({
  rule: 'u32',
  task: 'u32',
  effect: 'u8',
  /** Slot of the channel, from 1; 0 if it was not open. */
  channel: 'u32',
  /** Bytes of the frame, from 1; 0 if none was built. */
  length: 'u8',
  /** Unix time. */
  firedUs: 'f64',
  /** Event id of the completion; 0 if there is none. */
  eventId: 'f64',
  /** How many changes of events there had been after its last one. */
  change: 'f64',
});

/** Their frames. */
export const faultEventDataTable = new TableLayout({ byte: 'u8' });

/** One row. */
export const instanceStateTable = new TableLayout({
  failedTasks: 'u32',
  failedChecks: 'u32',
  /** Sequence of the newest fault event, and how often events were added or completed. */
  newestFaultEvent: 'f64',
  faultEventChanges: 'f64',
  rejectedRemote: 'f64',
  rejectedShort: 'f64',
  rejectedE2e: 'f64',
  pollCoalesced: 'f64',
  pollMissed: 'f64',
});
