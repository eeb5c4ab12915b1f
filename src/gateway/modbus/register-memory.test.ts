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

describe('a small integer that is written to registers and read again, once its way is compiled', () => {
  it.runIf(isLong)('leaves no objects behind', async () => {
    const file = join(import.meta.dirname, 'testing/register-raws.ts');
    const { different, bytes } = JSON.parse(await runProgram({ file }, flags));
    expect(different).toBe(0);
    // A boxed double would be 12 bytes or more.
    const wasteful = Object.entries(bytes).filter(([, each]) => Number(each) >= 4);
    expect(wasteful).toEqual([]);
  });
});
