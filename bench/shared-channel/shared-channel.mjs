// A task of one millisecond on a channel of the daemon, alone and beside a replay and a batch that
// both send there as fast as they can: how many of its frames get out, and how many of theirs.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const busbar = resolve(import.meta.dirname, '../../bin/busbar');
const seconds = Number(process.argv[2] ?? 5);
/** Of the frames that the task sends alone. */
const leastShare = 0.95;

const home = mkdtempSync(join(tmpdir(), 'busbar-shared-'));
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const env = { ...inherited, BUSBAR_HOME: join(home, 'home') };
const options = { env, cwd: home, maxBuffer: 1 << 26 };
const cli = async (...args) => {
  const command = [busbar, ...args, '--format=json'];
  return JSON.parse((await promisify(execFile)(process.execPath, command, options)).stdout);
};
const pause = (delayMs) => new Promise((done) => setTimeout(done, delayMs));

const flood = '0011223344556677';
const [sender, receiver] = ['SIM00001/0', 'SIM00001/1'];
const channels = [sender, receiver].map((port) => `--channel=${port},bus=can`);

/** What becomes of the task in a few seconds. */
const measure = async (name) => {
  const frame = `700#${flood}`;
  // A pattern that the device does not know, so that the bench thread sends every frame.
  const how = ['--period=1ms', '--pattern=increment_data'];
  const { task_id } = await cli('tx-task', 'add', sender, frame, ...how);
  await pause(seconds * 1000);
  const load = (await cli('channel', 'stats', receiver)).bus_load_percent;
  const { sent, failed, missed, lateness_us } = await cli('tx-task', 'remove', task_id);
  const share = sent / (sent + failed + missed);
  console.log(
    `${name}: ${sent} sent, ${failed} refused, ${missed} periods missed by the thread, lateness p99 ${lateness_us.p99} µs, bus load ${Math.round(load)} %`,
  );
  return { share, failed };
};

try {
  // A second of it would take a minute on this bus.
  const lines = Array.from(
    { length: 400_000 },
    (_, index) => `(1700000000.${String(index).padStart(6, '0')}) can0 100#${flood}\n`,
  );
  writeFileSync(join(home, 'flood.log'), lines.join(''));
  await cli('daemon', 'start', ...channels);
  const alone = await measure('alone');
  await cli('replay', 'start', 'flood.log', `--map=can0=${sender}`);
  const batch = spawn(
    process.execPath,
    [busbar, 'message', 'send', sender, `200#${flood}`, '--count=400000'],
    { ...options, stdio: 'ignore' },
  );
  await pause(1000);
  const before = await cli('replay', 'status');
  const beside = await measure('beside a replay and a batch');
  const after = await cli('replay', 'status');
  batch.kill('SIGINT');
  console.log(`the replay sent ${after.frames_sent - before.frames_sent} frames meanwhile`);
  const ratio = beside.share / alone.share;
  console.log(`${ratio.toFixed(2)} of what it sends alone (limit ${leastShare})`);
  if (beside.failed > 0 || ratio < leastShare) process.exitCode = 1;
} finally {
  await cli('daemon', 'stop');
  rmSync(home, { recursive: true, force: true });
}
