/**
 * `measure write <dbc> <trace> <frames>` writes a database of 1,000 signals and a trace of its
 * messages; `measure decode <dbc> <trace> <output> [wide|<times>]` decodes it, or as many copies
 * one after another, and prints processor time and memory.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { extname } from 'node:path';
import { readDbc } from '../../src/database/dbc/read-dbc.ts';
import { busCode } from '../../src/frame/frm2-layout.ts';
import { tableFormatOf } from '../../src/table/service/decode-request.ts';
import { TraceDecode } from '../../src/table/service/decode-trace.ts';
import { createAsc } from '../../src/trace/asc/asc-writer.ts';
import { createBlf } from '../../src/trace/blf/create-blf.ts';
import { createMf4 } from '../../src/trace/mf4/create-mf4.ts';
import { openTrace } from '../../src/trace/open-trace.ts';
import { TraceBatch } from '../../src/trace/trace-batch.ts';
import type { TraceReader } from '../../src/trace/trace-format.ts';

const [mode = '', dbc = '', trace = '', target = '', shape = ''] = process.argv.slice(2);
const messages = 125;
const firstId = 0x100;

/** Eight signals of a message: lengths, scales, units and labels as vehicles have them. */
const signals = [
  'SG_ Speed : 0|16@1+ (0.01,0) [0|655.35] "km/h" N',
  'SG_ Torque : 16|12@1- (0.5,0) [-1024|1023.5] "Nm" N',
  'SG_ Gear : 28|4@1+ (1,0) [0|15] "" N',
  'SG_ Temp : 32|8@1+ (1,-40) [-40|215] "degC" N',
  'SG_ Pressure : 47|10@0+ (0.25,0) [0|255.75] "kPa" N',
  'SG_ State : 50|2@1+ (1,0) [0|3] "" N',
  'SG_ Counter : 56|4@1+ (1,0) [0|15] "" N',
  'SG_ Flag : 60|1@1+ (1,0) [0|1] "" N',
];

const database = (): string =>
  [
    'VERSION ""',
    'BU_: N',
    ...Array.from({ length: messages }, (_, index) =>
      [
        `BO_ ${firstId + index} Message${index}: 8 N`,
        ...signals.map((signal) => ` ${signal.replace(/SG_ (\w+)/, `SG_ $1${index}`)}`),
      ].join('\n'),
    ),
    ...Array.from(
      { length: messages },
      (_, index) => `VAL_ ${firstId + index} State${index} 0 "Off" 1 "On" 2 "Error" 3 "Invalid" ;`,
    ),
    '',
  ].join('\n');

let state = 1;
const random = (limit: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

const batchRows = 4096;

const write = (frames: number): void => {
  writeFileSync(dbc, database());
  const file = openSync(trace, 'w');
  const sink = {
    write: (bytes: Uint8Array) => void writeSync(file, bytes),
    rewrite: (at: number, bytes: Uint8Array) => void writeSync(file, bytes, 0, bytes.length, at),
  };
  const create = { '.blf': createBlf, '.mf4': createMf4 }[extname(trace)] ?? createAsc;
  const writer = create(sink, {
    startUnixUs: Date.UTC(2026, 0, 15) * 1000,
    channelName: () => null,
  });
  const batch = new TraceBatch(batchRows);
  const bytes = Array.from({ length: messages }, () =>
    Array.from({ length: 8 }, () => random(256)),
  );
  for (let done = 0; done < frames; done += batchRows) {
    const count = Math.min(batchRows, frames - done);
    for (let row = 0; row < count; row++) {
      const message = random(messages);
      const data = bytes[message] as number[];
      // Values of a vehicle move a little from frame to frame.
      data[random(8)] = random(256);
      batch.timeNs[row] = (done + row) * 137_000;
      batch.channel[row] = 1;
      batch.kind[row] = 1;
      batch.bus[row] = busCode.can;
      batch.id[row] = firstId + message;
      batch.dlc[row] = 8;
      batch.length[row] = 8;
      batch.payload.set(data, row * 64);
    }
    batch.count = count;
    writer.write(batch, 0, count);
  }
  writer.end();
  closeSync(file);
};

const openFile = (): TraceReader => {
  const input = openSync(trace, 'r');
  const { size } = fstatSync(input);
  return openTrace({
    size,
    read: (into) => {
      const read = readSync(input, into);
      if (read === 0) closeSync(input);
      return read;
    },
    readAt: (into, at) => readSync(input, into, 0, into.length, at),
  });
};

const peaks: number[] = [];
/** The kernel's peak of a process begins with that of its parent; this one does not. */
const peakBytes = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1024;

/** A trace of copies of the file, one after another. */
const copies = (times: number): TraceReader => {
  let reader = openFile();
  let left = times;
  let startNs = 0;
  let endNs = 0;
  return {
    format: reader.format,
    startUnixUs: reader.startUnixUs,
    ...(reader.channelNames && { channelNames: reader.channelNames }),
    get account() {
      return reader.account;
    },
    get position() {
      return reader.position;
    },
    read: (batch) => {
      const hasMore = reader.read(batch);
      for (let row = 0; row < batch.count; row++) {
        endNs = startNs + (batch.timeNs[row] as number);
        batch.timeNs[row] = endNs;
      }
      if (hasMore) return true;
      peaks.push(peakBytes());
      if (--left === 0) return false;
      reader = openFile();
      startNs = endNs + 1000;
      return true;
    },
  };
};

const decode = (): void => {
  const output = openSync(target, 'w');
  const startUs = process.cpuUsage();
  const started = process.hrtime.bigint();
  const work = new TraceDecode({
    file: trace,
    output: target,
    reader: copies(Number(shape) || 1),
    settings: {
      format: tableFormatOf(target === '/dev/null' ? 'null.csv' : target),
      databases: [{ name: dbc, channel: null, database: readDbc(readFileSync(dbc)).database }],
      signals: null,
      wide: shape === 'wide',
      everyUs: null,
    },
    limits: { from: null, to: null },
    write: (bytes) => void writeSync(output, bytes),
  });
  const steps = work.run();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { user, system } = process.cpuUsage(startUs);
  closeSync(output);
  const { read, rows, samples, bytes } = step.value;
  console.log(
    JSON.stringify({
      frames: read,
      rows,
      samples,
      bytes,
      seconds: (user + system) / 1e6,
      elapsed: Number(process.hrtime.bigint() - started) / 1e9,
      peaks,
      peakBytes: peakBytes(),
    }),
  );
};

if (mode === 'write') write(Number(target));
else decode();
