import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../base/testing/bundle-program.ts';
import { isLong } from '../base/testing/long.ts';

const flags = [
  '--expose-gc',
  // Large enough that no young object is collected while they are counted.
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  // Compilation must not depend on the load of the machine.
  '--no-concurrent-recompilation',
];

describe('a frame that is protected, altered and checked, once its way is compiled', () => {
  it.runIf(isLong)('leaves no objects behind', async () => {
    const file = join(import.meta.dirname, 'testing/protected-frames.ts');
    const { broken, bytes } = JSON.parse(await runProgram({ file }, flags));
    expect(broken).toBeGreaterThan(0);
    // One minimal object per fault makes 1 byte per frame: one frame in 16 has a fault.
    const wasteful = Object.entries(bytes).filter(([, each]) => Number(each) >= 0.5);
    expect(wasteful).toEqual([]);
  });
});
