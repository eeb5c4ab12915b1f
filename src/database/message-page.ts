import type { MessageRecord, SignalRecord } from './database-records.ts';
import { messageRecord, signalRecord } from './message-records.ts';
import type { Message, Signal } from './model.ts';

const encoder = new TextEncoder();

/** Bytes that something takes in JSON. */
export const jsonBytes = (value: object): number => encoder.encode(JSON.stringify(value)).length;

/** A signal that no answer has room for, without what takes it. */
const bareSignal = (signal: Signal): SignalRecord => ({
  ...signalRecord({ ...signal, values: [], comment: null, receivers: [] }),
  values_omitted: signal.values.length,
});

/** Messages of a database in an answer of limited size. */
export class MessagePage {
  readonly messages: MessageRecord[] = [];
  readonly #size: number;
  #room: number;

  constructor(maxBytes: number) {
    this.#size = maxBytes;
    this.#room = maxBytes;
  }

  /**
   * Adds a message with its signals from a place on; false if there is no room for them. The first
   * one is added in any case, with as many signals as there is room for, so that paging gets on.
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
