import { wordOrders } from '../../../modbus/pdu/word-order.ts';
import type { RawKind } from '../../codecs/encode-linear.ts';
import { registerField } from '../register-field.ts';

const warmUpRounds = 4;
const warmUpRaws = 20_000;
const raws = 10_000;

const shapes: [kind: RawKind, count: number][] = [
  ['unsigned', 1],
  ['signed', 1],
  ['unsigned', 2],
  ['signed', 2],
];
const paths = shapes.flatMap(([kind, count]) =>
  wordOrders.map((order) => ({
    name: `${kind} in ${count} ${order}`,
    field: registerField({ kind, bits: 16 * count, length: 2 * count, order }, 0),
  })),
);
const items = new Uint8Array(16);
let different = 0;

const run = ({ field }: (typeof paths)[number], count: number): void => {
  for (let raw = 0; raw < count; raw += 1) {
    const at = 2 * (raw & 3);
    field.write(items, at, raw);
    if (field.read(items, at) !== raw) different += 1;
  }
};

// Rounds over all of them: V8 recompiles code when later fields behave differently from the
// first ones.
for (let round = 0; round < warmUpRounds; round += 1) {
  for (const path of paths) run(path, warmUpRaws);
}

const measure = (): [string, number][] =>
  paths.map((path) => {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    run(path, raws);
    return [path.name, (process.memoryUsage().heapUsed - before) / raws];
  });

// A collection discards compiled code whose objects are no longer used, so the first pass is also
// warm-up.
measure();
console.log(JSON.stringify({ different, bytes: Object.fromEntries(measure()) }));
