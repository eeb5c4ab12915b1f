// How much faster than its bus the virtual bench runs under a fake clock, by processor time:
// two CAN FD segments, every frame published in two rings.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from '../bundle.mjs';

/** Required speed relative to the bus, with the traffic of a busy vehicle bench. */
const limit = 100;
const judgedAt = 5000;
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'busbar-virtual-bus-'));
try {
  await bundlePrograms(here, ['measure'], folder);
  // Enough bus time for compilation to be negligible.
  for (const [rate, seconds] of [
    [1000, 200],
    [judgedAt, 60],
    [10_000, 40],
    [20_000, 20],
  ]) {
    const rounds = [0, 1, 2].map(() =>
      JSON.parse(
        execFileSync(
          process.execPath,
          [join(folder, 'measure.mjs'), String(rate), String(seconds)],
          {
            encoding: 'utf8',
          },
        ),
      ),
    );
    const best = rounds.reduce((one, other) => (one.cpuSeconds < other.cpuSeconds ? one : other));
    const ratio = best.busSeconds / best.cpuSeconds;
    const each = (best.cpuSeconds / best.frames) * 1e6;
    const isJudged = rate === judgedAt;
    const isBelow = isJudged && ratio < limit;
    const verdict = isJudged ? `, limit ${limit}×${isBelow ? ', below it' : ''}` : '';
    console.log(
      `${rate} frames/s: ${ratio.toFixed(0)}× the bus${verdict} (${each.toFixed(2)} µs a frame)`,
    );
    if (isBelow) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
