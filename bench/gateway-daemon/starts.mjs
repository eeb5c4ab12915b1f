// Starts sixteen instances together while a transmit task of one millisecond runs.
import { setTimeout as wait } from 'node:timers/promises';
import { senders } from './projects.mjs';
import { quantile } from './timing-windows.mjs';

const instances = Array.from({ length: 16 }, (_, place) => `start-${place}`);
const messages = 10;
const networks = ['first-a', 'second-a'];
const rounds = 8;
const pauseMs = 400;
// A task counts as late after more than a millisecond, as in the counters of instances.
const limits = { startMs: 100, lateUs: 1000 };

const all = (act) => Promise.all(instances.map(act));

const load = (rig) =>
  all((name, place) => {
    const firstId = 0x100 + place * messages;
    const project = senders({ messages, periodMs: 100, networks, firstId, still: true });
    return rig.load(name, project);
  });

const show = (turns) => {
  const [p99, worst] = ['p99', 'max'].map((field) =>
    quantile(
      turns.map((turn) => turn[field]),
      0.5,
    ),
  );
  const missed = turns.map((turn) => turn.missed).join(', ');
  return `p99 ${p99} µs, worst ${worst} µs, ${missed} missed`;
};

export const measureStarts = async (rig, _seconds, judge) => {
  const times = [];
  const start = async () => {
    const beginMs = performance.now();
    await all((name) => rig.startInstance(name));
    times.push(performance.now() - beginMs);
  };
  // Compiled instances are not compiled again, so each round starts new ones.
  const turns = { idle: [], starting: [], running: [] };
  for (let round = 0; round < rounds; round++) {
    await load(rig);
    const measure = async (name, act) =>
      turns[name].push(
        await rig.lateness('SIM00001/0', async () => {
          await wait(pauseMs / 2);
          await act();
          await wait(pauseMs / 2);
        }),
      );
    await measure('idle', () => undefined);
    await measure('starting', start);
    await measure('running', () => undefined);
    await all((name) => rig.end(name));
  }
  await rig.showLoops(3);
  console.log(`${instances.length} instances of ${messages} messages and ${8 * messages} signals`);
  console.log(`  a task of 1 ms, medians of ${rounds}: ${show(turns.starting)}`);
  console.log(`  the same before: ${show(turns.idle)}; while they run: ${show(turns.running)}`);
  console.log(`  starts took ${times.map((time) => time.toFixed(0)).join(', ')} ms`);
  judge('sixteen starts', quantile(times, 0.5), limits.startMs, 'ms');
  const worst = quantile(
    turns.starting.map((turn) => turn.max),
    0.5,
  );
  judge('worst lateness during sixteen starts, median', worst, limits.lateUs, 'µs');
};
