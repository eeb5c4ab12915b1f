/**
 * `measure write <folder> <frames>` writes a database, checks and a trace, `trace.blf`;
 * `measure check <folder>` checks it in this thread, and prints processor time and verdicts.
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
import { join } from 'node:path';
import type { CheckEntry } from '../../src/check/check-file.ts';
import { checkSetup } from '../../src/check/service/check-setup.ts';
import { TraceCheck } from '../../src/check/service/trace-check.ts';
import { busCode } from '../../src/frame/frm2-layout.ts';
import { createBlf } from '../../src/trace/blf/create-blf.ts';
import { openTrace } from '../../src/trace/open-trace.ts';
import { TraceBatch } from '../../src/trace/trace-batch.ts';

const [mode = '', folder = '', wanted = ''] = process.argv.slice(2);
const trace = join(folder, 'trace.blf');

/** Each message every 2 ms; the last two are a request and its answer. */
const messages = 20;
const firstId = 0x100;
const tickNs = 100_000;
const counterMax = 14;

const database = (): string =>
  [
    'VERSION ""',
    'BU_: N',
    ...Array.from({ length: messages - 2 }, (_, index) =>
      [
        `BO_ ${firstId + index} Message${index}: ${index % 5 === 4 ? 64 : 8} N`,
        ' SG_ Checksum : 0|8@1+ (1,0) [0|255] "" N',
        ' SG_ Counter : 8|4@1+ (1,0) [0|15] "" N',
        ' SG_ Speed : 16|16@1+ (0.01,0) [0|655.35] "km/h" N',
        ' SG_ Torque : 32|12@1- (0.5,0) [-1024|1023.5] "Nm" N',
      ].join('\n'),
    ),
    '',
  ].join('\n');

const codec: CheckEntry['codec'] = {
  profile: 'free',
  counter: { start_bit: 8, bit_length: 4, byte_order: 'intel', max: String(counterMax) },
  checksum: { start_bit: 0, bit_length: 8, byte_order: 'intel', algorithm: 'xor8' },
};

const checks: readonly CheckEntry[] = [
  ...[0, 1, 2, 3, 4, 5].map((index) => ({ check: `cycle Message${index} 2ms +-10%` })),
  ...[6, 7, 8].map((index) => ({ check: `counter Message${index}.Counter max ${counterMax}` })),
  ...[9, 10].map((index) => ({ check: `e2e Message${index}`, codec })),
  ...[11, 12, 13].map((index) => ({ check: `value Message${index}.Speed in 0..655.35` })),
  { check: 'never signal Message14.Torque > 1023' },
  { check: 'never silence 10F 20ms' },
  { check: 'answer 7E0#0322 with 7E8#??62 within 5ms' },
  { check: 'order Message16 then Message17 within 1ms' },
  { check: 'load < 95%' },
  { check: 'never gap' },
];

const fill = (batch: TraceBatch, first: number, frames: number): void => {
  batch.clear();
  for (let row = 0; row < batch.capacity && first + row < frames; row++) {
    const at = first + row;
    const message = at % messages;
    const round = (at - message) / messages;
    const isFd = message % 5 === 4 && message < messages - 2;
    const length = isFd ? 64 : 8;
    const place = 64 * row;
    batch.timeNs[row] = at * tickNs;
    batch.channel[row] = 1;
    batch.kind[row] = 1;
    batch.bus[row] = isFd ? busCode.canfd : busCode.can;
    batch.flags[row] = isFd ? 12 : 0;
    batch.id[row] = message < messages - 2 ? firstId + message : message === 18 ? 0x7e0 : 0x7e8;
    batch.dlc[row] = isFd ? 15 : 8;
    batch.length[row] = length;
    for (let i = 1; i < length; i++) batch.payload[place + i] = (round * 7 + i * 13) >> (i & 3);
    batch.payload[place + 1] = round % (counterMax + 1);
    batch.payload[place + 5] = 0;
    let checksum = 0;
    for (let i = 1; i < length; i++) checksum ^= batch.payload[place + i] as number;
    batch.payload[place] = checksum;
    if (message === 18) batch.payload.set([3, 0x22, 0xf1, 0x90], place);
    if (message === 19) batch.payload.set([4, 0x62, 0xf1, 0x90], place);
    batch.count++;
  }
};

const write = (frames: number): void => {
  writeFileSync(join(folder, 'bench.dbc'), database());
  writeFileSync(join(folder, 'bench.checks.json'), JSON.stringify({ checks }));
  const file = openSync(trace, 'w');
  const writer = createBlf(
    {
      write: (bytes) => void writeSync(file, bytes),
      rewrite: (at, bytes) => void writeSync(file, bytes, 0, bytes.length, at),
    },
    { startUnixUs: Date.UTC(2026, 0, 15) * 1000, channelName: () => null },
  );
  const batch = new TraceBatch(4096);
  for (let first = 0; first < frames; first += batch.capacity) {
    fill(batch, first, frames);
    writer.write(batch, 0, batch.count);
  }
  writer.end();
  closeSync(file);
};

const check = (): void => {
  const setup = checkSetup(
    {
      file: 'bench.checks.json',
      checks: [],
      databases: [{ file: 'bench.dbc' }],
      bitrates: ['2M/8M'],
    },
    {
      checkFile: (name) => readFileSync(join(folder, name)),
      database: (name) => readFileSync(join(folder, name)),
    },
  );
  const input = openSync(trace, 'r');
  const source = {
    size: fstatSync(input).size,
    read: (into: Uint8Array) => readSync(input, into),
    readAt: (into: Uint8Array, at: number) => readSync(input, into, 0, into.length, at),
  };
  const start = process.cpuUsage();
  const steps = new TraceCheck({ file: trace, source, reader: openTrace(source), setup }).run();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { user, system } = process.cpuUsage(start);
  const { verdict, events, checks: results } = step.value;
  const open = results.filter((result) => result.verdict !== 'passed');
  const reasons = open.map(({ check: text, reason }) => `${text}: ${reason}`);
  console.log(JSON.stringify({ verdict, frames: events, seconds: (user + system) / 1e6, reasons }));
};

if (mode === 'write') write(Number(wanted));
else check();
