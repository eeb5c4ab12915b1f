// Processor time and memory per frame of statistics and changes by ID in the trace of the console,
// compared with a map of objects that counts the same in the same process. Usage:
//   node bench/id-statistics/id-statistics.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from '../bundle.mjs';

const limits = { ratio: 3, bytes: 1 };

const folder = mkdtempSync(join(tmpdir(), 'busbar-id-statistics-'));
try {
  await bundlePrograms(import.meta.dirname, ['measure'], folder);
  const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];
  const program = [...flags, '--no-concurrent-recompilation', join(folder, 'measure.mjs')];
  const results = JSON.parse(execFileSync(process.execPath, program).toString());
  const best = (name) =>
    results.map((result) => result[name]).reduce((one, other) => (other.ns < one.ns ? other : one));
  const text = ({ ns, bytes }) => `${ns.toFixed(0)} ns and ${bytes.toFixed(2)} bytes a frame`;
  const [ours, plain] = [best('ours'), best('plain')];
  const ratio = plain.ns / ours.ns;
  console.log(`table: ${text(ours)} (at most ${limits.bytes} byte)`);
  console.log(`map of objects: ${text(plain)}: ${ratio.toFixed(1)}× (at least ${limits.ratio}×)`);
  console.log(`at 20,000 frames/s: ${((ours.ns * 20_000) / 1e7).toFixed(1)} % of a core`);
  if (ratio < limits.ratio || ours.bytes > limits.bytes) {
    console.log('missed');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
