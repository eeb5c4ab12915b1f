import { formatHex } from '../../frame/hex-bytes.ts';
import type { WireListener } from '../session/exchange.ts';
import { mostWireRecords, type WireRecord } from './wire-record.ts';

/** Keeps the raw bytes of the exchanges that it listens to. */
export class WireTrace {
  #records: WireRecord[] = [];

  readonly listen: WireListener = (direction, bytes, unixUs) => {
    if (this.#records.length >= mostWireRecords) return;
    this.#records.push({ timestamp_us: unixUs, direction, data: formatHex(bytes) });
  };

  /** What was kept so far; the trace begins anew. */
  take(): WireRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }
}
