import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../base/testing/bundle-program.ts';
import { isLong } from '../../base/testing/long.ts';
import { ReceiverRig } from './testing/rigs.ts';

const flags = [
  '--expose-gc',
  // Large enough that no young object is collected while they are counted.
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  // Compilation must not depend on the load of the machine.
  '--no-concurrent-recompilation',
];

describe('memory of ISO-TP', () => {
  it.runIf(isLong)('has no object for each frame', async () => {
    const text = "import { printCost } from './transfer-cost.ts'; printCost();";
    const folder = join(import.meta.dirname, 'testing');
    const { bytes, received } = JSON.parse(await runProgram({ text, folder }, flags));
    expect(received).toBe(400 * 4095);
    // Times that functions pass on, 16 bytes each.
    expect(bytes).toBeLessThan(100);
  });

  it('follows the data of a message, not its announced length', () => {
    const before = process.memoryUsage().arrayBuffers;
    const rigs = Array.from({ length: 100 }, () =>
      new ReceiverRig({ maxLength: 1_000_000 }).hear('1000000F42400102'),
    );
    expect(rigs.every(({ receiver }) => receiver.state === 'receiving')).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });
});
