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

describe('a LIN frame over a serial port, once its way is compiled', () => {
  it.runIf(isLong)('leaves no objects behind', async () => {
    const file = join(import.meta.dirname, 'testing/lin-frames.ts');
    const { line, pseudoTerminal } = JSON.parse(await runProgram({ file }, flags));
    // Seventeen numbers that functions hand on, 16 bytes each. A copy of what is sent, which it had
    // before, came to 500.
    expect(line).toBeLessThan(340);
    expect(pseudoTerminal).toBeLessThan(340);
  });
});
