import type { Message, RawRange, Signal, ValueText } from './model.ts';

export interface SignalRecord {
  readonly name: string;
  readonly start_bit: number;
  readonly length: number;
  readonly byte_order: Signal['byteOrder'];
  readonly kind: Signal['kind'];
  readonly factor: string;
  readonly offset: string;
  readonly minimum: string | null;
  readonly maximum: string | null;
  readonly unit: string;
  readonly receivers: readonly string[];
  readonly is_switch: boolean;
  readonly multiplexing: {
    readonly switch: string;
    readonly ranges: readonly { readonly from: string; readonly to: string }[];
  } | null;
  readonly values: readonly { readonly raw: string; readonly text: string }[];
  /** Values that are left out because no answer has room for them. */
  readonly values_omitted: number;
  readonly comment: string | null;
}

export interface MessageRecord {
  readonly name: string;
  readonly id: number;
  readonly extended: boolean;
  readonly pgn: number | null;
  readonly fd: boolean;
  readonly brs: boolean;
  readonly length: number;
  readonly senders: readonly string[];
  readonly cycle_time_ms: number | null;
  readonly comment: string | null;
  /** Place of the first signal shown. */
  readonly signal_offset: number;
  readonly signals: readonly SignalRecord[];
  /** Signals behind those shown, which the answer has no room for. */
  readonly signals_omitted: number;
}

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
