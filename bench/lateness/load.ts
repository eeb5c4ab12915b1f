import { niceThisThread } from '../../src/base/native/this-thread.ts';

// Worst load of the client thread: renders and parses JSON without a pause, creates garbage of
// every age, and runs with a nice value.
niceThisThread(10);
const kept: unknown[] = [];
for (let round = 0; ; round++) {
  const frames = Array.from({ length: 2000 }, (_, id) => ({ id, round, data: `payload ${id}` }));
  kept[round % 50] = JSON.parse(JSON.stringify(frames));
}
