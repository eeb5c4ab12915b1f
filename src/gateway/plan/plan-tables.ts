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
  firstBinding: 'u32',
  bindings: 'u32',
});

/** A validity bit that is not there. */
export const noBit = 0xffff;

/** Bindings of messages, those of one message together and selectors before what they select. */
export const bindingPlanTable = new TableLayout({
  signal: 'u32',
  codec: 'u32',
  /** As DBC files count, from the first byte of the message. */
  start: 'u16',
  validityBit: 'u16',
  /** From 1 among all bindings of the direction. */
  selector: 'u32',
  firstRange: 'u32',
  ranges: 'u32',
  /** From 1: the check that covers it. Sent bindings have none. */
  check: 'u32',
  /** Which of the bindings with a state it is. Received bindings have none. */
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
});

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

/** Mappings in an order in which each comes after those that it reads from. */
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
