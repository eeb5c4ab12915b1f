// A task of one millisecond on a channel of the daemon, alone and with a replay and a batch
// that send there at full speed: how many of its frames, and of theirs, are sent.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchDaemon } from '../daemon.mjs';

const seconds = Number(process.argv[2] ?? 5);
/** Share of the frames that the task sends alone. */
const leastShare = 0.95;

const daemon = new BenchDaemon('shared');

const flood = '0011223344556677';
const [sender, receiver] = ['SIM00001/0', 'SIM00001/1'];
const channels = [sender, receiver].map((port) => `--channel=${port},bus=can`);

const measure = async (name) => {
  const frame = `700#${flood}`;
  // A pattern that the device does not support, so that the bench thread sends every frame.
  const how = ['--period=1ms', '--pattern=increment_data'];
  const { task_id } = await daemon.cli('tx-task', 'add', sender, frame, ...how);
  await wait(seconds * 1000);
  const load = (await daemon.cli('channel', 'stats', receiver)).bus_load_percent;
  const { sent, failed, missed, lateness_us } = await daemon.cli('tx-task', 'remove', task_id);
  const share = sent / (sent + failed + missed);
  console.log(
    `${name}: ${sent} sent, ${failed} refused, ${missed} periods missed by the thread, lateness p99 ${lateness_us.p99} µs, bus load ${Math.round(load)} %`,
  );
  return { share, failed };
};

try {
  // One second of it takes a minute on this bus.
  const lines = Array.from(
    { length: 400_000 },
    (_, index) => `(1700000000.${String(index).padStart(6, '0')}) can0 100#${flood}\n`,
  );
  writeFileSync(join(daemon.folder, 'flood.log'), lines.join(''));
  await daemon.start(...channels);
  const alone = await measure('alone');
  await daemon.cli('replay', 'start', 'flood.log', `--map=can0=${sender}`);
  const batch = daemon.spawn(['message', 'send', sender, `200#${flood}`, '--count=400000']);
  await wait(1000);
  const before = await daemon.cli('replay', 'status');
  const beside = await measure('with a replay and a batch');
  const after = await daemon.cli('replay', 'status');
  batch.kill('SIGINT');
  console.log(`the replay sent ${after.frames_sent - before.frames_sent} frames meanwhile`);
  const ratio = beside.share / alone.share;
  console.log(`${ratio.toFixed(2)} of what it sends alone (limit ${leastShare})`);
  if (beside.failed > 0 || ratio < leastShare) process.exitCode = 1;
} finally {
  await daemon.stop();
}
