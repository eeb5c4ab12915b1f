import type { WireDirection, WireListener } from '../session/exchange.ts';

/** Bytes that went over the link at once. */
export interface WireRecord {
  readonly timestamp_us: number;
  readonly direction: WireDirection;
  /** In hex. */
  readonly data: string;
}

/** Pieces that a trace keeps: a line that chatters for long must not fill the answer. */
export const mostWireRecords = 256;

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
  take(): readonly WireRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }
}
