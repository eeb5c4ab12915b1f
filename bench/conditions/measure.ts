/**
 * Evaluates conditions over a BLF file. Usage: measure.mjs write <file> <frames>, or
 * measure.mjs read <file> <conditions>, or measure.mjs allocate. Times are processor time.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { compileCondition } from '../../src/condition/compile-condition.ts';
import { databaseForConditions } from '../../src/condition/condition-context.ts';
import { ConditionRun } from '../../src/condition/condition-run.ts';
import { parseCondition } from '../../src/condition/parse-condition.ts';
import { traceContext } from '../../src/condition/trace-context.ts';
import { readDbc } from '../../src/database/dbc/read-dbc.ts';
import { busCode, eventKindCode } from '../../src/frame/frm2-layout.ts';
import { createBlf } from '../../src/trace/blf/create-blf.ts';
import { readBlf } from '../../src/trace/blf/read-blf.ts';
import { TraceBatch } from '../../src/trace/trace-batch.ts';

/** The peer has the same, in the same order. */
const conditions = [
  'signal Engine.Speed > 3000',
  'frame 123 data ??FF',
  'change Engine.Gear',
  'silence 130 20ms',
  'frame 120-12F and signal Engine.Speed > 3000',
  'error',
  'frame 140 within 500us of frame 141',
  'signal Brake.Pressure <= 10 and not signal Engine.Gear = 0',
  'frame 150:7F0',
  'change Brake.Pressure or frame 160',
];

const dbc = `VERSION ""
BU_: N
BO_ 256 Engine: 8 N
 SG_ Speed : 0|16@1+ (0.25,0) [0|16383] "rpm" N
 SG_ Gear : 16|4@1+ (1,0) [0|15] "" N
BO_ 257 Brake: 8 N
 SG_ Pressure : 7|12@0+ (0.1,0) [0|409] "bar" N
`;

const batchRows = 4096;
const data = 8;

let state = 1;
const random = (limit: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

/** A classic bus: 128 identifiers from 0x100, a frame every 100 µs, values that change now and then. */
const fill = (batch: TraceBatch, from: number): void => {
  for (let row = 0; row < batch.capacity; row++) {
    batch.timeNs[row] = (from + row) * 100_000;
    batch.channel[row] = 1;
    batch.kind[row] = eventKindCode.rx_frame;
    batch.bus[row] = busCode.can;
    batch.id[row] = 0x100 + random(128);
    batch.flags[row] = 0;
    batch.dlc[row] = data;
    batch.length[row] = data;
    for (let i = 0; i < data; i++) batch.payload[row * 64 + i] = random(256);
  }
};

const write = (path: string, frames: number): void => {
  const file = openSync(path, 'w');
  const writer = createBlf(
    {
      write: (bytes) => void writeSync(file, bytes),
      rewrite: (at, bytes) => void writeSync(file, bytes, 0, bytes.length, at),
    },
    { startUnixUs: Date.UTC(2026, 0, 15, 12) * 1000, channelName: () => null },
  );
  const batch = new TraceBatch(batchRows);
  for (let done = 0; done < frames; done += batchRows) {
    fill(batch, done);
    writer.write(batch, 0, Math.min(batchRows, frames - done));
  }
  writer.end();
  closeSync(file);
};

const runOf = (count: number): ConditionRun => {
  const { database } = readDbc(new TextEncoder().encode(dbc));
  const own = { channel: null, database: databaseForConditions('bench', database) };
  const context = traceContext([own], { startUnixUs: null });
  const compiled = conditions
    .slice(0, count)
    .map((text) => compileCondition(parseCondition(text, 'when'), 'when', context));
  return new ConditionRun(context, compiled);
};

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const read = (path: string, count: number): object => {
  const file = openSync(path, 'r');
  const fired = new Array<number>(count).fill(0);
  const begin = cpuSeconds();
  const reader = readBlf({ size: null, read: (into) => readSync(file, into) });
  const run = runOf(count);
  const batch = new TraceBatch(batchRows);
  let frames = 0;
  for (let hasMore = true; hasMore; ) {
    hasMore = reader.read(batch);
    frames += batch.count;
    for (let row = 0; count > 0 && row < batch.count; row++) {
      if (!run.row(batch, row)) continue;
      for (let index = 0; index < count; index++) {
        if (run.fired(index)) fired[index] = (fired[index] as number) + 1;
      }
    }
  }
  const seconds = cpuSeconds() - begin;
  closeSync(file);
  return { frames, seconds, fired };
};

/** Nanoseconds and bytes allocated for each row in memory, once V8 has compiled the code. */
const allocate = (): object => {
  const batches = Array.from({ length: 64 }, (_, index) => {
    const batch = new TraceBatch(batchRows);
    fill(batch, index * batchRows);
    return batch;
  });
  const rows = batches.length * batchRows;
  const results = [1, conditions.length].map((count) => {
    const run = runOf(count);
    let fired = 0;
    let passes = 0;
    const pass = (): void => {
      const startNs = passes * rows * 100_000;
      passes += 1;
      for (const [index, batch] of batches.entries()) {
        const firstNs = startNs + index * batchRows * 100_000;
        for (let row = 0; row < batchRows; row++) batch.timeNs[row] = firstNs + row * 100_000;
        for (let row = 0; row < batchRows; row++) if (run.row(batch, row)) fired += 1;
      }
    };
    for (let round = 0; round < 8; round++) pass();
    globalThis.gc?.();
    pass();
    globalThis.gc?.();
    const heap = process.memoryUsage().heapUsed;
    const begin = process.hrtime.bigint();
    pass();
    const ns = Number(process.hrtime.bigint() - begin) / rows;
    const bytes = (process.memoryUsage().heapUsed - heap) / rows;
    return { count, fired, ns, bytes };
  });
  return results;
};

const [mode, path = '', number = ''] = process.argv.slice(2);
if (mode === 'write') write(path, Number(number));
else console.log(JSON.stringify(mode === 'read' ? read(path, Number(number)) : allocate()));
