import type { WireListener } from '../session/exchange.ts';
import { mostWireRecords, type WireRecord } from './wire-record.ts';

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex').toUpperCase();

/** Keeps the raw bytes of the exchanges that it listens to. */
export class WireTrace {
  #records: WireRecord[] = [];

  readonly listen: WireListener = (direction, bytes, unixUs) => {
    if (this.#records.length >= mostWireRecords) return;
    this.#records.push({ timestamp_us: unixUs, direction, data: hexOf(bytes) });
  };

  /** What was kept so far; the trace begins anew. */
  take(): WireRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }
}
