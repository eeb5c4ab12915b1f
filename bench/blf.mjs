// Frames written to and read from BLF files per second of processor time: our file and one of
// python-can, each read by us, python-can and tshark. Then our file with all objects in one
// large container, which is inflated in pieces. Usage: node bench/blf.mjs [python with
// python-can]
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { loadSource } from '../scripts/load-source.mjs';
import { fill, secondsSince } from './trace-frames.mjs';

const frameCount = 500_000;
const peerFrameCount = 200_000;
const roundCount = 7;
const peerRoundCount = 2;
const batchCapacity = 4096;
const ratioLimit = 8;

// Debian installs python-can for the system Python only.
const systemPython = '/usr/bin/python3';
const python = process.argv[2] ?? (existsSync(systemPython) ? systemPython : 'python3');
const peer = join(import.meta.dirname, 'blf', 'python_can_peer.py');

const [{ readBlf }, { createBlf }, { TraceBatch }] = await Promise.all(
  ['src/trace/blf/read-blf.ts', 'src/trace/blf/create-blf.ts', 'src/trace/trace-batch.ts'].map(
    loadSource,
  ),
);

/** Seconds in the writer alone. */
const writeOurs = (file) => {
  const fd = openSync(file, 'w');
  const sink = {
    write: (bytes) => writeSync(fd, bytes),
    rewrite: (at, bytes) => writeSync(fd, bytes, 0, bytes.length, at),
  };
  const writer = createBlf(sink, {
    startUnixUs: 1_700_000_000_000_000,
    channelName: (channel) => `can${channel}`,
  });
  const batch = new TraceBatch(batchCapacity);
  let seconds = 0;
  for (let first = 0; first < frameCount; first += batchCapacity) {
    fill(batch, first, frameCount);
    const start = process.cpuUsage();
    writer.write(batch, 0, batch.count);
    seconds += secondsSince(start);
  }
  writer.end();
  closeSync(fd);
  return seconds;
};

const readOurs = (file) => {
  const fd = openSync(file, 'r');
  const start = process.cpuUsage();
  const reader = readBlf({ size: statSync(file).size, read: (into) => readSync(fd, into) });
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

const fileHeaderBytes = 144;
const containerHeaderBytes = 32;

/** The file with all objects in a single container. */
const inOneContainer = (file) => {
  const bytes = readFileSync(file);
  const contents = [];
  for (let at = fileHeaderBytes; at < bytes.length; ) {
    const size = bytes.readUInt32LE(at + 8);
    contents.push(inflateSync(bytes.subarray(at + containerHeaderBytes, at + size)));
    at += size + (size % 4);
  }
  const whole = Buffer.concat(contents);
  const data = deflateSync(whole);
  const headers = Buffer.from(bytes.subarray(0, fileHeaderBytes + containerHeaderBytes));
  headers.writeUInt32LE(containerHeaderBytes + data.length, fileHeaderBytes + 8);
  headers.writeUInt32LE(whole.length, fileHeaderBytes + 24);
  return Buffer.concat([headers, data]);
};

const best = (measure, rounds = roundCount) =>
  Array.from({ length: rounds }, measure).reduce((a, b) => (b.seconds < a.seconds ? b : a));

const hasPythonCan = spawnSync(python, ['-c', 'import can']).status === 0;

const readPythonCan = (file) =>
  JSON.parse(execFileSync(python, [peer, 'read', file], { encoding: 'utf8' }));

const readTshark = (file) => {
  const script = 'TIMEFORMAT="%U %S"; time tshark -n -r "$0" -w /dev/null 2>&-';
  const { status, stderr } = spawnSync('bash', ['-c', script, file], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return user + system;
};

const line = (what, figure) => console.log(`${what.padEnd(30)} ${figure}`);
const rate = (frames, seconds) => `${(frames / seconds / 1e6).toFixed(2)}M frames/s`;

const compare = (file) => {
  const ours = best(() => readOurs(file));
  line('  read', rate(ours.frames, ours.seconds));
  comparePeers(file, ours);
  return ours;
};

const comparePeers = (file, ours) => {
  if (!hasPythonCan) {
    line('  python-can', 'not found: give a python that has it');
  } else {
    const pythonCan = best(() => readPythonCan(file), peerRoundCount);
    const ratio = pythonCan.seconds / ours.seconds;
    const agrees = pythonCan.frames === ours.frames && pythonCan.bytes === ours.bytes;
    const isMissed = ratio < ratioLimit || !agrees;
    line('  python-can', rate(pythonCan.frames, pythonCan.seconds));
    line('  against python-can', `${ratio.toFixed(0)}×; limit ${ratioLimit}×`);
    if (!agrees) line('  differs', `${pythonCan.frames} frames of ${pythonCan.bytes} bytes`);
    if (isMissed) process.exitCode = 1;
  }
  const tshark = readTshark(file);
  if (tshark === undefined) line('  tshark', 'not installed');
  else line('  against tshark', `${(tshark / ours.seconds).toFixed(0)}×`);
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-blf-'));
try {
  const ours = join(folder, 'ours.blf');
  const writing = best(() => ({ seconds: writeOurs(ours) }));
  line('our file', `${frameCount} frames, ${(statSync(ours).size / 1e6).toFixed(1)} MB`);
  line('  written', rate(frameCount, writing.seconds));
  const usual = compare(ours);
  const large = join(folder, 'large.blf');
  writeFileSync(large, inOneContainer(ours));
  const pieces = best(() => readOurs(large));
  line('  in one large container', rate(pieces.frames, pieces.seconds));
  line('  against usual containers', `${(usual.seconds / pieces.seconds).toFixed(2)}×`);
  if (pieces.frames !== usual.frames) process.exitCode = 1;
  const theirs = join(folder, 'python-can.blf');
  if (hasPythonCan) {
    execFileSync(python, [peer, 'write', theirs, String(peerFrameCount)]);
    line(
      'python-can’s file',
      `${peerFrameCount} frames, ${(statSync(theirs).size / 1e6).toFixed(1)} MB`,
    );
    compare(theirs);
  }
} finally {
  rmSync(folder, { recursive: true });
}
