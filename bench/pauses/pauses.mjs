// A task every millisecond in a daemon with real-time scheduling, while clients come and go and a
// database is loaded, beside a C program that waits for a timer of the kernel and does nothing else.
// Both with SCHED_FIFO where that is granted; the first second of both does not count. Needs cc.
// Usage: node bench/pauses/pauses.mjs [--minutes=1] [--alone]
import { execFile, execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';

const here = import.meta.dirname;
const busbar = resolve(here, '../../bin/busbar');
const periodUs = 1000;
const firstSecond = 1_000_000 / periodUs;
/** That of the bench thread. */
const priority = 20;
const limits = { missed: 0, worst: 1000 };

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    /** Without clients and databases beside it. */
    alone: { type: 'boolean', default: false },
  },
});
const seconds = Math.ceil(Number(values.minutes) * 60) + 1;

const folder = mkdtempSync(join(tmpdir(), 'busbar-pauses-'));
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const env = { ...inherited, BUSBAR_HOME: join(folder, 'home') };
const run = promisify(execFile);
const cli = async (...args) => {
  const { stdout } = await run(process.execPath, [busbar, ...args, '--format=json'], {
    env,
    cwd: folder,
  });
  return JSON.parse(stdout);
};
const answerOf = (child) => new Promise((done) => child.once('message', done));

const startPeer = (isRealtime) => {
  const program = join(folder, 'timerfd_loop');
  try {
    execFileSync('cc', ['-O2', '-o', program, join(here, 'timerfd_loop.c')]);
  } catch {
    return undefined;
  }
  const parameters = [isRealtime ? String(priority) : '0', String(seconds)];
  return run(program, parameters).then(({ stdout }) => JSON.parse(stdout));
};

const quantile = (sorted, share) => sorted[Math.ceil(share * sorted.length) - 1];

/** The remainder that is not negative. */
const within = (value, span) => ((value % span) + span) % span;

/**
 * Where the grid of the task lies among the times of its frames. When it began is not told, but how
 * late it was half of the time is.
 */
const originOf = (times, medianUs) => {
  const counts = new Uint32Array(periodUs);
  for (const time of times) counts[Math.floor(within(time - times[0], periodUs))] += 1;
  const usual = counts.indexOf(Math.max(...counts));
  const half = periodUs / 2;
  const fromUsual = Float64Array.from(
    times,
    (time) => within(time - times[0] - usual + half, periodUs) - half,
  ).sort();
  const phase = usual + quantile(fromUsual, 0.5) - medianUs;
  return times[0] - within(-phase, periodUs);
};

/**
 * How late frames were, by the times they have on the bus. A time that comes late is used once, and
 * those that went by meanwhile are missed.
 */
const judgeFrames = (times, medianUs) => {
  const originUs = originOf(times, medianUs);
  const late = [];
  let missed = 0;
  let turn = -1;
  let lastUs = originUs - 1;
  for (const time of times) {
    const next = Math.max(turn + 1, Math.floor((lastUs - originUs) / periodUs) + 1);
    if (next >= firstSecond) {
      missed += next - turn - 1;
      late.push(time - originUs - next * periodUs);
    }
    turn = next;
    lastUs = time;
  }
  const sorted = Float64Array.from(late).sort();
  return {
    count: sorted.length,
    missed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    p999: quantile(sorted, 0.999),
    worst: quantile(sorted, 1),
  };
};

const print = (name, { count, missed, p50, p99, p999, worst }) =>
  console.log(
    `${name}: ${count} periods, ${missed} missed; p50 ${p50} µs, p99 ${p99} µs, p99.9 ${p999} µs, worst ${worst} µs`,
  );

const children = [];
let failed = false;
try {
  await bundlePrograms(join(here, '../dbc'), ['synthetic-dbc'], folder);
  const { syntheticDbc } = await import(join(folder, 'synthetic-dbc.mjs'));
  writeFileSync(join(folder, 'vehicle.dbc'), syntheticDbc(1000));
  console.log(`load average before: ${loadavg()[0].toFixed(1)}`);

  const channels = [0, 1].map((port) => `--channel=SIM00001/${port},bitrate=1000000`);
  const { realtime } = await cli('daemon', 'start', '--realtime', ...channels);
  if (realtime !== 'active') console.log('real-time scheduling was refused to the daemon');
  const { listen } = await cli('web', 'start', '--listen=127.0.0.1:0', '--log-level=error');

  const url = `ws://${listen}/api/v1/messages/ws?channel=SIM00001/1`;
  const most = String((seconds + 60) * firstSecond);
  const listener = fork(join(here, 'listener.mjs'), [url, most], {
    env,
    serialization: 'advanced',
  });
  children.push(listener);
  await answerOf(listener);
  if (!values.alone) {
    const parameters = [busbar, listen, 'vehicle.dbc'];
    children.push(fork(join(here, 'company.mjs'), parameters, { env, cwd: folder }));
  }

  // Frames whose length hardly differs, and which the virtual device does not send by itself.
  const frame = ['100#', `--period-us=${periodUs}`, '--pattern=increment_id'];
  const peer = startPeer(realtime === 'active');
  const { task_id: task } = await cli('tx-task', 'add', 'SIM00001/0', ...frame);
  const [theirs] = await Promise.all([
    peer,
    new Promise((done) => setTimeout(done, seconds * 1000)),
  ]);
  const record = await cli('tx-task', 'remove', task);
  const { daemon } = await cli('health');
  listener.send('report');
  const { times, lost } = await answerOf(listener);

  const ours = judgeFrames(times, record.lateness_us.p50);
  print('Busbar', ours);
  console.log(
    `its own account, first second included: ${record.sent} sent, ${record.missed} missed, worst ${record.lateness_us.max} µs; all deadlines ${JSON.stringify(daemon.scheduler.lateness_us)}`,
  );
  if (lost > 0) console.log(`${lost} frames did not reach the listener`);
  if (theirs) {
    print('C timerfd loop', theirs);
    const ratios = ['p50', 'p99', 'p999', 'worst'].map(
      (name) => `${name} ${(ours[name] / Math.max(1, theirs[name])).toFixed(1)}`,
    );
    console.log(`times the C loop: ${ratios.join(', ')}`);
  } else console.log('C left out: there is no cc');
  for (const [name, limit] of Object.entries(limits)) {
    if (ours[name] <= limit) continue;
    failed = true;
    console.log(`${name} ${ours[name]}: limit ${limit}, beyond it`);
  }
} finally {
  for (const child of children) child.kill();
  await cli('daemon', 'stop');
  rmSync(folder, { recursive: true, force: true });
}
if (failed) process.exitCode = 1;
