// Starts and stops simulations of 256 messages, the maximum of a manifest: processor time per
// slice of the bench thread, and the effect on a task of one millisecond on another channel.
// Usage: node bench/simulation-start.mjs [rounds]

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadSource } from '../scripts/load-source.mjs';
import { BenchDaemon } from './daemon.mjs';
import { manifestOf } from './simulation-start/manifest.mjs';

const rounds = Number(process.argv[2] ?? 20);
const messages = 256;
const maxUs = 1_000;

const { measureSlices } = await loadSource('bench/simulation-start/measure.ts');

const percentile = (values, share) =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ];
const summary = (values) =>
  [0.5, 0.9, 0.99, 1].map((share) => percentile(values, share).toFixed(0)).join(', ');

// Warm-up: a daemon runs compiled code from its second start on.
await measureSlices(messages, rounds);
const slices = await measureSlices(messages, 10 * rounds);
console.log(
  `turns of a start of ${messages} messages: p50, p90, p99, worst ${summary(slices.start)} µs`,
);
console.log(`a stop: p50, p90, p99, worst ${summary(slices.stop)} µs`);
// Higher percentiles include garbage collections, whose helper threads count as well.
if (percentile(slices.start, 0.9) > maxUs) process.exitCode = 1;
if (percentile(slices.stop, 0.5) > maxUs) process.exitCode = 1;

const daemon = new BenchDaemon('simulation-start');
await daemon.start(...[0, 1, 2, 3].map((port) => `--channel=SIM00001/${port}`));
try {
  const manifest = manifestOf(messages, (id) => 1_000 + id);
  writeFileSync(join(daemon.folder, 'many.json'), JSON.stringify(manifest));
  await daemon.cli('simulation', 'load', 'many.json');
  const lateness = async (meanwhile) => {
    const frame = [
      'SIM00001/2',
      '700#0011223344556677',
      '--period=1ms',
      '--pattern=increment_data',
    ];
    const { task_id } = await daemon.cli('tx-task', 'add', ...frame);
    await meanwhile();
    return daemon.cli('tx-task', 'remove', task_id);
  };
  const startAndStop = async () => {
    for (let round = 0; round < rounds; round += 1) {
      await daemon.cli('simulation', 'start', 'many');
      await daemon.cli('simulation', 'stop', 'many');
    }
  };
  await startAndStop();
  const alone = await lateness(() => wait(5_000));
  const listed = await lateness(async () => {
    for (let round = 0; round < 2 * rounds; round += 1) await daemon.cli('simulation', 'list');
  });
  const beside = await lateness(startAndStop);
  for (const [what, { lateness_us: late, missed, sent }] of [
    ['alone', alone],
    ['during list commands', listed],
    [`during ${rounds} starts and stops`, beside],
  ]) {
    console.log(
      `a task of 1 ms ${what}: p50 ${late.p50}, p99 ${late.p99}, worst ${late.max} µs; ${missed} of ${sent + missed} missed`,
    );
  }
} finally {
  await daemon.stop();
}
