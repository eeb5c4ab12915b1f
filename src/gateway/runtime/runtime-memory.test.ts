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

describe('a frame through an instance on the virtual bus, once its way is compiled', () => {
  it.runIf(isLong)('leaves no objects behind', async () => {
    const file = join(import.meta.dirname, 'testing/relay-frames.ts');
    const { bytes, sent } = JSON.parse(await runProgram({ file }, flags));
    expect(sent).toBe(2);
    // Less than fifty boxed doubles of 16 bytes: 749 bytes for three frames on two buses, about
    // 125 of them in the instance. One object per frame would exceed it.
    expect(bytes).toBeLessThan(840);
  });
});
