// A task of one millisecond on a channel of the daemon that a replay and a batch keep busy, both as
// fast as they can: how many of its frames get out, and how much later each than on an idle bus.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const busbar = resolve(import.meta.dirname, '../../bin/busbar');
const seconds = Number(process.argv[2] ?? 5);
const periodUs = 1000;
/** Frames of eight bytes at 500 kbit/s: from 222 to 270 µs, interframe space included. */
const frameUs = 270;

const home = mkdtempSync(join(tmpdir(), 'busbar-shared-'));
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const env = { ...inherited, BUSBAR_HOME: join(home, 'home') };
const run = promisify(execFile);
const cli = async (...args) => {
  const { stdout } = await run(process.execPath, [busbar, ...args, '--format=json'], {
    env,
    cwd: home,
    maxBuffer: 1 << 28,
  });
  return JSON.parse(stdout);
};
const pause = (delayMs) => new Promise((done) => setTimeout(done, delayMs));

const taskId = 0x700;
const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** The times of the task's frames on the bus, as the other port received them. */
const timesOf = async (after) => {
  const times = [];
  let cursor = after;
  for (;;) {
    const page = await cli(
      'message',
      'history',
      `--after=${cursor}`,
      '--limit=4096',
      '--channel=SIM00001/1',
    );
    for (const event of page.events) {
      if (event.id === taskId && event.status === 0) times.push(event.timestamp_us);
    }
    if (page.events.length === 0) return times;
    cursor = page.events.at(-1).event_id;
  }
};

/** How far the frames are from a grid that begins with the earliest of them. */
const latenessOf = (times) => {
  const offsets = times.map((timeUs, index) => timeUs - times[0] - index * periodUs);
  const base = Math.min(...offsets);
  return offsets.map((offset) => offset - base).sort((one, other) => one - other);
};

const measure = async () => {
  const task = await cli(
    'tx-task',
    'add',
    'SIM00001/0',
    '--id=0x700',
    '--data=0011223344556677',
    '--period=1ms',
    '--pattern=increment_data',
  );
  await pause(seconds * 1000);
  const record = await cli('tx-task', 'remove', task.task_id);
  return record;
};

const failures = [];
try {
  mkdirSync(home, { recursive: true });
  const lines = Array.from(
    { length: 400_000 },
    (_, index) =>
      `(1700000000.${String(index % 1_000_000).padStart(6, '0')}) can0 100#0011223344556677`,
  );
  writeFileSync(join(home, 'flood.log'), `${lines.join('\n')}\n`);
  await cli('daemon', 'start', '--channel=SIM00001/0,bus=can', '--channel=SIM00001/1,bus=can');
  await cli(
    'web',
    'start',
    '--listen=127.0.0.1:0',
    '--log-level=error',
    '--history-capacity=200000',
  );
  await cli('replay', 'start', 'flood.log', '--map=can0=SIM00001/0');
  const batch = spawn(
    process.execPath,
    [busbar, 'message', 'send', 'SIM00001/0', '200#0011223344556677', '--count=400000'],
    { env, cwd: home, stdio: 'ignore' },
  );
  await pause(1000);
  const record = await measure();
  const { stats } = await cli('channel', 'stats', 'SIM00001/1').then((value) => ({ stats: value }));
  batch.kill('SIGINT');
  const total = record.sent + record.failed + record.missed;
  console.log(
    `task: ${record.sent} of ${total} frames handed over, ${record.failed} refused, ${record.missed} periods missed`,
  );
  console.log(`bus load meanwhile: ${stats.bus_load_percent} %`);
  const late = latenessOf(await timesOf(0));
  const worst = late.at(-1) / frameUs;
  console.log(
    `later than on an idle bus: p50 ${percentile(late, 0.5)} µs, p99 ${percentile(late, 0.99)} µs, worst ${late.at(-1)} µs (${worst.toFixed(1)} frame times)`,
  );
  if (record.failed > 0) failures.push('refused');
} finally {
  await cli('daemon', 'stop');
  rmSync(home, { recursive: true, force: true });
}
if (failures.length > 0) process.exitCode = 1;
