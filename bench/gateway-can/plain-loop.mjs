// A simple implementation: a bus that emits frames, an object per frame and signal, and a table
// of signals by name.
import { EventEmitter } from 'node:events';
import { printBestRound } from './best-round.mjs';
import { frameBytes, frameCount } from './project.mjs';

const recordBytes = 16;
const records = Buffer.alloc(frameCount * recordBytes);
for (let index = 0; index < frameCount; index++) {
  records.writeUInt32LE(0x100, index * recordBytes);
  records.set(frameBytes(index), index * recordBytes + 8);
}

const messages = new Map([
  [
    0x100,
    [
      { name: 'speed', unit: 'km/h', start: 0, bits: 16, factor: 0.01, offset: 0 },
      { name: 'gear', unit: '', start: 16, bits: 8, factor: 1, offset: 0 },
    ],
  ],
]);
const destination = {
  id: 0x200,
  signals: [
    { name: 'gear', start: 0, bits: 8, factor: 1, offset: 0 },
    { name: 'speed_ms', start: 8, bits: 16, factor: 0.005, offset: 0 },
  ],
};

const decode = ({ id, data, timestamp }) => {
  const bits = data.readBigUInt64LE();
  return (messages.get(id) ?? []).map(({ name, unit, start, bits: width, factor, offset }) => {
    const raw = Number(BigInt.asUintN(width, bits >> BigInt(start)));
    return { name, unit, value: raw * factor + offset, timestamp, valid: true };
  });
};

const encode = ({ id, signals }, table) => {
  let bits = 0n;
  for (const { name, start, bits: width, factor, offset } of signals) {
    const raw = Math.round((table.get(name).value - offset) / factor);
    bits |= BigInt.asUintN(width, BigInt(raw)) << BigInt(start);
  }
  const data = Buffer.alloc(8);
  data.writeBigUInt64LE(bits);
  return { id, data };
};

const source = new EventEmitter();
const target = new EventEmitter();
const table = new Map();
let previous;
source.on('frame', (frame) => {
  for (const signal of decode(frame)) table.set(signal.name, signal);
  const speed = table.get('speed');
  table.set('speed_ms', {
    name: 'speed_ms',
    unit: 'm/s',
    value: speed.value * 0.2777777777777778,
    timestamp: speed.timestamp,
    valid: speed.valid,
  });
  const out = encode(destination, table);
  if (previous?.equals(out.data)) return;
  previous = out.data;
  target.emit('frame', out);
});

let sent;
target.on('frame', (frame) => {
  sent = frame;
});

const round = (frames) => {
  for (let index = 0; index < frames; index++) {
    const at = (index % frameCount) * recordBytes;
    source.emit('frame', {
      id: records.readUInt32LE(at),
      timestamp: index * 50,
      data: Buffer.from(records.subarray(at + 8, at + recordBytes)),
    });
  }
};

printBestRound(round, () => sent.data);
