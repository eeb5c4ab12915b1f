// Two recorders of six CAN FD channels, into MF4 and BLF: what they miss, their
// processor time, and what the bench thread notices of them. Usage: node
// bench/recorders/recorders.mjs [--seconds=4] [--rate=20000]
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';
import { environment as env } from '../daemon.mjs';

const here = import.meta.dirname;
const maxCores = 0.25;
/** Flags of the daemon. */
const nodeFlags = ['--single-threaded-gc'];

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rate: { type: 'string', default: '20000' },
  },
});

const run = promisify(execFile);

const measure = async (folder, formats) => {
  const project = join(folder, formats.join('-') || 'none');
  mkdirSync(project);
  const options = Object.entries({ project, formats, ...values });
  const args = options.map(([name, value]) => `--${name}=${value}`);
  const { stdout } = await run(
    process.execPath,
    [...nodeFlags, join(folder, 'measure.mjs'), ...args],
    {
      env,
    },
  );
  return JSON.parse(stdout);
};

const print = (name, { published, p50, p99 }) => {
  const times = [p50, p99].map((value) => `${Math.round(value)} µs`.padStart(10));
  console.log(name.padEnd(20) + String(published).padStart(10) + times.join(''));
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-recorders-'));
try {
  const [load] = loadavg();
  console.log(`load average before: ${load.toFixed(1)} on ${availableParallelism()} cores`);
  await bundlePrograms(here, ['measure', 'recorder'], folder);
  console.log('bench thread            frames  late p50  late p99');
  const without = await measure(folder, []);
  print('without recorders', without);
  const own = await measure(folder, ['mf4', 'blf']);
  print('with MF4 and BLF', own);
  let isHeld = own.cores <= maxCores;
  for (const { state, format, frames, missed, bytes } of own.results) {
    const isWhole = state === 'idle' && frames === own.published && missed === 0;
    if (!isWhole) isHeld = false;
    const missing = own.published - frames;
    const size = (bytes / frames).toFixed(1);
    console.log(`${format}: ${missing} of ${own.published} missing, ${size} bytes a frame`);
  }
  const cores = own.cores.toFixed(2);
  console.log(`${cores} of a core for each recorder, limit ${maxCores}; nothing missing`);
  console.log(isHeld ? 'held' : 'missed');
  if (!isHeld) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
