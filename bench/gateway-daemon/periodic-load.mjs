// 200 CAN FD messages of eight signals every 10 ms, while WebSocket clients receive all frames.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../daemon.mjs';
import { senders } from './projects.mjs';
import { quantile, WindowSamples } from './timing-windows.mjs';

const messages = 200;
const periodMs = 10;
const clientCount = 8;
const windowMs = 64 * periodMs;
const limits = { lateUs: 400, core: 0.6 };

export const measurePeriodicLoad = async (rig, seconds, judge) => {
  await rig.load(
    'waves',
    senders({ messages, periodMs, networks: ['first-a', 'second-a'], firstId: 0x100 }),
  );
  const url = `${rig.framesUrl}?channel=SIM00001/1&channel=SIM00001/3`;
  const program = join(import.meta.dirname, '../daemon-load/clients.mjs');
  const clients = rig.fork(program, [url, String(clientCount)]);
  await messageOf(clients);
  await rig.startInstance('waves');
  await wait(1000);
  const page = (offset, limit = 100) =>
    rig.ask('GET', `gateways?instance=waves&limit=${limit}&offset=${offset}`);
  const before = await page(0);
  const late = [];
  const ages = new WindowSamples();
  let isOver = false;
  const polling = async (everyMs, poll) => {
    while (!isOver) {
      const nextMs = performance.now() + everyMs;
      await poll();
      await wait(Math.max(0, nextMs - performance.now()));
    }
  };
  let lastAccepted = 0;
  // All are due in the same round, so one task represents all.
  const lateness = polling(periodMs, async () => {
    const [{ accepted, last_lateness_us }] = (await page(0, 1)).tasks;
    if (accepted !== lastAccepted) late.push(last_lateness_us);
    lastAccepted = accepted;
  });
  // Waveforms are observed exactly when their message is due.
  const submissions = polling(windowMs, async () => {
    for (const offset of [0, 100]) {
      for (const task of (await page(offset)).tasks) ages.add(task.source_age_at_submit_us);
    }
  });
  const startMs = performance.now();
  const core = await rig.benchThread(() =>
    Promise.all([wait(seconds * 1000), rig.showLoops(seconds - 1)]),
  );
  const after = await page(0);
  const elapsed = (performance.now() - startMs) / 1000;
  isOver = true;
  await Promise.all([lateness, submissions]);
  clients.send('report');
  const reports = await messageOf(clients);
  clients.kill();
  const lost = reports.reduce((sum, { missing }) => sum + missing, 0);
  const total = (name) => after[name] - before[name];
  console.log(
    `${messages} messages every ${periodMs} ms: ${Math.round(total('sent') / elapsed)} frames/s, ${total('missed')} missed, ${total('late')} late; ${clientCount} clients miss ${lost} frames`,
  );
  const [p50, p99] = [0.5, 0.99].map((share) => ages.between(share)[1]);
  console.log(`  due to submitted: p50 ${p50} µs, p99 ${p99} µs, worst ${ages.worst} µs`);
  console.log(
    `  lateness of ${late.length} rounds: p50 ${quantile(late, 0.5)} µs, worst ${quantile(late, 1)} µs`,
  );
  judge('lateness p99', quantile(late, 0.99), limits.lateUs, 'µs');
  judge('bench thread', core, limits.core, 'of a core');
  await rig.end('waves');
};
