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

describe('a frame through an instance on the virtual bus, once its way is compiled', () => {
  it.runIf(isLong)('leaves no objects behind', async () => {
    const file = join(import.meta.dirname, 'testing/relay-frames.ts');
    const { bytes, sent } = JSON.parse(await runProgram({ file }, flags));
    expect(sent).toBe(2);
    // Less than fifty numbers that functions hand on, 16 bytes each: 749 bytes for three frames on two buses, about
    // 125 of them in the instance. An object for every frame would be beyond it.
    expect(bytes).toBeLessThan(840);
  });
});
