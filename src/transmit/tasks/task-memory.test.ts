import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../base/testing/bundle-program.ts';

const flags = [
  '--expose-gc',
  // Large enough that no young object is collected while they are counted.
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  // Compilation must not depend on the load of the machine.
  '--no-concurrent-recompilation',
];

describe('a frame of a task, once its way is compiled', () => {
  it('leaves no objects behind, and reads the clock for each wake and for the bus', async () => {
    const file = join(import.meta.dirname, 'testing/task-frames.ts');
    const printed = await runProgram({ file }, flags);
    const { bytes, readings } = JSON.parse(printed);
    // Twenty boxed doubles of 16 bytes. Two objects per frame, or deoptimized code, would exceed
    // it.
    expect(bytes).toBeLessThan(420);
    expect(readings).toBe(3);
  });
});
