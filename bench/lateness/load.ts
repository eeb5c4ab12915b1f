import { niceThisThread } from '../../src/base/native/this-thread.ts';

// What the daemon's client thread does at its worst: render and parse JSON without a pause, leave
// garbage of every age behind, and be nice about it.
niceThisThread(10);
const kept: unknown[] = [];
for (let round = 0; ; round++) {
  const frames = Array.from({ length: 2000 }, (_, id) => ({ id, round, data: `payload ${id}` }));
  kept[round % 50] = JSON.parse(JSON.stringify(frames));
}
