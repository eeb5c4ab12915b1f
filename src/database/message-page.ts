import type { MessageRecord, SignalRecord } from './database-records.ts';
import { linMessageRecord } from './lin-records.ts';
import type { Message, RawRange, ScaledRange, Signal, ValueText } from './model.ts';

const rangeRecord = ({ from, to }: RawRange) => ({ from: String(from), to: String(to) });

const valueRecord = ({ raw, text }: ValueText) => ({ raw: String(raw), text });

const scaledRecord = ({ from, to, factor, offset, unit }: ScaledRange) => ({
  from: String(from),
  to: String(to),
  factor,
  offset,
  unit,
});

const signalRecord = (signal: Signal): SignalRecord => ({
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
  ranges: signal.ranges?.map(scaledRecord) ?? null,
  array: signal.array ?? null,
  start_value: signal.initialRaw,
  values_omitted: 0,
  comment: signal.comment,
});

const messageRecord = (message: Message): MessageRecord => ({
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
  lin: linMessageRecord(message),
  signal_offset: 0,
  signals: [],
  signals_omitted: 0,
});

const encoder = new TextEncoder();

export const jsonBytes = (value: object): number => encoder.encode(JSON.stringify(value)).length;

/** Returns a signal that exceeds any response, without its large parts. */
const bareSignal = (signal: Signal): SignalRecord => ({
  ...signalRecord({ ...signal, values: [], comment: null, receivers: [] }),
  ranges: null,
  values_omitted: signal.values.length,
});

/** Messages with their signals in a response of limited size. */
export class MessagePage {
  readonly messages: MessageRecord[] = [];
  readonly #size: number;
  #room: number;

  constructor(maxBytes: number) {
    this.#size = maxBytes;
    this.#room = maxBytes;
  }

  /**
   * Adds a message with its signals from `signalOffset`, or returns false if they exceed the
   * limit. The first message is always added, with as many signals as possible, so that paging
   * makes progress.
   */
  add(message: Message, signalOffset: number): boolean {
    const isFirst = this.messages.length === 0;
    const record = messageRecord(message);
    const bytes = jsonBytes(record) + 1;
    const head = bytes > this.#size / 2 ? { ...record, comment: null, senders: [] } : record;
    const rest = message.signals.slice(signalOffset);
    const { signals, left } = this.#fitting(rest, this.#room - jsonBytes(head) - 1, isFirst);
    if (!isFirst && (left < 0 || signals.length < rest.length)) return false;
    this.#room = left;
    this.messages.push({
      ...head,
      signal_offset: signalOffset,
      signals,
      signals_omitted: rest.length - signals.length,
    });
    return true;
  }

  #fitting(rest: readonly Signal[], room: number, isForced: boolean) {
    const signals: SignalRecord[] = [];
    let left = room;
    for (const signal of rest) {
      let record = signalRecord(signal);
      let bytes = jsonBytes(record) + 1;
      if (isForced && signals.length === 0 && bytes > left) {
        record = bareSignal(signal);
        bytes = jsonBytes(record) + 1;
      } else if (bytes > left) break;
      left -= bytes;
      signals.push(record);
    }
    return { signals, left };
  }
}

/** One message, with as many of its signals as fit. */
export const wholeMessage = (message: Message, maxBytes: number): MessageRecord => {
  const page = new MessagePage(maxBytes);
  page.add(message, 0);
  return page.messages[0] as MessageRecord;
};
