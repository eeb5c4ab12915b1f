/**
 * What statistics and changes by ID cost the trace of the console: processor time and memory per
 * frame, compared with a map of objects that counts the same. Prints JSON.
 */
import { ByIdTable } from '../../console/src/trace-core/by-id-table.ts';
import { FrameChunk } from '../../console/src/trace-core/frame-chunk.ts';
import { canFrameBits } from '../../src/frame/can-bits.ts';
import { busCode, eventKindCode } from '../../src/frame/frm2-layout.ts';

const chunkFrames = 16_384;
const ids = 200;
const payload = 8;
const rounds = 40;
const turns = 5;

let state = 1;
const random = (limit: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

/** Six channels, a frame every 50 µs: a counter, two values that change, and a checksum. */
const chunk = new FrameChunk(chunkFrames);
for (let row = 0; row < chunkFrames; row++) {
  const id = row % ids;
  chunk.channel[row] = id % 6;
  chunk.kind[row] = eventKindCode.rx_frame;
  chunk.bus[row] = busCode.can;
  chunk.id[row] = 0x100 + id;
  chunk.dlc[row] = payload;
  chunk.length[row] = payload;
  const at = row * 64;
  chunk.payload[at] = Math.floor(row / ids) & 0xf;
  chunk.payload[at + 1] = random(256);
  chunk.payload[at + 2] = random(4);
  chunk.payload[at + 7] = random(256);
}
chunk.count = chunkFrames;

const stamp = (round: number): void => {
  for (let row = 0; row < chunkFrames; row++) {
    chunk.timestampUs[row] = (round * chunkFrames + row) * 50 + random(20);
  }
};

interface Plain {
  count: number;
  changes: number;
  bits: number;
  last: number[];
  lastUs: number;
  lengths: Set<number>;
  min: number;
  max: number;
  sum: number;
  squares: number;
  cycles: Map<number, number>;
  toggles: Map<number, number>;
}

/** The same figures as one would write them down first. */
class PlainTable {
  readonly #all = new Map<string, Plain>();

  take(from: FrameChunk, row: number): void {
    const data = [...from.payload.subarray(row * 64, row * 64 + (from.length[row] as number))];
    const us = from.timestampUs[row] as number;
    const key = `${from.channel[row]} ${from.kind[row]} ${from.id[row]}`;
    let plain = this.#all.get(key);
    if (!plain) {
      plain = {
        ...{ count: 0, changes: 0, bits: 0, last: data, lastUs: us, lengths: new Set() },
        ...{ min: Number.POSITIVE_INFINITY, max: 0, sum: 0, squares: 0 },
        ...{ cycles: new Map(), toggles: new Map() },
      };
      this.#all.set(key, plain);
    } else {
      const cycle = us - plain.lastUs;
      plain.min = Math.min(plain.min, cycle);
      plain.max = Math.max(plain.max, cycle);
      plain.sum += cycle;
      plain.squares += cycle ** 2;
      plain.cycles.set(cycle, (plain.cycles.get(cycle) ?? 0) + 1);
    }
    let isChanged = data.length !== plain.last.length;
    for (const [i, byte] of data.entries()) {
      for (let bit = 0; bit < 8; bit++) {
        if (((byte ^ (plain.last[i] ?? byte)) & (1 << bit)) === 0) continue;
        isChanged = true;
        plain.toggles.set(8 * i + bit, (plain.toggles.get(8 * i + bit) ?? 0) + 1);
      }
    }
    if (isChanged) plain.changes++;
    plain.count++;
    plain.bits += canFrameBits(0, from.id[row] as number, data.length, Uint8Array.from(data), 0);
    plain.lengths.add(data.length);
    plain.last = data;
    plain.lastUs = us;
  }
}

interface Table {
  take(from: FrameChunk, row: number): void;
}

/** Nanoseconds of processor time and bytes per frame. */
const measure = (table: Table): { ns: number; bytes: number } => {
  let us = 0;
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    stamp(round);
    globalThis.gc?.();
    const heap = process.memoryUsage().heapUsed;
    const before = process.cpuUsage();
    for (let row = 0; row < chunkFrames; row++) table.take(chunk, row);
    us += process.cpuUsage(before).user;
    // The first rounds add identifiers and compile.
    if (round >= rounds / 2) bytes += process.memoryUsage().heapUsed - heap;
  }
  return { ns: (1000 * us) / (rounds * chunkFrames), bytes: bytes / ((rounds / 2) * chunkFrames) };
};

const tables = { ours: () => new ByIdTable(4096), plain: () => new PlainTable() };
const results = Array.from({ length: turns }, () => ({
  ours: measure(tables.ours()),
  plain: measure(tables.plain()),
}));
console.log(JSON.stringify(results));
