// Processor time and memory to load databases that try to cost both, and then to pack them for
// their channels. Each file has a process of its own. Usage: node
// bench/hostile-databases/hostile-databases.mjs [part of a name]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { bundlePrograms } from '../bundle.mjs';

const msLimit = 1000;
const mbLimit = 64;

const [wanted = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'busbar-hostile-'));
const max = { ms: 0, mb: 0 };
try {
  const program = join(folder, 'measure.mjs');
  await bundlePrograms(import.meta.dirname, ['measure'], folder);
  // As in the loader of the daemon.
  const flags = ['--single-threaded-gc', '--max-semi-space-size=2', '--expose-gc'];
  const run = (...args) =>
    JSON.parse(execFileSync(process.execPath, [...flags, program, ...args], { encoding: 'utf8' }));
  for (const { what, path } of run('write', folder)) {
    if (!what.includes(wanted)) continue;
    const { bytes, load, pack, mb, result } = run('read', path);
    max.ms = Math.max(max.ms, load, pack);
    max.mb = Math.max(max.mb, mb);
    const [loadMs, packMs, peak] = [load, pack, mb].map((value) => value.toFixed(0).padStart(4));
    const size = `${(bytes / 1e6).toFixed(1)} MB`;
    console.log(
      `${loadMs} ms + ${packMs} ms, ${peak} MB  ${extname(path).slice(1)}: ${what} (${size}): ${result}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
const isMissed = max.ms > msLimit || max.mb > mbLimit;
console.log(
  `worst                ${max.ms.toFixed(0)} ms of ${msLimit}, ${max.mb.toFixed(0)} MB of ${mbLimit}` +
    `${isMissed ? ', missed' : ''}`,
);
if (isMissed) process.exitCode = 1;
