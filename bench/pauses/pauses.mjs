// A task every millisecond in a daemon with real-time scheduling, while clients connect and
// disconnect and a database is loaded, compared with a C program that only waits for a kernel
// timer. Both use SCHED_FIFO if permitted; the first second does not count. One C loop runs on
// each processor: it shows the time that the kernel or the host took. Needs cc. Usage: node
// bench/pauses/pauses.mjs [--minutes=1] [--alone]
import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';
import { BenchDaemon, busbar, messageOf } from '../daemon.mjs';

const here = import.meta.dirname;
const periodUs = 1000;
const firstSecond = 1_000_000 / periodUs;
const priority = 20;
const limits = { missed: 0, worst: 1000 };
/** Unix times of the daemon are as exact as its first clock reading, which has milliseconds. */
const clockErrorUs = 2000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    /** Without other clients and databases. */
    alone: { type: 'boolean', default: false },
  },
});
const seconds = Math.ceil(Number(values.minutes) * 60) + 1;

const daemon = new BenchDaemon('pauses');
const { folder } = daemon;
const run = promisify(execFile);

const startPeers = (isRealtime) => {
  const program = join(folder, 'timerfd_loop');
  try {
    execFileSync('cc', ['-O2', '-o', program, join(here, 'timerfd_loop.c')]);
  } catch {
    return undefined;
  }
  const parameters = [isRealtime ? String(priority) : '0', String(seconds)];
  return Promise.all(
    Array.from({ length: availableParallelism() }, async (_, processor) => {
      const { stdout } = await run(program, [String(processor), ...parameters], {
        maxBuffer: 1 << 26,
      });
      return JSON.parse(stdout);
    }),
  );
};

const quantile = (sorted, share) => sorted[Math.ceil(share * sorted.length) - 1];

const within = (value, span) => ((value % span) + span) % span;

/** Offset of the task's grid, derived from the median lateness because its start is unknown. */
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
 * Lateness of frames by their times on the bus. A late time uses its period, and skipped
 * periods are missed.
 */
const judgeFrames = (times, medianUs, taken) => {
  const originUs = originOf(times, medianUs);
  const late = [];
  const own = { missed: 0, worst: 0 };
  let missed = 0;
  let place = 0;
  // Whether a processor was taken away between the due time of a frame and its transmission.
  const wasTaken = (fromUs, toUs) => {
    while (place < taken.length && taken[place].to < fromUs - 1_000_000) place++;
    for (let next = place; next < taken.length && taken[next].from < toUs + 1_000_000; next++) {
      const { from, to } = taken[next];
      if (from - clockErrorUs < toUs && to + clockErrorUs > fromUs) return true;
    }
    return false;
  };
  let turn = -1;
  let lastUs = originUs - 1;
  for (const time of times) {
    const next = Math.max(turn + 1, Math.floor((lastUs - originUs) / periodUs) + 1);
    if (next >= firstSecond) {
      const lateUs = time - originUs - next * periodUs;
      const skipped = Math.max(0, Math.floor(lateUs / periodUs));
      missed += skipped;
      late.push(lateUs);
      if (lateUs > own.worst && !wasTaken(time - lateUs, time)) own.worst = lateUs;
      if (skipped > 0 && !wasTaken(time - lateUs, time)) own.missed += skipped;
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
    own,
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
  const { realtime } = await daemon.start('--realtime', ...channels);
  if (realtime !== 'active') console.log('real-time scheduling was refused to the daemon');
  const listen = await daemon.startWeb();

  const url = `ws://${listen}/api/v1/messages/ws?channel=SIM00001/1`;
  const most = String((seconds + 60) * firstSecond);
  const listener = daemon.fork(join(here, 'listener.mjs'), [url, most], {
    serialization: 'advanced',
  });
  children.push(listener);
  await messageOf(listener);
  if (!values.alone) {
    const parameters = [busbar, listen, 'vehicle.dbc'];
    children.push(daemon.fork(join(here, 'other-clients.mjs'), parameters));
  }

  // Frames of nearly equal length that the virtual device does not send on its own.
  const frame = ['100#', `--period-us=${periodUs}`, '--pattern=increment_id'];
  const peers = startPeers(realtime === 'active');
  const { task_id: task } = await daemon.cli('tx-task', 'add', 'SIM00001/0', ...frame);
  const [loops] = await Promise.all([
    peers,
    new Promise((done) => setTimeout(done, seconds * 1000)),
  ]);
  const record = await daemon.cli('tx-task', 'remove', task);
  const health = await daemon.cli('health');
  listener.send('report');
  const { times, lost } = await messageOf(listener);

  const taken = (loops ?? [])
    .flatMap(({ late }) => late.map(([from, to]) => ({ from, to })))
    .sort((a, b) => a.from - b.from);
  const ours = judgeFrames(times, record.lateness_us.p50, taken);
  print('Busbar', ours);
  console.log(
    `its own account, first second included: ${record.sent} sent, ${record.missed} missed, worst ${record.lateness_us.max} µs; all deadlines ${JSON.stringify(health.daemon.scheduler.lateness_us)}`,
  );
  if (lost > 0) console.log(`${lost} frames did not reach the listener`);
  for (const [processor, loop] of (loops ?? []).entries()) {
    print(`C timerfd loop on processor ${processor}`, loop);
    const ratios = ['p50', 'p99', 'p999', 'worst'].map(
      (name) => `${name} ${(ours[name] / Math.max(1, loop[name])).toFixed(1)}`,
    );
    console.log(`times that loop: ${ratios.join(', ')}`);
  }
  if (loops) {
    const { missed, worst } = ours.own;
    console.log(`while every C loop was in time: ${missed} missed, worst ${worst} µs`);
  } else console.log('C omitted: cc is not installed');
  for (const [name, limit] of Object.entries(limits)) {
    if (ours.own[name] <= limit) continue;
    failed = true;
    console.log(`${name} ${ours.own[name]}: limit ${limit}, beyond it`);
  }
} finally {
  for (const child of children) child.kill();
  await daemon.stop();
}
if (failed) process.exitCode = 1;
