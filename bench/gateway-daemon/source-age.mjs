import { setTimeout as wait } from 'node:timers/promises';
import { bridge, firstSourceId } from './projects.mjs';
import { WindowSamples } from './timing-windows.mjs';

const sourcePeriodUs = 1000;
const pollMs = 64;
const limitUs = 250;

const measureAt = async (rig, rate, seconds) => {
  const count = (rate * sourcePeriodUs) / 1e6;
  const name = `bridge-${rate}`;
  await rig.load(name, bridge(count, 'first-b', 'second-a'));
  await rig.startInstance(name);
  const frame = { channel: 'SIM00001/0', fd: true, brs: true, data: '0000000000000000' };
  const tasks = [];
  for (let row = 0; row < count; row++) {
    const source = { ...frame, id: firstSourceId + row, period_us: sourcePeriodUs };
    tasks.push(await rig.ask('POST', 'tx-tasks', { ...source, pattern: 'increment_data' }));
  }
  await wait(1000);
  const status = () => rig.ask('GET', `gateways?instance=${name}&limit=100`);
  const before = await status();
  const samples = new WindowSamples();
  let isOver = false;
  const polls = (async () => {
    while (!isOver) {
      const nextMs = performance.now() + pollMs;
      for (const task of (await status()).tasks) samples.add(task.source_age_at_submit_us);
      await wait(Math.max(0, nextMs - performance.now()));
    }
  })();
  const startMs = performance.now();
  const core = await rig.benchThread(() =>
    Promise.all([wait(seconds * 1000), rig.showLoops(seconds - 1)]),
  );
  const after = await status();
  const elapsed = (performance.now() - startMs) / 1000;
  isOver = true;
  await polls;
  for (const { task_id } of tasks) await rig.ask('DELETE', `tx-tasks/${task_id}`);
  await rig.end(name);
  return { sent: (after.accepted - before.accepted) / elapsed, core, samples };
};

/** `rate` is the number of frames received, and sent, per second. */
export const measureSourceAge = (rate) => async (rig, seconds, judge) => {
  const { sent, core, samples } = await measureAt(rig, rate, seconds);
  console.log(
    `${rate} frames/s on one segment, ${Math.round(sent)}/s passed on to the other; bench thread ${core.toFixed(2)} of a core`,
  );
  const [p50, p99] = [0.5, 0.99].map((share) => samples.between(share).join(' to '));
  console.log(
    `  source to submission of ${samples.count} frames: p50 ${p50} µs, p99 ${p99} µs, worst ${samples.worst} µs`,
  );
  const { p50: half, p99: late } = await rig.deadlines();
  console.log(`  all deadlines of the bench thread: p50 ${half} µs, p99 ${late} µs late`);
  const [, most] = samples.between(0.99);
  judge('source to submission p99, at most', most, limitUs, 'µs');
};
