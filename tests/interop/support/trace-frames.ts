import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { dlcToLength, lengthToDlc } from '../../../src/frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { countErrorFrames } from '../../../src/trace/error-frames.ts';
import { openTrace } from '../../../src/trace/open-trace.ts';
import { TraceBatch } from '../../../src/trace/trace-batch.ts';
import type { ByteSink, CreateTrace, TraceStats } from '../../../src/trace/trace-format.ts';

/**
 * A frame with the fields that every tool has. Times are microseconds since the first frame.
 */
export interface PlainFrame {
  readonly time: number;
  /** From 1. */
  readonly channel: number;
  readonly id: number;
  readonly extended: boolean;
  readonly remote: boolean;
  readonly error: boolean;
  readonly fd: boolean;
  readonly brs: boolean;
  readonly esi: boolean;
  /** Its data bytes, or the DLC of a remote frame. */
  readonly length: number;
  readonly data: string;
  readonly rx: boolean;
  /** Number of error frames that this one represents; default 1. */
  readonly errors?: number;
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

const firstFrame: PlainFrame = {
  time: 0,
  channel: 1,
  id: 0x123,
  extended: false,
  remote: false,
  error: false,
  fd: false,
  brs: false,
  esi: false,
  length: 2,
  data: 'CAFE',
  rx: true,
};

const busError = 0x80;

const kinds = fc.constantFrom('data', 'data', 'data', 'fd', 'fd', 'remote', 'error');

const frame = (time: number) =>
  fc
    .record({
      kind: kinds,
      channel: fc.integer({ min: 1, max: 3 }),
      extended: fc.boolean(),
      id: fc.nat({ max: 0x1fff_ffff }),
      brs: fc.boolean(),
      esi: fc.boolean(),
      dlc: fc.integer({ min: 0, max: 15 }),
      bytes: fc.uint8Array({ minLength: 64, maxLength: 64 }),
      rx: fc.boolean(),
    })
    .map(({ kind, channel, extended, id, brs, esi, dlc, bytes, rx }): PlainFrame => {
      const [fd, error, remote] = [kind === 'fd', kind === 'error', kind === 'remote'];
      const code = fd ? dlc : error ? 0 : dlc % 9;
      const length = remote || error ? 0 : dlcToLength(code, fd);
      return {
        time,
        channel,
        // python-can recognises only this kind of error as an error frame.
        id: error ? busError : extended ? id : id & 0x7ff,
        extended: extended && !error,
        remote,
        error,
        fd,
        brs: fd && brs,
        esi: fd && esi,
        length: remote ? code : length,
        data: hexOf(bytes.subarray(0, length)),
        rx: error || rx,
      };
    });

/** Deterministic frames, after one that every tool accepts as the first of a file. */
export const randomFrames = (count: number): PlainFrame[] => {
  const times = Array.from({ length: count }, (_, i) => frame(i * 137));
  const [frames = []] = fc.sample(fc.tuple(...times), { seed: 7, numRuns: 1 });
  return frames.with(0, { ...firstFrame, time: 0 });
};

const flagsOf = (of: PlainFrame): number =>
  (of.extended ? frameFlag.extended : 0) |
  (of.remote ? frameFlag.remote : 0) |
  (of.error ? frameFlag.error : 0) |
  (of.fd ? frameFlag.fd : 0) |
  (of.brs ? frameFlag.brs : 0) |
  (of.esi ? frameFlag.esi : 0);

const batchOf = (frames: readonly PlainFrame[]): TraceBatch => {
  const batch = new TraceBatch(frames.length);
  frames.forEach((one, row) => {
    const data = Buffer.from(one.data, 'hex');
    batch.timeNs[row] = one.time * 1000;
    batch.channel[row] = one.channel;
    batch.id[row] = one.id;
    batch.flags[row] = flagsOf(one);
    batch.kind[row] = one.rx ? eventKindCode.rx_frame : eventKindCode.tx_complete;
    batch.bus[row] = one.fd ? busCode.canfd : busCode.can;
    batch.dlc[row] = lengthToDlc(one.length, one.fd);
    batch.length[row] = data.length;
    batch.payload.set(data, row * 64);
    if (one.errors !== undefined) countErrorFrames(batch, row, one.errors);
  });
  batch.count = frames.length;
  return batch;
};

/** Writes a trace as the product does. */
export const writeTrace = (
  path: string,
  create: CreateTrace,
  frames: readonly PlainFrame[],
): void => {
  const descriptor = openSync(path, 'w');
  const sink: ByteSink = {
    write: (bytes) => void writeSync(descriptor, bytes),
    rewrite: (at, bytes) => void writeSync(descriptor, bytes, 0, bytes.length, at),
  };
  try {
    const writer = create(sink, {
      startUnixUs: 1_700_000_000_000_000,
      channelName: (channel) => `can${channel - 1}`,
    });
    const batch = batchOf(frames);
    writer.write(batch, 0, batch.count);
    writer.end();
  } finally {
    closeSync(descriptor);
  }
};

const frameAt = (batch: TraceBatch, row: number, startNs: number): PlainFrame => {
  const flags = batch.flags[row] as number;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const from = row * 64;
  return {
    time: Math.round(((batch.timeNs[row] as number) - startNs) / 1000),
    channel: batch.channel[row] as number,
    id: batch.id[row] as number,
    extended: has(frameFlag.extended),
    remote: has(frameFlag.remote),
    error: has(frameFlag.error),
    fd: has(frameFlag.fd),
    brs: has(frameFlag.brs),
    esi: has(frameFlag.esi),
    length: dlcToLength(batch.dlc[row] as number, has(frameFlag.fd)),
    data: hexOf(batch.payload.subarray(from, from + (batch.length[row] as number))),
    rx: batch.kind[row] === eventKindCode.rx_frame,
  };
};

interface ReadTrace {
  readonly frames: PlainFrame[];
  /** Unix time of the first of them. */
  readonly firstUnixUs: number;
  readonly account: TraceStats;
  /** The channel name in the file, by number. */
  readonly names: ReadonlyMap<number, string>;
}

/** Reads a trace as the product does. */
export const readTrace = (path: string): ReadTrace => {
  const descriptor = openSync(path, 'r');
  try {
    const reader = openTrace({ size: null, read: (into) => readSync(descriptor, into) });
    const batch = new TraceBatch(1024);
    const frames: PlainFrame[] = [];
    let startNs: number | undefined;
    while (reader.read(batch)) {
      for (let row = 0; row < batch.count; row++) {
        startNs ??= batch.timeNs[row] as number;
        frames.push(frameAt(batch, row, startNs));
      }
    }
    return {
      frames,
      firstUnixUs: (reader.startUnixUs ?? Number.NaN) + Math.round((startNs ?? 0) / 1000),
      account: reader.account,
      names: reader.channelNames ?? new Map(),
    };
  } finally {
    closeSync(descriptor);
  }
};
