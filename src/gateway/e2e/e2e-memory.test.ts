import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../base/testing/bundle-program.ts';
import { isLong } from '../../base/testing/long.ts';

const flags = [
  '--expose-gc',
  // So much room for young objects that none is collected while they are counted.
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  // What is compiled must not depend on how busy the machine is.
  '--no-concurrent-recompilation',
];

describe('a frame that is protected, altered and checked, once its way is compiled', () => {
  it.runIf(isLong)('leaves no objects behind', async () => {
    const file = join(import.meta.dirname, 'testing/protected-frames.ts');
    const { broken, bytes } = JSON.parse(await runProgram({ file }, flags));
    expect(broken).toBeGreaterThan(0);
    // An object of the smallest size for each fault would be 1: one frame in 16 has it.
    const wasteful = Object.entries(bytes).filter(([, each]) => Number(each) >= 0.5);
    expect(wasteful).toEqual([]);
  });
});
