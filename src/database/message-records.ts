import type { MessageRecord, SignalRecord } from './database-records.ts';
import type { Message, RawRange, Signal, ValueText } from './model.ts';

const rangeRecord = ({ from, to }: RawRange) => ({ from: String(from), to: String(to) });

const valueRecord = ({ raw, text }: ValueText) => ({ raw: String(raw), text });

export const signalRecord = (signal: Signal): SignalRecord => ({
  name: signal.name,
  start_bit: signal.startBit,
  length: signal.length,
  byte_order: signal.byteOrder,
  kind: signal.kind,
  factor: signal.factor,
  offset: signal.offset,
  minimum: signal.minimum,
  maximum: signal.maximum,
  unit: signal.unit,
  receivers: signal.receivers,
  is_switch: signal.isSwitch,
  multiplexing: signal.multiplexing && {
    switch: signal.multiplexing.switch,
    ranges: signal.multiplexing.ranges.map(rangeRecord),
  },
  values: signal.values.map(valueRecord),
  values_omitted: 0,
  comment: signal.comment,
});

/** A message as clients see it, with every number that may be large as text; without its signals. */
export const messageRecord = (message: Message): MessageRecord => ({
  name: message.name,
  id: message.id,
  extended: message.extended,
  pgn: message.pgn ?? null,
  fd: message.fd,
  brs: message.brs,
  length: message.length,
  senders: message.senders,
  cycle_time_ms: message.cycleTimeMs,
  comment: message.comment,
  signal_offset: 0,
  signals: [],
  signals_omitted: 0,
});
