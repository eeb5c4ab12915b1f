/**
 * Protects, corrupts and checks frames with every profile and some free layouts. Prints the
 * bytes allocated per frame once V8 has compiled the code.
 */
import { Checker } from '../checker.ts';
import { compileLayout } from '../layout.ts';
import { Protector } from '../protector.ts';
import { exampleCodecs } from './example-codecs.ts';
import { loadCodec } from './load-codec.ts';

const warmUpRounds = 4;
const warmUpFrames = 20_000;
const frames = 10_000;

const window = { size: 9, min_ok: 5, max_error: 3 };
const paths = Object.entries(exampleCodecs).map(([name, { fields, length }]) => {
  const codec = loadCodec({ ...fields, window }, length);
  const layout = compileLayout(codec, length);
  return { name, layout, protector: new Protector(layout), checker: new Checker(layout, codec) };
});
const bytes = new Uint8Array(80);
let broken = 0;

const run = ({ layout, protector, checker }: (typeof paths)[number], count: number): void => {
  const isExact = layout.maxCounter < 2n ** 52n;
  for (let frame = 0; frame < count; frame += 1) {
    const at = frame & 7;
    bytes[at + layout.length - 1] = frame;
    protector.protect(bytes, at);
    if ((frame & 15) === 3) protector.freezeCounter(bytes, at);
    if ((frame & 15) === 5 && isExact) protector.jumpCounter(bytes, at, -3);
    if ((frame & 15) === 7) protector.corruptChecksum(bytes, at, 1);
    if ((frame & 15) === 9) protector.bypass(bytes, at);
    protector.commit();
    if (checker.check(bytes, at) === 'error') broken += 1;
    if (!checker.isValid) broken += 1;
  }
};

// Rounds over all of them: V8 recompiles code when later codecs behave differently from the
// first ones.
for (let round = 0; round < warmUpRounds; round += 1) {
  for (const path of paths) run(path, warmUpFrames);
}

const measure = (): [string, number][] =>
  paths.map((path) => {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    run(path, frames);
    return [path.name, (process.memoryUsage().heapUsed - before) / frames];
  });

// A collection discards compiled code whose objects are no longer used, so the first pass is also
// warm-up.
measure();
console.log(JSON.stringify({ broken, bytes: Object.fromEntries(measure()) }));
