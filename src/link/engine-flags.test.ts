import { describe, expect, it } from 'vitest';
import { runProgram } from '../base/testing/bundle-program.ts';
import { engineFlags, optimizingThreads } from './engine-flags.ts';

/** Allocates more than the minimum young generation, and prints its size. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { isMainThread, parentPort, Worker } from 'node:worker_threads';
  import { collectGarbage, restoreWorkerFlags } from './engine-flags.ts';

  const youngMb = () => {
    const kept = [];
    for (let index = 0; index < 300_000; index++) kept.push({ index });
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    return kept.length > 0 && young.space_size / 2 ** 20;
  };
  if (isMainThread) {
    restoreWorkerFlags();
    const bench = youngMb();
    const before = process.memoryUsage().heapUsed;
    collectGarbage();
    const collectedMb = (before - process.memoryUsage().heapUsed) / 2 ** 20;
    new Worker(__filename).once('message', (worker) => {
      console.log(JSON.stringify({ bench, worker, collectedMb }));
    });
  } else parentPort.postMessage(youngMb());
`;

describe('the flags of the daemon', () => {
  it('give the bench thread the least room for young objects, and other threads as much as they use', async () => {
    const printed = await runProgram({ text: program, folder: import.meta.dirname }, engineFlags);
    const { bench, worker, collectedMb } = JSON.parse(printed);
    // Two halves; one is empty between collections.
    expect(bench).toBeLessThanOrEqual(2.5);
    expect(worker).toBeGreaterThan(2 * bench);
    // Most of the 300,000 objects, which are no longer referenced.
    expect(collectedMb).toBeGreaterThan(4);
  });

  it('leave the bench thread a processor that V8 does not optimize on', () => {
    expect([1, 2, 3, 4, 5, 64].map(optimizingThreads)).toEqual([1, 1, 2, 3, 4, 4]);
  });
});
