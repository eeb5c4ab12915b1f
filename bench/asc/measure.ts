/**
 * Writes an ASC file and one with its first frames, and prints read and write speed by
 * processor time.
 */
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { dlcToLength, maxFdLength } from '../../src/frame/dlc.ts';
import { busCode, frameFlag } from '../../src/frame/frm2-layout.ts';
import { readAsc } from '../../src/trace/asc/asc-reader.ts';
import { createAsc } from '../../src/trace/asc/asc-writer.ts';
import { TraceBatch } from '../../src/trace/trace-batch.ts';

const [wholeFile = '', partFile = '', frameCount = '', partCount = '', rounds = ''] =
  process.argv.slice(2);
const batchRows = 4096;

let state = 1;
const random = (limit: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

/**
 * Six of ten frames are classic, a third has 29-bit identifiers, and lengths are typical for a
 * vehicle.
 */
const fill = (batch: TraceBatch, from: number): void => {
  for (let row = 0; row < batch.capacity; row++) {
    const fd = random(10) >= 6;
    const extended = random(3) === 0;
    const dlc = fd ? 8 + random(8) : random(10) === 0 ? random(9) : 8;
    batch.timeNs[row] = (from + row) * 137_000;
    batch.channel[row] = 1 + random(2);
    batch.kind[row] = 1 + random(2);
    batch.bus[row] = fd ? busCode.canfd : busCode.can;
    batch.id[row] = extended ? random(2 ** 29) : random(2 ** 11);
    batch.flags[row] =
      (extended ? frameFlag.extended : 0) | (fd ? frameFlag.fd | frameFlag.brs : 0);
    batch.dlc[row] = dlc;
    batch.length[row] = dlcToLength(dlc, fd);
    batch.checksum[row] = 0;
    for (let i = 0; i < maxFdLength; i++) batch.payload[row * maxFdLength + i] = random(256);
  }
};

const total = Number(frameCount);
const batches = Array.from({ length: Math.ceil(total / batchRows) }, (_, n) => {
  const batch = new TraceBatch(batchRows);
  fill(batch, n * batchRows);
  return batch;
});

const writeFile = (path: string, frames: number): void => {
  const file = openSync(path, 'w');
  const sink = { write: (bytes: Uint8Array) => void writeSync(file, bytes) };
  const writer = createAsc(sink, {
    startUnixUs: Date.UTC(2026, 0, 15, 12) * 1000,
    channelName: (channel) => `can${channel}`,
  });
  let left = frames;
  for (const batch of batches) {
    writer.write(batch, 0, Math.min(left, batchRows));
    left -= batchRows;
    if (left <= 0) break;
  }
  writer.end();
  closeSync(file);
};

const readFile = (path: string): number => {
  const file = openSync(path, 'r');
  const source = { size: null, read: (into: Uint8Array) => readSync(file, into) };
  const reader = readAsc(source);
  const batch = new TraceBatch(batchRows);
  while (reader.read(batch));
  closeSync(file);
  return reader.account.events;
};

const best = (action: () => void): number => {
  const times = Array.from({ length: Number(rounds) }, () => {
    const begin = process.cpuUsage();
    action();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1e6;
  });
  return Math.min(...times);
};

writeFile(partFile, Number(partCount));
const write = total / best(() => writeFile(wholeFile, total));
const frames = readFile(wholeFile);
const read = frames / best(() => readFile(wholeFile));
process.stdout.write(JSON.stringify({ frames, bytes: statSync(wholeFile).size, read, write }));
