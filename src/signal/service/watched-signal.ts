import { Type } from 'typebox';
import { named, type RecordOf } from '../../base/schema/schemas.ts';
import type { DecodeRecord } from '../../frame/decoded-frame.ts';
import { DecodedSignal } from '../../frame/event-record.ts';
import { frm2Channel, frm2EventId, frm2Id, frm2TimestampUs } from '../../frame/frm2-codec.ts';
import type { SignalFilter } from '../signal-pattern.ts';

export const WatchedSignal = named(
  'WatchedSignal',
  Type.Object({
    event_id: Type.Integer({ minimum: 0, description: 'Event that it was decoded from' }),
    timestamp_us: Type.Integer({ minimum: 0, description: 'Unix time in microseconds' }),
    channel: Type.Integer({ minimum: 0, description: 'Slot of the channel' }),
    selector: Type.String(),
    id: Type.Integer({ minimum: 0 }),
    message: Type.String(),
    ...DecodedSignal.properties,
  }),
);
export type WatchedSignal = RecordOf<typeof WatchedSignal>;

/** Values that `--changes` compares with; a bus of arbitrary identifiers must not fill memory. */
const maxCompared = 65_536;

interface SignalWatchOptions {
  readonly decode: DecodeRecord;
  readonly selectorOf: (slot: number) => string;
  readonly filter: SignalFilter;
  /** Only signals whose value differs from their last one. */
  readonly onlyChanges: boolean;
}

/** Signals of events as they arrive, by the databases of their channel. */
export class SignalWatch {
  readonly #options: SignalWatchOptions;
  readonly #last = new Map<string, string>();

  constructor(options: SignalWatchOptions) {
    this.#options = options;
  }

  signalsOf(record: DataView, at: number): WatchedSignal[] {
    const { decode, selectorOf, filter } = this.#options;
    const decoded = decode(record, at);
    if (!decoded || decoded.message === null) return [];
    const { message, signals } = decoded;
    const slot = frm2Channel(record, at);
    const id = frm2Id(record, at);
    // An identifier of 11 bits and one of 29 can be the same number.
    const place = `${slot} ${id} ${message}`;
    const wanted = signals.filter(
      (one) => filter(message, one.signal) && this.#isShown(`${place} ${one.signal}`, one.raw),
    );
    const head = {
      event_id: frm2EventId(record, at),
      timestamp_us: frm2TimestampUs(record, at),
      channel: slot,
      selector: selectorOf(slot),
      id,
      message,
    };
    return wanted.map((signal) => ({ ...head, ...signal }));
  }

  #isShown(key: string, raw: string): boolean {
    if (!this.#options.onlyChanges) return true;
    if (this.#last.get(key) === raw) return false;
    if (this.#last.size >= maxCompared) this.#last.clear();
    this.#last.set(key, raw);
    return true;
  }
}
