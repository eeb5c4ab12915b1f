import { maxFdLength } from '../../frame/dlc.ts';
import { TraceBatch } from '../trace-batch.ts';
import type { CreateTrace, OpenTrace, TraceReader, TraceStats } from '../trace-format.ts';
import { FileSink, MemorySource } from './memory-bytes.ts';

/** One row of a batch, to compare and to print. */
export interface TraceEvent {
  readonly timeNs: number;
  readonly channel: number;
  readonly kind: number;
  readonly bus: number;
  readonly id: number;
  readonly flags: number;
  readonly dlc: number;
  readonly checksum: number;
  /** Bits of `traceDetail`, if any. */
  readonly detail?: number;
  readonly data: readonly number[];
}

export const eventAt = (batch: TraceBatch, row: number): TraceEvent => {
  const detail = batch.detail[row] as number;
  const at = row * maxFdLength;
  return {
    timeNs: batch.timeNs[row] as number,
    channel: batch.channel[row] as number,
    kind: batch.kind[row] as number,
    bus: batch.bus[row] as number,
    id: batch.id[row] as number,
    flags: batch.flags[row] as number,
    dlc: batch.dlc[row] as number,
    checksum: batch.checksum[row] as number,
    ...(detail !== 0 && { detail }),
    data: [...batch.payload.subarray(at, at + (batch.length[row] as number))],
  };
};

export const putEvent = (batch: TraceBatch, event: TraceEvent): void => {
  const row = batch.count++;
  batch.timeNs[row] = event.timeNs;
  batch.channel[row] = event.channel;
  batch.kind[row] = event.kind;
  batch.bus[row] = event.bus;
  batch.id[row] = event.id;
  batch.flags[row] = event.flags;
  batch.dlc[row] = event.dlc;
  batch.checksum[row] = event.checksum;
  batch.detail[row] = event.detail ?? 0;
  batch.length[row] = event.data.length;
  // Bytes after the data must not appear in the file.
  batch.payload.fill(0xee, row * maxFdLength, (row + 1) * maxFdLength);
  batch.payload.set(event.data, row * maxFdLength);
};

export const batchOf = (events: readonly TraceEvent[]): TraceBatch => {
  const batch = new TraceBatch(Math.max(events.length, 1));
  for (const event of events) putEvent(batch, event);
  return batch;
};

/** Reads to the end with batches of this capacity, and returns the rows. */
export const restOf = (reader: TraceReader, capacity = 64): TraceEvent[] => {
  const batch = new TraceBatch(capacity);
  const events: TraceEvent[] = [];
  while (reader.read(batch)) {
    for (let row = 0; row < batch.count; row++) events.push(eventAt(batch, row));
  }
  return events;
};

export interface ReadTrace {
  readonly startUnixUs: number | null;
  readonly events: readonly TraceEvent[];
  readonly account: TraceStats;
}

export const readTrace = (
  open: OpenTrace,
  bytes: Uint8Array,
  sizes: readonly number[] = [],
  capacity = 64,
): ReadTrace => {
  const reader = open(new MemorySource(bytes, sizes));
  const events = restOf(reader, capacity);
  return { startUnixUs: reader.startUnixUs, events, account: reader.account };
};

/** Writes events in portions of the given sizes, in turn, as a whole file. */
export const writeTrace = (
  create: CreateTrace,
  startUnixUs: number,
  events: readonly TraceEvent[],
  portions: readonly number[] = [],
): Buffer => {
  const sink = new FileSink();
  const writer = create(sink, { startUnixUs, channelName: (channel) => `can${channel}` });
  const batch = batchOf(events);
  for (let from = 0, turn = 0; from < batch.count; turn++) {
    const portion = portions[turn % portions.length] ?? batch.count;
    const to = Math.min(from + portion, batch.count);
    writer.write(batch, from, to);
    from = to;
  }
  writer.end();
  return sink.bytes();
};
