// Timing error of a replay: logs of 20,000 and 1,000 frames/s through the real engine
// (scheduler, read-ahead loader, virtual bench with four CAN FD ports) after warm-up, compared
// with python-can under the same scheduling. The peer gets five seconds of the same traffic and
// a bus that takes no time. The limit applies to real-time scheduling. Usage: node
// bench/replay.mjs [--seconds=20] [--rate=20000]
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { bundlePrograms } from './bundle.mjs';
import { environment as env } from './daemon.mjs';

const here = join(import.meta.dirname, 'replay');
const python = '/usr/bin/python3';
const limitUs = 200;
const peerSeconds = 5;
const peerRate = 1000;
/** Flags of the daemon. */
const nodeFlags = ['--single-threaded-gc'];

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '20000' },
  },
});

const run = promisify(execFile);

const randomNumbers = (seed) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

/** CAN FD frames of eight bytes on four interfaces, at irregular times as on a bus. */
const writeLog = (file, rate, seconds) => {
  const random = randomNumbers(7);
  const lines = [];
  const frames = rate * seconds;
  let timeUs = 1_700_000_000_000_000;
  for (let at = 0; at < frames; at++) {
    const time = `${Math.floor(timeUs / 1e6)}.${String(Math.floor(timeUs % 1e6)).padStart(6, '0')}`;
    const id = (0x100 + (at % 0x400)).toString(16).toUpperCase();
    const data = at.toString(16).toUpperCase().padStart(16, '0');
    lines.push(`(${time}) can${at % 4} ${id}##1${data}\n`);
    timeUs += (random() * 2e6) / rate;
  }
  writeFileSync(file, lines.join(''));
  return { file, frames };
};

const ours = async (folder, { file, frames }, warmUp, ...options) => {
  const args = [...nodeFlags, join(folder, 'measure.mjs'), file, warmUp.file, ...options];
  const { stdout } = await run(process.execPath, args, { env });
  const { record, received, cores, refusal } = JSON.parse(stdout);
  const { p50, p99, max, count } = record.deviation_us;
  if (record.state !== 'finished' || count !== frames || received !== frames) {
    console.log(`${received} of ${frames} frames were received: ${JSON.stringify(record)}`);
    process.exitCode = 1;
  }
  return { p50, p99, max, cores, refusal };
};

const hasPythonCan = async () => {
  if (!existsSync(python)) return false;
  return run(python, ['-c', 'import can'], { env }).then(
    () => true,
    () => false,
  );
};

/** Real-time priority of our bench thread, if real time is used. */
const theirs = async ({ file }, isRealtime) => {
  const command = [python, join(here, 'python_can_peer.py'), file];
  const [program, ...args] = isRealtime ? ['chrt', '-f', '10', ...command] : command;
  const { stdout } = await run(program, args, { env });
  return JSON.parse(stdout);
};

const microseconds = (value) => `${Math.round(value).toLocaleString('en')} µs`.padStart(14);

const print = (name, rate, { p50, p99, max, cores }) => {
  const load = cores === undefined ? '' : `  ${cores.toFixed(2)} cores, all threads`;
  const figures = [p50, p99, max].map(microseconds).join('');
  console.log(`${name.padEnd(18)}${String(rate).padStart(8)}${figures}${load}`);
};

/**
 * Ours and the peer under the same scheduling, at the full rate and at one that both can
 * sustain.
 */
const compare = async (folder, logs, isRealtime, hasPeer) => {
  const way = isRealtime ? ' --realtime' : '';
  const options = isRealtime ? ['--realtime'] : [];
  const results = {};
  for (const [rate, log, peerLog] of logs) {
    const own = await ours(folder, log, logs[0][2], ...options);
    if (own.refusal) console.log(`real time is refused here: ${own.refusal}`);
    print(`busbar${way}`, rate, own);
    results[rate] = own;
    if (!hasPeer || own.refusal) continue;
    const peer = await theirs(peerLog, isRealtime);
    print(`python-can${isRealtime ? ', FIFO' : ''}`, rate, peer);
    const times = ['p50', 'p99'].map((share) => (peer[share] / own[share]).toFixed(1));
    console.log(`  the peer to ours: ${times[0]} times at p50, ${times[1]} at p99`);
  }
  return results;
};

const measureAll = async (folder) => {
  const rate = Number(values.rate);
  const seconds = Number(values.seconds);
  const full = writeLog(join(folder, 'full.log'), rate, seconds);
  const short = writeLog(join(folder, 'short.log'), rate, Math.min(seconds, peerSeconds));
  const slow = writeLog(join(folder, 'slow.log'), peerRate, peerSeconds);
  const logs = [
    [rate, full, short],
    [peerRate, slow, slow],
  ];
  const hasPeer = await hasPythonCan();
  if (!hasPeer) console.log('python-can is not installed: no peer');
  console.log('replay            frames/s           p50           p99           max');
  await compare(folder, logs, false, hasPeer);
  const realtime = await compare(folder, logs, true, hasPeer);
  return realtime[rate].p99;
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-replay-'));
try {
  const [load] = loadavg();
  console.log(`load average before: ${load.toFixed(1)} on ${availableParallelism()} cores`);
  await bundlePrograms(here, ['measure', 'loader-worker'], folder);
  const p99 = await measureAll(folder);
  const isHeld = p99 <= limitUs;
  console.log(`p99 ${Math.round(p99)} µs, limit ${limitUs} µs: ${isHeld ? 'held' : 'missed'}`);
  if (!isHeld) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
