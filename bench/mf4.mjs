// Frames written to and read from MF4 files per second of processor time, compared with python-can
// and asammdf, and with our BLF. Usage: node bench/mf4.mjs [python with python-can and asammdf]
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSource } from '../scripts/load-source.mjs';
import { fill, secondsSince } from './trace-frames.mjs';

const frameCount = 500_000;
const peerWriteCount = 20_000;
const peerReadCount = 100_000;
const roundCount = 5;
const batchCapacity = 4096;
const writeRatioLimit = 100;
const readRatioLimit = 10;

const systemPython = '/usr/bin/python3';
const python = process.argv[2] ?? (existsSync(systemPython) ? systemPython : 'python3');
const peer = join(import.meta.dirname, 'mf4', 'python_can_peer.py');

const [{ readMf4 }, { createMf4 }, { compressMf4 }, { readBlf }, { createBlf }, { TraceBatch }] =
  await Promise.all(
    [
      'src/trace/mf4/read-mf4.ts',
      'src/trace/mf4/create-mf4.ts',
      'src/trace/mf4/compress-mf4.ts',
      'src/trace/blf/read-blf.ts',
      'src/trace/blf/create-blf.ts',
      'src/trace/trace-batch.ts',
    ].map(loadSource),
  );

const sinkOf = (fd) => ({
  write: (bytes) => writeSync(fd, bytes),
  rewrite: (at, bytes) => writeSync(fd, bytes, 0, bytes.length, at),
});

const sourceOf = (file, fd) => ({
  size: statSync(file).size,
  read: (into) => readSync(fd, into),
  readAt: (into, at) => readSync(fd, into, 0, into.length, at),
});

/** Seconds in the writer alone. */
const write = (create, file, count = frameCount) => {
  const fd = openSync(file, 'w');
  const writer = create(sinkOf(fd), {
    startUnixUs: 1_700_000_000_000_000,
    channelName: (channel) => `can${channel}`,
  });
  const batch = new TraceBatch(batchCapacity);
  let seconds = 0;
  for (let first = 0; first < count; first += batchCapacity) {
    fill(batch, first, count);
    const start = process.cpuUsage();
    writer.write(batch, 0, batch.count);
    seconds += secondsSince(start);
  }
  const start = process.cpuUsage();
  writer.end();
  seconds += secondsSince(start);
  closeSync(fd);
  return { seconds };
};

const read = (open, file) => {
  const fd = openSync(file, 'r');
  const start = process.cpuUsage();
  const reader = open(sourceOf(file, fd));
  const batch = new TraceBatch(batchCapacity);
  let frames = 0;
  let bytes = 0;
  while (reader.read(batch)) {
    frames += batch.count;
    for (let row = 0; row < batch.count; row++) bytes += batch.length[row];
  }
  const seconds = secondsSince(start);
  closeSync(fd);
  return { seconds, frames, bytes };
};

const compress = (from, to) => {
  const source = openSync(from, 'r');
  const sink = openSync(to, 'w');
  const start = process.cpuUsage();
  for (const _ of compressMf4(sourceOf(from, source), sinkOf(sink)));
  const seconds = secondsSince(start);
  closeSync(source);
  closeSync(sink);
  return { seconds };
};

const best = (measure) =>
  Array.from({ length: roundCount }, measure).reduce((a, b) => (b.seconds < a.seconds ? b : a));

const line = (what, figure) => console.log(`${what.padEnd(30)} ${figure}`);
const rate = (frames, seconds) => `${(frames / seconds / 1e6).toFixed(2)}M frames/s`;
const sizeOf = (file) => `${(statSync(file).size / 1e6).toFixed(1)} MB`;

const hasPeer = spawnSync(python, ['-c', 'import asammdf; import can.io.mf4']).status === 0;
const runPeer = (...args) => {
  const output = execFileSync(python, [peer, ...args], { encoding: 'utf8' });
  return JSON.parse(output.trim().split('\n').at(-1));
};

const judge = (what, ratio, limit, agrees = true) => {
  line(what, `${ratio.toFixed(0)}×; limit ${limit}×`);
  if (!agrees) line(what, 'other frames');
  if (ratio < limit || !agrees) process.exitCode = 1;
};

const comparePeer = (folder, ours) => {
  const small = join(folder, 'small.mf4');
  write(createMf4, small, peerReadCount);
  const written = runPeer('write', join(folder, 'theirs.mf4'), String(peerWriteCount));
  line('python-can writes', rate(written.frames, written.seconds));
  const oneFrame = ours.written.seconds / frameCount;
  judge('  ours', written.seconds / written.frames / oneFrame, writeRatioLimit);
  const [theirs, found] = [runPeer('read', small), best(() => read(readMf4, small))];
  line('python-can reads our file', rate(theirs.frames, theirs.seconds));
  const agrees = theirs.frames === found.frames && theirs.bytes === found.bytes;
  judge('  ours', theirs.seconds / found.seconds, readRatioLimit, agrees);
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-mf4-'));
try {
  const file = join(folder, 'ours.mf4');
  const packed = join(folder, 'packed.mf4');
  const blf = join(folder, 'ours.blf');
  const written = best(() => write(createMf4, file));
  const found = best(() => read(readMf4, file));
  const packing = best(() => compress(file, packed));
  const unpacked = best(() => read(readMf4, packed));
  const blfWritten = best(() => write(createBlf, blf));
  const blfFound = best(() => read(readBlf, blf));
  line('our file', `${frameCount} frames, ${sizeOf(file)}`);
  line('  written', rate(frameCount, written.seconds));
  line('  read', rate(found.frames, found.seconds));
  line('  compressed', `${rate(frameCount, packing.seconds)}, ${sizeOf(packed)}`);
  line('  read compressed', rate(unpacked.frames, unpacked.seconds));
  line('our BLF', sizeOf(blf));
  line('  written', rate(frameCount, blfWritten.seconds));
  line('  read', rate(blfFound.frames, blfFound.seconds));
  if (found.frames !== frameCount || unpacked.frames !== frameCount) process.exitCode = 1;
  if (hasPeer) comparePeer(folder, { written });
  else line('python-can', 'not compared: give a python that has it and asammdf');
} finally {
  rmSync(folder, { recursive: true });
}
