import { formatHex } from '../../frame/hex-bytes.ts';
import type { WireListener } from '../session/exchange.ts';
import { maxWireRecords, type WireRecord } from './wire-record.ts';

export class WireTrace {
  #records: WireRecord[] = [];

  readonly listen: WireListener = (direction, bytes, unixUs) => {
    if (this.#records.length >= maxWireRecords) return;
    this.#records.push({ timestamp_us: unixUs, direction, data: formatHex(bytes) });
  };

  take(): WireRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }
}
