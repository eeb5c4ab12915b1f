import { maxFdLength } from '../frame/dlc.ts';
import { busCode, frameFlag } from '../frame/frm2-layout.ts';
import { hexDigits } from '../frame/hex-bytes.ts';
import { formatCanId } from '../frame/notation.ts';
import { channelKeyAt } from '../trace/channel-key.ts';
import { errorDetailsAt, isDeviceNotice } from '../trace/error-frames.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import type { CheckExcerptRow } from './check-record.ts';

const capacity = 4096;
/** Events that an excerpt may be apart from its middle. */
const reach = 64;
const rowsBefore = 5;
const rowsAfter = 3;

const hexOf = (bytes: Uint8Array, at: number, length: number): string => {
  let text = '';
  for (let i = at; i < at + length; i++) text += hexDigits(bytes[i] as number, 2);
  return text;
};

/** A frame in can-utils notation, or what the event is. */
export const eventText = (batch: TraceBatch, row: number): string => {
  const flags = batch.flags[row] as number;
  const id = batch.id[row] as number;
  const at = row * maxFdLength;
  if (isDeviceNotice(batch, row)) return 'device lost or returned';
  if (batch.bus[row] === busCode.lin) {
    const named: readonly (readonly [number, string])[] = [
      [frameFlag.wakeUp, 'wake-up'],
      [frameFlag.syncBreak, 'sync break'],
      [frameFlag.noResponse, `${hexDigits(id, 2)} no response`],
      [frameFlag.checksumError, `${hexDigits(id, 2)} checksum error`],
      [frameFlag.error, 'error'],
    ];
    const found = named.find(([flag]) => (flags & flag) !== 0);
    return (
      found?.[1] ?? `${hexDigits(id, 2)}#${hexOf(batch.payload, at, batch.length[row] as number)}`
    );
  }
  const isError = (flags & frameFlag.error) !== 0;
  const name = formatCanId(id, (flags & frameFlag.extended) !== 0, isError);
  if (isError) return `${name}#${hexOf(batch.payload, at, errorDetailsAt(batch, row))}`;
  if ((flags & frameFlag.remote) !== 0) return `${name}#R${batch.dlc[row]}`;
  const data = hexOf(batch.payload, at, batch.length[row] as number);
  if ((flags & frameFlag.fd) === 0) return `${name}#${data}`;
  const bits = ((flags & frameFlag.brs) === 0 ? 0 : 1) | ((flags & frameFlag.esi) === 0 ? 0 : 2);
  return `${name}##${bits}${data}`;
};

const copyColumns = (from: TraceBatch, row: number, to: TraceBatch, at: number, rows: number) => {
  const end = row + rows;
  to.timeNs.set(from.timeNs.subarray(row, end), at);
  to.id.set(from.id.subarray(row, end), at);
  to.flags.set(from.flags.subarray(row, end), at);
  to.channel.set(from.channel.subarray(row, end), at);
  to.kind.set(from.kind.subarray(row, end), at);
  to.bus.set(from.bus.subarray(row, end), at);
  to.dlc.set(from.dlc.subarray(row, end), at);
  to.length.set(from.length.subarray(row, end), at);
  to.detail.set(from.detail.subarray(row, end), at);
  const payload = from.payload.subarray(row * maxFdLength, end * maxFdLength);
  to.payload.set(payload, at * maxFdLength);
};

/** The last events, for excerpts around violations. Events have numbers from 1. */
export class EventHistory {
  /** Rows that may be added at a time, so that those around a violation remain. */
  static readonly maxRows = capacity / 4;
  /** Events after which the excerpt around an event is complete. */
  static readonly reach = reach;
  /** Events up to which an excerpt can be made later. */
  static readonly reachBack = capacity / 2;
  readonly #rows = new TraceBatch(capacity);
  readonly #ids = new Float64Array(capacity);
  hasIds = false;
  /** Number of the last event. */
  last = 0;

  /** Adds rows of a batch, at most `maxRows`, with their event ids if they have any. */
  add(batch: TraceBatch, from: number, to: number, ids: Float64Array | null): void {
    this.hasIds = ids !== null;
    for (let row = from; row < to; ) {
      const at = this.last % capacity;
      const rows = Math.min(to - row, capacity - at);
      copyColumns(batch, row, this.#rows, at, rows);
      if (ids !== null) this.#ids.set(ids.subarray(row, row + rows), at);
      row += rows;
      this.last += rows;
    }
  }

  has(number: number): boolean {
    return number > 0 && number <= this.last && number > this.last - capacity;
  }

  /** The event id, or the number of the event. */
  eventAt(number: number): number {
    return this.hasIds ? (this.#ids[(number - 1) % capacity] as number) : number;
  }

  /** The events of its channel around an event; of all channels if the key is null. */
  excerpt(middle: number, key: number | null, isViolation: boolean): CheckExcerptRow[] {
    const before: number[] = [];
    for (let number = middle - 1; before.length < rowsBefore; number--) {
      if (number < middle - reach || !this.has(number)) break;
      if (this.#isOf(number, key)) before.unshift(number);
    }
    const after: number[] = [];
    for (let number = middle + 1; after.length < rowsAfter; number++) {
      if (number > middle + reach || !this.has(number)) break;
      if (this.#isOf(number, key)) after.push(number);
    }
    const own = this.has(middle) ? [middle] : [];
    return [...before, ...own, ...after].map((number) => {
      const row = (number - 1) % capacity;
      return {
        time_us: Math.floor((this.#rows.timeNs[row] as number) / 1000),
        event: this.eventAt(number),
        channel: this.#rows.channel[row] as number,
        text: eventText(this.#rows, row),
        is_violation: isViolation && number === middle,
      };
    });
  }

  #isOf(number: number, key: number | null): boolean {
    return key === null || channelKeyAt(this.#rows, (number - 1) % capacity) === key;
  }
}
