// The trace of the console under load: 20,000 frames a second over the virtual bench, shown by a
// real browser. How often the picture is renewed, what the page loses and whether its memory grows.
// Usage: node bench/console-trace.mjs [--seconds=60]
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { build } from 'vite';
import { openPage } from './chromium.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const seconds = Number(values.seconds);
const here = import.meta.dirname;
const busbar = resolve(here, '..', 'bin', 'busbar');
const limits = { updates: 30, growthMb: 24, heapGrowthMb: 4 };
/** The page keeps 262,144 frames: until these are there, memory has to grow. */
const settlingSeconds = Math.max(20, Math.round(seconds / 4));

const folder = mkdtempSync(join(tmpdir(), 'busbar-trace-'));
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

const fast = 'bus=canfd,bitrate=1000000,data_bitrate=8000000';
/** Each frame is sent on one port and received on another of its segment, which makes two events. */
const tasks = [
  ['SIM00001/0', '100##11122334455667788'],
  ['SIM00001/1', '18FF50E5#0000000000000000'],
  ['SIM00001/2', '200##11122334455667788'],
  ['SIM00001/3', `300##1${'00'.repeat(32)}`],
];
const periodUs = 400;

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;

const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

const check = (what, isReached) => {
  console.log(`${what}${isReached ? '' : ', missed'}`);
  if (!isReached) process.exitCode = 1;
};

/** Counts, inside the page, the screen frames at which the newest row shows another time. */
const countUpdates = `(() => {
  const cell = () =>
    [...document.querySelectorAll('[data-testid="trace-table"] tbody tr:not([hidden])')]
      .at(-1)
      ?.querySelector('[data-field="time"]')?.textContent;
  let last = cell();
  globalThis.traceUpdates = 0;
  const look = () => {
    const now = cell();
    if (now !== last) globalThis.traceUpdates++;
    last = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/** What the page says about itself. */
const figures = `(() => {
  const node = (id) => document.querySelector('[data-testid="' + id + '"]');
  const number = (id) => Number(node(id).textContent.replace(/[^0-9.]/g, ''));
  return {
    state: node('trace-status')?.dataset.state,
    received: number('ws-received'),
    gaps: Number(node('trace-gaps').dataset.gaps),
    gapsText: node('trace-gaps').textContent,
    updates: globalThis.traceUpdates,
  };
})()`;

const isLive = `document.querySelector('[data-testid="trace-status"]')?.dataset.state === 'live'`;

/** Seconds that each thread of a process has run, by its name. */
const cpuOf = (pid) => {
  const seconds = new Map();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const own = Number(thread) === pid ? 'main' : name;
    const cpu = (Number(fields[11]) + Number(fields[12])) / 100;
    seconds.set(own, (seconds.get(own) ?? 0) + cpu);
  }
  return seconds;
};

let browser;
try {
  mkdirSync(join(folder, 'web'));
  await build({
    configFile: resolve(here, '..', 'console', 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: join(folder, 'web') },
  });
  await cli('daemon', 'start', ...[0, 1, 2, 3].map((port) => `--channel=SIM00001/${port},${fast}`));
  const { listen } = await cli('web', 'start', '--listen=127.0.0.1:0', '--web-root=web');
  for (const [channel, frame] of tasks) {
    const options = [`--period-us=${periodUs}`, '--pattern=increment_data'];
    await cli('tx-task', 'add', channel, frame, ...options);
  }

  browser = await openPage(`http://${listen}/#trace`, { folder, width: 1920, height: 1080 });
  const { page } = browser;
  while (!(await page.evaluate(isLive))) await wait(100);
  const heapMb = async () => {
    await page.send('HeapProfiler.collectGarbage');
    const { usedSize } = await page.send('Runtime.getHeapUsage');
    return usedSize / 2 ** 20;
  };

  await wait(settlingSeconds * 1000);
  await page.evaluate(countUpdates);
  const renderers = await browser.processes('renderer');
  const [renderer] = renderers.toSorted((a, b) => residentMb(b) - residentMb(a));
  const settledHeap = await heapMb();
  const before = await page.evaluate(figures);
  const cpuBefore = cpuOf(renderer);
  const startedAt = performance.now();
  const resident = [];
  const every = Math.max(1, Math.round((seconds - settlingSeconds) / 10));
  for (let second = settlingSeconds; second < seconds; second++) {
    await wait(1000);
    resident.push(residentMb(renderer));
    if ((second - settlingSeconds) % every !== 0) continue;
    const { received, updates, gapsText } = await page.evaluate(figures);
    console.log(
      `${second} s: ${resident.at(-1).toFixed(0)} MB resident, ${received} received, ${updates} updates, ${gapsText}`,
    );
  }
  const after = await page.evaluate(figures);
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpuAfter = cpuOf(renderer);
  const cpu = (name) => (cpuAfter.get(name) ?? 0) - (cpuBefore.get(name) ?? 0);
  const frames = after.received - before.received;
  const updates = after.updates / elapsed;
  const heap = await heapMb();
  const window = Math.min(10, Math.ceil(resident.length / 2));
  const grown = mean(resident.slice(-window)) - mean(resident.slice(0, window));

  console.log(`${Math.round(frames / elapsed)} frames/s received over ${elapsed.toFixed(0)} s`);
  console.log(
    `worker ${((cpu('DedicatedWorker') * 1e6) / frames).toFixed(1)} µs a frame, page ${((cpu('main') * 1e3) / after.updates).toFixed(1)} ms an update`,
  );
  check(
    `${updates.toFixed(1)} rendered updates/s (limit ${limits.updates})`,
    updates >= limits.updates,
  );
  check(`${after.gaps} gaps (limit 0)`, after.gaps === 0);
  check(
    `renderer ${mean(resident.slice(-window)).toFixed(0)} MB resident, ${grown.toFixed(1)} MB more than when settled (limit ${limits.growthMb})`,
    grown <= limits.growthMb,
  );
  check(
    `heap of the page ${heap.toFixed(1)} MB, ${(heap - settledHeap).toFixed(1)} MB more than when settled (limit ${limits.heapGrowthMb})`,
    heap - settledHeap <= limits.heapGrowthMb,
  );
} finally {
  await browser?.close();
  await cli('daemon', 'stop');
  rmSync(folder, { recursive: true, force: true });
}
