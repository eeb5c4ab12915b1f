// Cost for the bench thread of reading pages of 1,000 signals twenty times a second.
import { setTimeout as wait } from 'node:timers/promises';
import { senders } from './projects.mjs';

const messages = 125;
const everyMs = 50;
const turns = 3;
const limitCore = 0.03;

export const measureSignalPages = async (rig, seconds, judge) => {
  const networks = ['first-a', 'second-a'];
  await rig.load('pages', senders({ messages, periodMs: 20, networks, firstId: 0x100 }));
  await rig.startInstance('pages');
  await wait(1000);
  let read = 0;
  const readPages = async (untilMs) => {
    while (performance.now() < untilMs) {
      const nextMs = performance.now() + everyMs;
      const { signals } = await rig.ask('GET', 'gateways/pages/signals?limit=1000');
      if (signals.length !== 1000) throw new Error(`${signals.length} signals`);
      read += 1;
      await wait(Math.max(0, nextMs - performance.now()));
    }
  };
  const cores = { without: 0, with: 0 };
  for (let turn = 0; turn < turns; turn++) {
    cores.without += await rig.benchThread(() => wait(seconds * 1000));
    cores.with += await rig.benchThread(() => readPages(performance.now() + seconds * 1000));
  }
  await rig.end('pages');
  const [idle, busy] = [cores.without / turns, cores.with / turns];
  const rate = (read / turns / seconds).toFixed(1);
  console.log(
    `${rate} pages of 1,000 signals a second: bench thread ${busy.toFixed(3)} of a core, ${idle.toFixed(3)} without`,
  );
  judge('bench thread, more for pages', busy - idle, limitCore, 'of a core');
};
