import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../base/testing/bundle-program.ts';
import { isLong } from '../../base/testing/long.ts';

const flags = [
  '--expose-gc',
  // Large enough that no young object is collected while they are counted.
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  // Compilation must not depend on the load of the machine.
  '--no-concurrent-recompilation',
];

describe('a round of an engine, once its way is compiled', () => {
  it.runIf(isLong)('leaves no objects behind', async () => {
    const file = join(import.meta.dirname, 'testing/relay-rounds.ts');
    const { bytes, sent } = JSON.parse(await runProgram({ file }, flags));
    expect(sent).toBe(2);
    // Less than three boxed doubles of 16 bytes. One object per round would exceed it.
    expect(bytes).toBeLessThan(56);
  });

  it.runIf(isLong)(
    'leaves none behind for polls, and for registers that show what they read',
    async () => {
      const file = join(import.meta.dirname, 'testing/polled-rounds.ts');
      const { bytes, served, isShown } = JSON.parse(await runProgram({ file }, flags));
      expect([served, isShown]).toEqual([8, true]);
      // About a number for each of eight values that functions hand on. An object for each would be beyond it.
      expect(bytes).toBeLessThan(240);
    },
  );
});
