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

describe('a frame of a task, once its way is compiled', () => {
  it.runIf(isLong).each(['by frame', 'by name'])(
    'leaves no objects behind, and reads the clock for each wake and for the bus: %s',
    async (kind) => {
      const text = `import { printCost } from './task-frames.ts'; void printCost('${kind}');`;
      const folder = join(import.meta.dirname, 'testing');
      const printed = await runProgram({ text, folder }, flags);
      const { bytes, readings } = JSON.parse(printed);
      // Twenty numbers that functions hand on, 16 bytes each. Two objects for every frame, or code that
      // V8 gives up to compile, would be beyond it.
      expect(bytes).toBeLessThan(420);
      expect(readings).toBe(3);
    },
  );
});
