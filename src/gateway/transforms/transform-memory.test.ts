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

describe('a transformation, once it is compiled', () => {
  it.runIf(isLong)('makes no objects while integers are within 53 bits', async () => {
    const file = join(import.meta.dirname, 'testing/transform-runs.ts');
    const { bytes } = JSON.parse(await runProgram({ file }, flags));
    // One object per run would be at least 12 bytes.
    expect(bytes).toBeLessThan(2);
  });
});
