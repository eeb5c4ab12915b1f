// The whole daemon under load: 20,000 frames/s on two virtual segments, eight WebSocket clients
// that receive all of them, and the cost for the bench thread and its deadlines.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchDaemon, fastChannels, messageOf } from '../daemon.mjs';
import { mainThreadCpu, residentMb } from '../process-usage.mjs';

const here = import.meta.dirname;
const seconds = Number(process.argv[2] ?? 10);
const cycleUs = 100;
const clientCount = 8;
const limits = { core: 0.5, p99: 400, idleMemoryMb: 120 };

const daemon = new BenchDaemon('load');

const frame = '100##11122334455667788';
const pace = [`--cycle-us=${cycleUs}`, '--format=json'];
const failures = [];
const judge = (name, value, limit, unit) => {
  const met = value <= limit;
  if (!met) failures.push(name);
  console.log(
    `${name}: ${value.toFixed(unit === 'µs' ? 0 : 2)} ${unit}, limit ${limit}${met ? '' : ', beyond it'}`,
  );
};

try {
  const { pid } = await daemon.start(
    ...fastChannels,
    '--channel=SIM00001/4',
    '--channel=SIM00001/5',
  );
  const listen = await daemon.startWeb();
  await wait(2000);
  judge('resident memory, six channels open, Web idle', residentMb(pid), limits.idleMemoryMb, 'MB');

  const url = `ws://${listen}/api/v1/messages/ws?channel=SIM00001/1&channel=SIM00001/3`;
  const clients = daemon.fork(join(here, 'clients.mjs'), [url, String(clientCount)]);
  await messageOf(clients);

  const count = Math.round((seconds * 1e6) / cycleUs);
  const startedAt = performance.now();
  const cpuBefore = mainThreadCpu(pid);
  const batches = [0, 2].map(
    (port) =>
      new Promise((done) => {
        const child = daemon.spawn(
          ['message', 'send', `SIM00001/${port}`, frame, `--count=${count}`, ...pace],
          ['ignore', 'pipe', 'inherit'],
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
  const core = (mainThreadCpu(pid) - cpuBefore) / elapsed;
  await wait(500);
  clients.send('report');
  const reports = await messageOf(clients);
  clients.kill();
  const health = await daemon.cli('health');
  const { p50, p99, count: runs } = health.daemon.scheduler.lateness_us;

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
  await daemon.stop();
}
if (failures.length > 0) process.exitCode = 1;
