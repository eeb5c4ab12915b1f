// A large BLF file in the trace of the console: time to read it, time until the rows of a random
// place are shown, time to filter and to search it, time to plot a signal of half of its frames and
// to move the plot, and memory, compared with an array of objects in the same page. Usage: node bench/console-file.mjs [--frames=10000000]
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadSource } from '../scripts/load-source.mjs';
import { openPage } from './chromium.mjs';
import {
  chooseNothing,
  filterById,
  findRows,
  keepObjects,
  movePlot,
  plotSignal,
  scrollAround,
  useObjects,
} from './console-file/in-page.mjs';
import { startDemo } from './console-pages/demo.mjs';
import { isLive } from './console-trace/in-page.mjs';
import { cpuOf, total } from './process-usage.mjs';

const { values } = parseArgs({ options: { frames: { type: 'string', default: '10000000' } } });
const frameCount = Number(values.frames);
const objectCount = Math.min(frameCount, 1_000_000);
const batchCapacity = 4096;
const placeCount = 200;
const moveCount = 60;
const limits = { shownMs: 200, megabytes: 600 };
const database =
  'VERSION ""\n\nBU_: Car\n\nBO_ 256 Pump: 8 Car\n SG_ Level : 0|16@1+ (1,0) [0|65535] "" Car\n';

const [{ createBlf }, { TraceBatch }] = await Promise.all(
  ['src/trace/blf/create-blf.ts', 'src/trace/trace-batch.ts'].map(loadSource),
);

/** Classic frames on two channels: half of them of one message, the others of 199 identifiers. */
const writeTrace = (file) => {
  const fd = openSync(file, 'w');
  const sink = {
    write: (bytes) => writeSync(fd, bytes),
    rewrite: (at, bytes) => writeSync(fd, bytes, 0, bytes.length, at),
  };
  const options = { startUnixUs: 1_700_000_000_000_000, channelName: (channel) => `can${channel}` };
  const writer = createBlf(sink, options);
  const batch = new TraceBatch(batchCapacity);
  for (let first = 0; first < frameCount; first += batchCapacity) {
    batch.clear();
    for (let row = 0; row < batchCapacity && first + row < frameCount; row++) {
      const at = first + row;
      const id = at % 2 === 0 ? 0x100 : 0x101 + (at % 199);
      batch.putRow(1, 1, 1 + (at % 2), id, 0, 8, 8);
      batch.timeNs[row] = at * 100_000;
      for (let i = 0; i < 8; i++) batch.payload[64 * row + i] = (at * 7 + i * 13) >> (i & 3);
      batch.count++;
    }
    writer.write(batch, 0, batch.count);
  }
  writer.end();
  closeSync(fd);
};

const percentile = (times, share) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];

const folder = mkdtempSync(join(tmpdir(), 'busbar-console-file-'));
const file = join(folder, 'drive.blf');
const dbc = join(folder, 'pump.dbc');
const state = `document.querySelector('[data-testid="trace-file-state"]')?.dataset.state`;
const text = (number) => number.toFixed(number < 10 ? 1 : 0);

const demo = await startDemo(folder);
try {
  writeTrace(file);
  writeFileSync(dbc, database);
  const page = await openPage(`${demo.url}#trace`, { folder, width: 1920, height: 1080 });
  try {
    while (!(await page.evaluate(isLive))) await wait(100);
    await page.evaluate(chooseNothing);
    const startedAt = performance.now();
    await page.chooseFiles('[data-testid="trace-file"]', [file, dbc]);
    while ((await page.evaluate(state)) !== 'present') await wait(100);
    const readSeconds = (performance.now() - startedAt) / 1000;
    const size = statSync(file).size / 1e6;
    console.log(
      `read: ${text(frameCount / 1e6)} M frames, ${text(size)} MB in ${text(readSeconds)} s`,
    );

    const renderers = (await page.processes()).filter(({ type }) => type === 'renderer');
    const spent = () => renderers.reduce((sum, { id }) => sum + total(cpuOf(id)), 0);
    const before = spent();
    const shown = await page.evaluate(scrollAround(placeCount));
    const cpuMs = (1000 * (spent() - before)) / placeCount;
    const shownMs = percentile(shown, 0.99);
    console.log(
      `scroll to random rows: p50 ${text(percentile(shown, 0.5))} ms, p99 ${text(shownMs)} ms (limit ${limits.shownMs} ms), ${text(cpuMs)} ms of processor time each`,
    );
    const filtered = await page.evaluate(filterById('142'));
    await page.evaluate(filterById(''));
    const found = await page.evaluate(findRows('frame 142 data 07'));
    const { heap, buffers } = await page.workerMemory('file-worker');
    const own = await page.memory();
    const plotMs = await page.evaluate(plotSignal('Level'));
    const moved = await page.evaluate(movePlot(moveCount));
    const movedMs = percentile(moved, 0.99);
    const plotted = await page.memory();
    const ofPlot = plotted.heap + plotted.buffers - own.heap - own.buffers;

    const kept = await page.evaluate(keepObjects(objectCount));
    const objects = await page.evaluate(useObjects);
    const after = await page.memory();
    const perObject = (after.heap + after.buffers - plotted.heap - plotted.buffers) / objectCount;
    const share = frameCount / objectCount;
    const times = (ms, ofObjects) => `${text(ms / (share * ofObjects))} times an array of objects`;
    console.log(
      `filter by ID: first rows after ${text(filtered.firstMs)} ms, all ${filtered.rows} after ${text(filtered.allMs)} ms, ${times(filtered.allMs, objects.filter)}`,
    );
    console.log(
      `find by condition: ${found.text} after ${text(found.ms)} ms, ${times(found.ms, objects.find)}`,
    );
    console.log(
      `plot of ${text(frameCount / 2e6)} M samples: shown after ${text(plotMs)} ms, zoomed and moved p50 ${text(percentile(moved, 0.5))} ms, p99 ${text(movedMs)} ms (limit ${limits.shownMs} ms), ${times(percentile(moved, 0.5), objects.plot)}`,
    );
    const megabytes = (heap + buffers + Math.max(0, ofPlot)) / 1e6;
    const perFrame = (heap + buffers) / frameCount;
    console.log(
      `memory: ${text(megabytes)} MB with the plot (limit ${limits.megabytes} MB), ${text(perFrame)} bytes per frame; an array of objects ${text(perObject)}, ${text(perObject / perFrame)} times as much`,
    );
    console.log(`an array of ${text(objectCount / 1e6)} M objects is filled in ${text(kept)} ms`);
    const isReached =
      shownMs <= limits.shownMs && movedMs <= limits.shownMs && megabytes <= limits.megabytes;
    if (!isReached) process.exitCode = 1;
  } finally {
    await page.close();
  }
} finally {
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
}
