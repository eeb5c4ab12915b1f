// Frames of a BLF file that 20 checks judge per second: one thread by its processor time, and
// `busbar check run` by the clock, compared with a loop of python-can over frames of the same kind;
// the busiest thread with four jobs is the limit where each thread has a processor.
// Usage: node bench/checks/checks.mjs [--frames=<n>] [python with python-can]

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';
import { busiestThread } from '../process-usage.mjs';

const here = import.meta.dirname;
const busbar = resolve(here, '../../bin/busbar');
const { values, positionals } = parseArgs({
  options: { frames: { type: 'string', default: '10000000' } },
  allowPositionals: true,
});
const frames = Number(values.frames);
const peerFrames = 100_000;
const turns = Number(process.env.BUSBAR_BENCH_TURNS ?? 2);
const leastRate = 0.7e6;
const leastRateOfFour = 2e6;
const leastRatio = 4;

// Debian installs python-can for the system Python only.
const systemPython = '/usr/bin/python3';
const python = positionals[0] ?? (existsSync(systemPython) ? systemPython : 'python3');

const folder = mkdtempSync(join(tmpdir(), 'busbar-checks-'));
const [whole, part] = ['whole', 'part'].map((name) => join(folder, name));
const best = (runs) => runs.reduce((one, other) => (other.seconds < one.seconds ? other : one));
const rate = ({ frames, seconds }) => frames / seconds;
const rateText = (run) => `${(rate(run) / 1e6).toFixed(2)}M frames/s`;
/** Runs the checks; returns the time by the clock and the processor time of the busiest thread. */
const runCommand = async (jobs) => {
  const options = ['--trace=trace.blf', '--database=bench.dbc', '--bitrate=2M/8M'];
  const args = ['check', 'run', 'bench.checks.json', ...options, `--jobs=${jobs}`];
  const start = process.hrtime.bigint();
  const command = spawn(busbar, args, { cwd: whole, stdio: 'ignore' });
  const exit = once(command, 'exit');
  let busiest = 0;
  while (command.exitCode === null) {
    busiest = Math.max(busiest, busiestThread(command.pid));
    await Promise.race([exit, wait(20)]);
  }
  if (command.exitCode !== 0) throw new Error(`check run ended with ${command.exitCode}`);
  return { frames, seconds: Number(process.hrtime.bigint() - start) / 1e9, busiest };
};
const fail = (text) => {
  console.log(text);
  process.exitCode = 1;
};

try {
  await bundlePrograms(here, ['measure'], folder);
  const run = (...words) =>
    execFileSync(process.execPath, [join(folder, 'measure.mjs'), ...words]).toString();
  for (const [at, count] of [
    [whole, frames],
    [part, peerFrames],
  ]) {
    mkdirSync(at);
    run('write', at, String(count));
  }
  const ours = [];
  const peers = [];
  const commands = { 1: [], 2: [], 4: [] };
  for (let turn = 0; turn < turns; turn++) {
    ours.push(JSON.parse(run('check', whole)));
    for (const [jobs, runs] of Object.entries(commands)) {
      runs.push(await runCommand(jobs));
    }
    const peer = spawnSync(python, [join(here, 'python_can_peer.py'), join(part, 'trace.blf')]);
    if (peer.status === 0) peers.push(JSON.parse(peer.stdout.toString()));
  }
  const size = statSync(join(whole, 'trace.blf')).size / 1e6;
  console.log(`trace         ${frames} frames, ${size.toFixed(0)} MB, 20 checks`);
  const own = best(ours);
  console.log(`one thread    ${rateText(own)} of its processor time (at least 0.7M)`);
  if (own.verdict !== 'passed') fail(`  ${own.verdict}: ${own.reasons.join('; ')}`);
  if (rate(own) < leastRate) process.exitCode = 1;
  for (const [jobs, runs] of Object.entries(commands)) {
    console.log(`--jobs=${jobs}      ${rateText(best(runs))} by the clock`);
  }
  console.log(`              on ${availableParallelism()} processors`);
  const busiest = Math.min(...commands[4].map((each) => each.busiest));
  console.log(
    `  busiest thread of --jobs=4: ${rateText({ frames, seconds: busiest })} of its processor time ` +
      `(at least ${leastRateOfFour / 1e6}M)`,
  );
  if (frames / busiest < leastRateOfFour) process.exitCode = 1;
  if (peers.length === 0) console.log('python-can    not found: give a python that has it');
  else {
    const theirs = best(peers);
    const ratio = rate(own) / rate(theirs);
    console.log(
      `${theirs.versions} and a loop ${Math.round(rate(theirs))} frames/s: ${ratio.toFixed(0)}× (at least ${leastRatio}×)`,
    );
    if (theirs.violations > 0) fail(`  ${theirs.violations} violations`);
    if (ratio < leastRatio) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
