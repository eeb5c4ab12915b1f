// Messages by name in the daemon. A plan of a whole database of 2,000 signals at 20,000 frames/s:
// what it costs the threads, compared with the same load without it. A rest bus of 100 messages
// with counters: its lateness and processor time, compared with tasks that send the same frames as
// bytes. Both send in turn, in many short rounds with the same phases, so that other work on the
// machine meets them alike; ratios are shown with the range of 90 % of resampled pairs of rounds.
// Usage: node bench/names.mjs [seconds of a round with the plan, 4]
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchDaemon, fastChannels } from './daemon.mjs';
import { cpuOf, mainThreadCpu, total } from './process-usage.mjs';

const seconds = Number(process.argv[2] ?? 4);
const rounds = 5;
const busRounds = 24;
const busRoundMs = 1500;
/** From the start of a task to that of the next: their phases are 0.1 ms apart. */
const busStepMs = 3.1;
const resamples = 2000;
const planMessages = 250;
const planCycleMs = 25;
const busMessages = 100;
const busCycleMs = 10;
const limits = { plan: 0.5, bench: 0.05, rest: 1.1 };

const dbcOf = (count, firstId, cycleMs) =>
  [
    'VERSION ""',
    'BU_: A B',
    ...Array.from({ length: count }, (_, index) =>
      [
        `BO_ ${firstId + index} Message${index}: 8 A`,
        ' SG_ Alive : 0|4@1+ (1,0) [0|14] "" B',
        ' SG_ Mode : 4|4@1+ (1,0) [0|15] "" B',
        ...[1, 2, 3, 4, 5, 6].map((at) => ` SG_ S${at} : ${8 * at}|8@1+ (0.5,-10) [0|0] "degC" B`),
      ].join('\n'),
    ),
    'BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;',
    ...Array.from(
      { length: count },
      (_, index) => `BA_ "GenMsgCycleTime" BO_ ${firstId + index} ${cycleMs};`,
    ),
    '',
  ].join('\n');

const daemon = new BenchDaemon('names');
let listen = '';

const ask = (method, path, body) =>
  new Promise((done, failed) => {
    const [host, port] = listen.split(':');
    const headers = body ? { 'content-type': 'application/json' } : {};
    const call = request({ host, port, path: `/api/v1/${path}`, method, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () =>
        answer.statusCode < 300 ? done(JSON.parse(text)) : failed(new Error(text)),
      );
    });
    call.on('error', failed);
    call.end(body && JSON.stringify(body));
  });

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Cores that the bench thread and all others use. */
const usage = async (pid) => {
  const [main, all] = [mainThreadCpu(pid), total(cpuOf(pid))];
  const start = performance.now();
  await wait(seconds * 1000);
  const elapsed = (performance.now() - start) / 1000;
  const bench = (mainThreadCpu(pid) - main) / elapsed;
  return { bench, others: (total(cpuOf(pid)) - all) / elapsed - bench };
};

const removeTasks = async (tasks) => {
  const ended = [];
  for (const { task_id } of tasks) ended.push(await ask('DELETE', `tx-tasks/${task_id}`));
  return ended;
};

const wholePlan = async (pid) => {
  const importTo = (channel) => ask('POST', 'tx-tasks/import', { channel, database: 'plan' });
  const made = [await importTo('SIM00001/0'), await importTo('SIM00001/2')];
  const results = { without: [], with: [] };
  let decoded = 0;
  for (let round = 0; round < rounds; round++) {
    results.without.push(await usage(pid));
    const plans = [];
    for (const channel of ['SIM00001/1', 'SIM00001/3']) {
      plans.push(await ask('POST', 'signals/plans', { channel, database: 'plan' }));
    }
    results.with.push(await usage(pid));
    for (const { plan_id } of plans) {
      decoded += (await ask('DELETE', `signals/plans/${plan_id}`)).frames;
    }
  }
  await removeTasks(made.flatMap(({ tasks }) => tasks));
  const added = (kind) =>
    median(results.with.map((usage, round) => usage[kind] - results.without[round][kind]));
  return { others: added('others'), bench: added('bench'), rate: decoded / rounds / seconds };
};

const until = async (time) => {
  while (performance.now() < time) await new Promise(setImmediate);
};

/** Phases matter more than what tasks send, and answers take differently long. */
const addBus = async (bodyOf) => {
  const start = performance.now();
  const tasks = [];
  for (let index = 0; index < busMessages; index++) {
    await until(start + index * busStepMs);
    tasks.push(ask('POST', 'tx-tasks', { channel: 'SIM00001/0', ...bodyOf(index) }));
  }
  return Promise.all(tasks);
};

/** Lateness of each task of a bus, and processor time of the bench thread. */
const latenessOf = async (pid, bodyOf) => {
  const tasks = await addBus(bodyOf);
  const before = mainThreadCpu(pid);
  await wait(busRoundMs);
  const cpu = mainThreadCpu(pid) - before;
  const ended = (await removeTasks(tasks)).map(({ lateness_us }) => lateness_us);
  return { p50: ended.map(({ p50 }) => p50), p99: ended.map(({ p99 }) => p99), cpu };
};

const byName = (index) => ({ message: `Message${index}`, counter: { signal: 'Alive', max: '14' } });
const asBytes = (index) => ({
  id: 0x100 + index,
  data: '0014141414141414',
  period_us: busCycleMs * 1000,
  offload: false,
});

const restBus = async (pid) => {
  const pairs = [];
  for (let round = 0; round < busRounds; round++) {
    // Each is the first one in half of the rounds.
    const order = round % 2 === 0 ? [byName, asBytes] : [asBytes, byName];
    const [one, other] = [await latenessOf(pid, order[0]), await latenessOf(pid, order[1])];
    pairs.push(round % 2 === 0 ? [one, other] : [other, one]);
  }
  return pairs;
};

let state = 1;
const random = (limit) => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

/** A statistic of pairs of rounds by name and as bytes, and that of each in resampled pairs. */
const compared = (pairs, statistic) => {
  const ofPairs = (some) => [0, 1].map((place) => statistic(some.map((pair) => pair[place])));
  const ratioOf = ([name, bytes]) => name / bytes;
  const values = ofPairs(pairs);
  const ratios = Array.from({ length: resamples }, () =>
    ratioOf(ofPairs(pairs.map(() => pairs[random(pairs.length)]))),
  ).sort((a, b) => a - b);
  const range = [0.05, 0.95].map((share) => ratios[Math.floor(share * resamples)].toFixed(2));
  return { values, ratio: ratioOf(values), range: range.join(' to ') };
};

const judge = (text, value, limit) => {
  console.log(`${text} (limit ${limit})`);
  if (value > limit) process.exitCode = 1;
};

try {
  writeFileSync(join(daemon.folder, 'plan.dbc'), dbcOf(planMessages, 0x100, planCycleMs));
  writeFileSync(join(daemon.folder, 'bus.dbc'), dbcOf(busMessages, 0x100, busCycleMs));
  // Without real-time scheduling, lateness is that of other work on the machine.
  const { pid } = await daemon.start(...fastChannels, '--realtime');
  listen = await daemon.startWeb();
  for (const file of ['plan.dbc', 'bus.dbc']) await daemon.cli('database', 'load', file);
  await daemon.cli('database', 'attach', 'bus', '--channel=SIM00001/0');
  const plan = await wholePlan(pid);
  console.log(`plan of ${planMessages * 8} signals: ${Math.round(plan.rate)} frames/s decoded`);
  judge(`  other threads: ${plan.others.toFixed(2)} of a core more`, plan.others, limits.plan);
  judge(`  bench thread: ${plan.bench.toFixed(2)} of a core more`, plan.bench, limits.bench);
  const pairs = await restBus(pid);
  console.log(
    `${busMessages} messages with counters every ${busCycleMs} ms, ${busRounds} rounds each`,
  );
  const sent = (busMessages * busRoundMs) / busCycleMs;
  const statistics = {
    'lateness p50': [(rounds) => median(rounds.flatMap(({ p50 }) => p50)), 0],
    'lateness p99': [(rounds) => median(rounds.flatMap(({ p99 }) => p99)), 0],
    'bench thread a frame': [(rounds) => (median(rounds.map(({ cpu }) => cpu)) * 1e6) / sent, 1],
  };
  for (const [name, [statistic, digits]] of Object.entries(statistics)) {
    const { values, ratio, range } = compared(pairs, statistic);
    const [named, plain] = values.map((value) => value.toFixed(digits));
    const text = `  ${name}: ${named} µs, as bytes ${plain} µs: ${ratio.toFixed(2)} times, ${range}`;
    judge(text, ratio, limits.rest);
  }
} finally {
  await daemon.stop();
}
