import { TableLayout } from '../memory/columns.ts';
import { type TaskCounter, taskCounterNames } from '../values/task-counters.ts';

/** Texts are numbers of the string pool; lists are where their rows begin and how many they are. */
export const endpointTable = new TableLayout({ id: 'u32', kind: 'u8', network: 'u32' });

export const signalTable = new TableLayout({
  id: 'u32',
  /** Which signal comes next in the order of ids, to find one by its id. */
  byId: 'u32',
  type: 'u8',
  producer: 'u8',
  unit: 'u32',
  firstLabel: 'u32',
  labels: 'u32',
  firstBinding: 'u32',
  bindings: 'u32',
});

export const labelTable = new TableLayout({ value: 'u32', label: 'u32' });

/** The bindings that are shown: those that are sent, served or written to from outside. */
export const bindingTable = new TableLayout({ id: 'u32', codec: 'u32' });

export const codecTable = new TableLayout({
  raw: 'u8',
  bitLength: 'u16',
  factor: 'f64',
  offset: 'f64',
  rawMin: 'u32',
  rawMax: 'u32',
  invalidRaw: 'u32',
  firstReserved: 'u32',
  reserved: 'u32',
});

/** Raws that mean something else than a value. */
export const reservedRawTable = new TableLayout({ raw: 'u32' });

export const taskTable = new TableLayout({
  id: 'u32',
  kind: 'u8',
  policy: 'u8',
  mode: 'u8',
  /** 0 where it has none. */
  periodMs: 'f64',
  endpoint: 'u32',
});

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

/** Messages that are received: whether their check fails while frames arrive. */
export const inputStateTable = new TableLayout({ failed: 'u8' });

/** Fault rules in the order of the plan: whether they are switched on, and how often they have fired since. */
export const faultStateTable = new TableLayout({ enabled: 'u8', fired: 'f64' });

/** Fault events kept: the newest ones, each in the row of its sequence modulo their number. */
export const keptFaultEvents = 1024;

/** Bytes that each event has room for. */
export const faultEventBytes = 64;

export const faultEventTable = new TableLayout({
  /** Index of the rule in the plan. */
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
