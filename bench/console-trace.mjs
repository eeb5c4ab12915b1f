// The console trace under load: 20,000 frames/s on the virtual bench in a real browser.
// Measures updates per second, lost frames and memory growth. Usage: node
// bench/console-trace.mjs [--seconds=60]
import { mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { openPage } from './chromium.mjs';
import { hasRows, isLive, traceFigures, watchUpdates } from './console-trace/in-page.mjs';
import { loadTasks } from './console-trace/load.mjs';
import { BenchDaemon, fastChannels } from './daemon.mjs';
import { cpuOf, residentMb, total } from './process-usage.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const seconds = Number(values.seconds);
const here = import.meta.dirname;
/** The console draws at most ten pictures a second. */
const limits = { updates: 8, residentMb: 24, heapMb: 4, buffersMb: 4 };
/** The page stores 262,144 frames; until then its memory has to grow. */
const settlingSeconds = Math.max(20, Math.round(seconds / 4));
/** An average hides a frozen display: the slowest interval of this length shows it. */
const stretchSeconds = 10;

const daemon = new BenchDaemon('trace');
const { folder } = daemon;

const mb = (bytes) => bytes / 2 ** 20;

const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

const check = (what, isReached) => {
  console.log(`${what}${isReached ? '' : ', missed'}`);
  if (!isReached) process.exitCode = 1;
};

const cpuOfAll = () => {
  const [times] = readFileSync('/proc/stat', 'latin1').split('\n');
  const [user, nice, system, , , interrupts, soft] = times.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + interrupts + soft) / 100;
};

/** Processor time: of the page by thread, of the rest in total. */
const watchCpu = (renderer, others) => {
  const before = cpuOf(renderer);
  const othersBefore = others.map(({ id }) => total(cpuOf(id)));
  const allBefore = cpuOfAll();
  return () => {
    const after = cpuOf(renderer);
    const of = (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const sums = [
      { name: 'page', seconds: total(after) - total(before) },
      ...others.map(({ name, id }, i) => ({ name, seconds: total(cpuOf(id)) - othersBefore[i] })),
    ];
    const ours = sums.reduce((sum, { seconds }) => sum + seconds, 0);
    return {
      main: of('main'),
      worker: of('DedicatedWorker'),
      // If this is high, the machine was busy and the other values mean little.
      sums: [...sums, { name: 'everything else', seconds: cpuOfAll() - allBefore - ours }],
    };
  };
};

let page;
try {
  mkdirSync(join(folder, 'web'));
  await build({
    configFile: resolve(here, '..', 'console', 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: join(folder, 'web') },
  });
  const { pid } = await daemon.start(...fastChannels);
  const listen = await daemon.startWeb('--web-root=web');
  for (const task of loadTasks) await daemon.cli(...task);

  page = await openPage(`http://${listen}/#trace`, { folder, width: 1920, height: 1080 });
  while (!(await page.evaluate(isLive)) || !(await page.evaluate(hasRows))) await wait(100);
  await wait(settlingSeconds * 1000);

  const processes = await page.processes();
  const [renderer] = processes
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => id)
    .toSorted((a, b) => residentMb(b) - residentMb(a));
  const named = (name, type) => ({ name, id: processes.find((each) => each.type === type)?.id });
  const others = [
    named('GPU', 'GPU'),
    named('network', 'network.mojom.NetworkService'),
    { name: 'daemon', id: pid },
  ].filter(({ id }) => id !== undefined);

  const settled = [await page.memory(), await page.workerMemory('trace-worker')];
  await page.evaluate(watchUpdates);
  const before = await page.evaluate(traceFigures);
  const cpuSince = watchCpu(renderer, others);
  const startedAt = performance.now();
  const resident = [];
  const stretches = [];
  let stretch = { updates: 0, at: startedAt };
  for (let second = 1; second <= seconds - settlingSeconds; second++) {
    await wait(1000);
    resident.push(residentMb(renderer));
    if (second % stretchSeconds !== 0) continue;
    const { received, kept, updates, missing } = await page.evaluate(traceFigures);
    const at = performance.now();
    stretches.push((1000 * (updates - stretch.updates)) / (at - stretch.at));
    stretch = { updates, at };
    console.log(
      `${settlingSeconds + second} s: ${resident.at(-1).toFixed(0)} MB resident, ${received} received, ${kept} kept, ${stretches.at(-1).toFixed(1)} updates/s, ${missing} missing`,
    );
  }
  const after = await page.evaluate(traceFigures);
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpu = cpuSince();
  const last = [await page.memory(), await page.workerMemory('trace-worker')];

  const frames = after.received - before.received;
  const updates = after.updates / elapsed;
  const percent = (spent) => `${((100 * spent) / elapsed).toFixed(0)} %`;
  const window = Math.min(10, Math.ceil(resident.length / 2));
  const residentNow = mean(resident.slice(-window));
  const grown = residentNow - mean(resident.slice(0, window));
  const sum = (key, memory) => mb(memory.reduce((all, each) => all + each[key], 0));
  const growth = (key) => sum(key, last) - sum(key, settled);

  console.log(`${Math.round(frames / elapsed)} frames/s received over ${elapsed.toFixed(0)} s`);
  console.log(
    `of ${availableParallelism()} processors: ${cpu.sums.map(({ name, seconds }) => `${name} ${percent(seconds)}`).join(', ')}`,
  );
  console.log(
    `worker ${((cpu.worker * 1e6) / frames).toFixed(1)} µs a frame, page ${((cpu.main * 1e3) / after.updates).toFixed(1)} ms an update`,
  );
  const slowest = Math.min(updates, ...stretches);
  check(
    `${updates.toFixed(1)} rendered updates/s, ${slowest.toFixed(1)} in the slowest ${stretchSeconds} s (limit ${limits.updates})`,
    slowest >= limits.updates,
  );
  check(`${after.gaps} gaps (limit 0)`, after.gaps === 0);
  check(
    `${frames} frames of ${after.cursor - before.cursor} events`,
    frames === after.cursor - before.cursor,
  );
  check(
    `renderer ${residentNow.toFixed(0)} MB resident, ${grown.toFixed(1)} MB more than when settled (limit ${limits.residentMb})`,
    grown <= limits.residentMb,
  );
  check(
    `heap of page and worker ${sum('heap', last).toFixed(1)} MB, ${growth('heap').toFixed(1)} MB more than when settled (limit ${limits.heapMb})`,
    growth('heap') <= limits.heapMb,
  );
  check(
    `buffers ${sum('buffers', last).toFixed(1)} MB, ${growth('buffers').toFixed(1)} MB more (limit ${limits.buffersMb})`,
    growth('buffers') <= limits.buffersMb,
  );
} finally {
  await page?.close();
  await daemon.stop();
}
