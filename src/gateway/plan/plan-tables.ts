import { TableLayout } from '../memory/columns.ts';

/** Lists are where their rows begin and how many they are. Numbers of rows count from 1 where 0 is none. */
export const inputMessageTable = new TableLayout({
  endpoint: 'u32',
  canId: 'u32',
  extended: 'u8',
  length: 'u8',
  /** 0: values never grow old. */
  staleUs: 'f64',
  /** From 1. */
  check: 'u32',
  /** Where it has a check, which may fail. */
  id: 'u32',
  firstBinding: 'u32',
  bindings: 'u32',
});

/** A validity bit that is not there. */
export const noBit = 0xffff;

/**
 * Bindings, those of one message, resource or task together and selectors before what they select: first those of
 * messages, then those of resources.
 */
export const bindingPlanTable = new TableLayout({
  signal: 'u32',
  codec: 'u32',
  /** From 1: the resource that it is. Those of messages have none. */
  resource: 'u32',
  /** From 1: the resource that tells whether it is valid. */
  validityResource: 'u32',
  /** As DBC files count, from the first byte of the message. */
  start: 'u16',
  validityBit: 'u16',
  /** From 1 among all bindings of the direction. */
  selector: 'u32',
  firstRange: 'u32',
  ranges: 'u32',
  /** From 1: the check that covers it. Sent bindings have none. */
  check: 'u32',
  /** Which of the bindings with a state it is. Received ones have none, unless clients write them. */
  state: 'u32',
});

/** Raws of a selector, both ends included. */
export const muxRangeTable = new TableLayout({ low: 'cell', high: 'cell' });

/** Which codec is how; texts are JSON of what a project says. */
export const codecPlanTable = new TableLayout({ row: 'u32' });

/** Destinations, in the order of the tasks. */
export const outputPlanTable = new TableLayout({
  canId: 'u32',
  extended: 'u8',
  fd: 'u8',
  brs: 'u8',
  length: 'u8',
  fill: 'u8',
  minIntervalUs: 'f64',
  firstBinding: 'u32',
  bindings: 'u32',
  /** From 1. */
  protection: 'u32',
  firstFault: 'u32',
  faults: 'u32',
  /** What a task on Modbus writes. */
  firstResource: 'u32',
  resources: 'u32',
});

/** What endpoints are on Modbus; those on CAN are no unit's. */
export const endpointPlanTable = new TableLayout({
  role: 'u8',
  unit: 'u8',
  timeoutMs: 'f64',
  /** Its resources, by table and address. */
  firstResource: 'u32',
  resources: 'u32',
});

/** A bit offset that is not there. */
export const noBitOffset = 0xff;

export const resourcePlanTable = new TableLayout({
  endpoint: 'u32',
  table: 'u8',
  address: 'u16',
  items: 'u8',
  bitOffset: 'u8',
  access: 'u8',
  /** 0: values never grow old. */
  staleUs: 'f64',
  /** Received bindings. */
  firstBinding: 'u32',
  bindings: 'u32',
});

/** Reads of units, again and again. */
export const pollPlanTable = new TableLayout({
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

/** Protections and checks: which bytes of their message, and the codec as JSON. */
export const e2ePlanTable = new TableLayout({ codec: 'u32', at: 'u8', length: 'u8' });

/** Fault rules, those of one task together and in their own order; the rule as JSON. */
export const faultPlanTable = new TableLayout({ rule: 'u32', row: 'u32' });

export const signalPlanTable = new TableLayout({
  hasInitial: 'u8',
  initial: 'cell',
  /** Neither a constant nor made of constants alone: it has a time of observation. */
  isDynamic: 'u8',
  /** JSON. */
  waveform: 'u32',
  /** Mappings that read it. */
  firstReader: 'u32',
  readers: 'u32',
  /** Bindings that send it. */
  firstOutput: 'u32',
  outputs: 'u32',
});

/** Plugins in their order; JSON of a `PluginPlan`. */
export const pluginPlanTable = new TableLayout({ row: 'u32' });

/** Mappings and processors in an order in which each comes after those that it reads from. */
export const mappingPlanTable = new TableLayout({
  /** JSON. */
  transform: 'u32',
  firstOperand: 'u32',
  inputs: 'u32',
  /** They follow the inputs. */
  outputs: 'u32',
  /** Infinity where it is not checked. */
  maxSkewUs: 'f64',
  ttlUs: 'f64',
});

export const numberListTable = new TableLayout({ number: 'u32' });
