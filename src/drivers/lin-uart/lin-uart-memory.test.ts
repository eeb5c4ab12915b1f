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

describe('a LIN frame over a serial port, once its way is compiled', () => {
  it.runIf(isLong)('leaves no objects behind', async () => {
    const file = join(import.meta.dirname, 'testing/lin-frames.ts');
    const { line, pseudoTerminal } = JSON.parse(await runProgram({ file }, flags));
    // Seventeen boxed doubles of 16 bytes. A copy of the sent bytes, as in an earlier version,
    // made 500.
    expect(line).toBeLessThan(340);
    expect(pseudoTerminal).toBeLessThan(340);
  });
});
