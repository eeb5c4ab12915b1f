import type { DatabaseMessage, DatabaseSignal } from '../../api/client.ts';

/** A default signal with the given fields. */
export const aSignal = (given: Partial<DatabaseSignal> = {}): DatabaseSignal => ({
  name: 'Speed',
  start_bit: 0,
  length: 8,
  byte_order: 'intel',
  kind: 'unsigned',
  factor: '1',
  offset: '0',
  minimum: null,
  maximum: null,
  unit: '',
  receivers: [],
  is_switch: false,
  multiplexing: null,
  values: [],
  values_omitted: 0,
  ranges: null,
  array: null,
  start_value: null,
  comment: null,
  ...given,
});

/** A message with these signals. */
export const aMessage = (
  signals: readonly DatabaseSignal[],
  length = 8,
  given: Partial<DatabaseMessage> = {},
): DatabaseMessage => ({
  name: 'Engine',
  id: 0x123,
  extended: false,
  pgn: null,
  fd: length > 8,
  brs: false,
  length,
  senders: [],
  cycle_time_ms: null,
  comment: null,
  lin: null,
  signal_offset: 0,
  signals,
  signals_omitted: 0,
  ...given,
});

export const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/[0-9A-Fa-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Makes a signal active for these multiplexer values. */
export const when = (
  name: string,
  ...ranges: (readonly [from: number, to: number])[]
): DatabaseSignal['multiplexing'] => ({
  switch: name,
  ranges: ranges.map(([from, to]) => ({ from: String(from), to: String(to) })),
});
