// The whole daemon under load: 20,000 frames a second over two virtual segments, eight WebSocket
// clients that get every one of them, and what that costs the bench thread and its deadlines.
import { execFile, fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const here = import.meta.dirname;
const busbar = resolve(here, '../../bin/busbar');
const seconds = Number(process.argv[2] ?? 10);
const cycleUs = 100;
const clientCount = 8;
const limits = { core: 0.5, p99: 400, idleMemoryMb: 120 };

const home = mkdtempSync(join(tmpdir(), 'busbar-load-'));
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const env = { ...inherited, BUSBAR_HOME: join(home, 'home') };
const run = promisify(execFile);
const cli = async (...args) => {
  const { stdout } = await run(process.execPath, [busbar, ...args, '--format=json'], {
    env,
    cwd: home,
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout);
};

/** Seconds that a thread has run so far; the kernel counts in hundredths. */
const cpuOf = (pid, thread) => {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;

const settled = (delayMs) => new Promise((done) => setTimeout(done, delayMs));

const frame = '100##11122334455667788';
const pace = [`--cycle-us=${cycleUs}`, '--format=json'];
const fast = 'bus=canfd,bitrate=1000000,data_bitrate=8000000';
const failures = [];
const judge = (name, value, limit, unit) => {
  const met = value <= limit;
  if (!met) failures.push(name);
  console.log(
    `${name}: ${value.toFixed(unit === 'µs' ? 0 : 2)} ${unit}, limit ${limit}${met ? '' : ', beyond it'}`,
  );
};

try {
  const channels = [0, 1, 2, 3].map((port) => `--channel=SIM00001/${port},${fast}`);
  const { pid } = await cli(
    'daemon',
    'start',
    ...channels,
    '--channel=SIM00001/4',
    '--channel=SIM00001/5',
  );
  const { listen } = await cli('web', 'start', '--listen=127.0.0.1:0', '--log-level=error');
  await settled(2000);
  judge('resident memory, six channels open, Web idle', residentMb(pid), limits.idleMemoryMb, 'MB');

  const url = `ws://${listen}/api/v1/messages/ws?channel=SIM00001/1&channel=SIM00001/3`;
  const clients = fork(join(here, 'clients.mjs'), [url, String(clientCount)], { env });
  await new Promise((done) => clients.once('message', done));

  const count = Math.round((seconds * 1e6) / cycleUs);
  const startedAt = performance.now();
  const cpuBefore = cpuOf(pid, pid);
  const batches = [0, 2].map(
    (port) =>
      new Promise((done) => {
        const child = spawn(
          process.execPath,
          [busbar, 'message', 'send', `SIM00001/${port}`, frame, `--count=${count}`, ...pace],
          { env, cwd: home, stdio: ['ignore', 'pipe', 'inherit'] },
        );
        let text = '';
        child.stdout.on('data', (chunk) => {
          text += chunk;
        });
        child.on('close', () => done(JSON.parse(text)));
      }),
  );
  await Promise.all(batches);
  const elapsed = (performance.now() - startedAt) / 1000;
  const core = (cpuOf(pid, pid) - cpuBefore) / elapsed;
  await settled(500);
  clients.send('report');
  const reports = await new Promise((done) => clients.once('message', done));
  clients.kill();
  const { daemon } = await cli('health');
  const { p50, p99, count: runs } = daemon.scheduler.lateness_us;

  const sent = 2 * count;
  const received = reports.reduce((sum, { events }) => sum + events, 0);
  const missing = reports.reduce((sum, { missing: lost }) => sum + lost, 0);
  console.log(
    `${sent} frames in ${elapsed.toFixed(1)} s (${Math.round(sent / elapsed)}/s); ${clientCount} clients received ${received} of ${sent * clientCount}, ${missing} missing in between`,
  );
  if (missing > 0 || received !== sent * clientCount) failures.push('delivery');
  judge('bench thread', core, limits.core, 'of a core');
  console.log(`lateness over ${runs} runs: p50 ${p50} µs`);
  judge('lateness p99', p99, limits.p99, 'µs');
  console.log(`resident memory after: ${residentMb(pid).toFixed(0)} MB`);
} finally {
  await cli('daemon', 'stop');
  rmSync(home, { recursive: true, force: true });
}
if (failures.length > 0) process.exitCode = 1;
