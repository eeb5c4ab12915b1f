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

describe('a slot of a LIN schedule, once its way is compiled', () => {
  it.runIf(isLong)('leaves no objects behind', async () => {
    const text = "import { printCost } from './schedule-slots.ts'; void printCost();";
    const folder = join(import.meta.dirname, 'testing');
    const { bytes, missed } = JSON.parse(await runProgram({ text, folder }, flags));
    expect(missed).toBe(0);
    // Numbers that functions hand on, 16 bytes each.
    expect(bytes).toBeLessThan(420);
  });
});
