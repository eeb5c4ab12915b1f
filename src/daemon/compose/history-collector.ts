import { type EventJson, eventObject } from '../../frame/event-json.ts';
import { frm2Channel, frm2PayloadLength } from '../../frame/frm2-codec.ts';
import { pageBytes } from '../../operations/limits.ts';

/** Bytes of an event in JSON beside its selector and payload, at most. */
const eventBytes = 480;

/** Gathers one page of history, as much as an answer may hold. */
export class HistoryCollector {
  readonly events: EventJson[] = [];
  readonly #epoch: number;
  readonly #selectorOf: (slot: number) => string;
  #room = pageBytes;

  constructor(epoch: number, selectorOf: (slot: number) => string) {
    this.#epoch = epoch;
    this.#selectorOf = selectorOf;
  }

  /** Takes the record at that offset; false if the page has no room for it. */
  take(record: DataView, at: number): boolean {
    const selector = this.#selectorOf(frm2Channel(record, at));
    const bytes = eventBytes + selector.length + 2 * frm2PayloadLength(record, at);
    if (bytes > this.#room) return false;
    this.#room -= bytes;
    this.events.push({ ...eventObject(record, at, selector), stream_epoch: this.#epoch });
    return true;
  }
}
