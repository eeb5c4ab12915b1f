// Cost of the trace in a browser while the demo vehicle drives: the view by id, whose values
// change in place, compared with the view in order, which scrolls. Usage: node
// bench/console-by-id.mjs [--seconds=20]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPage } from './chromium.mjs';
import { startDemo } from './console-pages/demo.mjs';
import { hasRows, isLive } from './console-trace/in-page.mjs';
import { cpuOf, total } from './process-usage.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);
/** Share of a core. Values are drawn ten times a second at any frame rate. */
const limit = 0.3;

const folder = mkdtempSync(join(tmpdir(), 'busbar-by-id-'));

/** Counts in `pictures` how often a row of the table gets new values. */
const watchPictures = `(() => {
  const table = document.querySelector('[data-testid="trace-table"]');
  const cell = table.querySelector('[data-field="count"], [data-field="time"]');
  globalThis.pictures = 0;
  new MutationObserver(() => globalThis.pictures++).observe(cell, {
    characterData: true,
    childList: true,
    subtree: true,
  });
})()`;

const rowsShown = `document.querySelectorAll(
  '[data-testid="trace-table"] tbody tr:not([hidden])',
).length`;

/** Cores used by the page with one view, and updates per second. */
const measure = async (url, view) => {
  const page = await openPage(`${url}#trace?view=${view}`, {
    folder: join(folder, view),
    width: 1920,
    height: 1080,
  });
  try {
    while (!(await page.evaluate(isLive)) || !(await page.evaluate(hasRows))) await wait(100);
    await wait(5000);
    const renderers = (await page.processes()).filter(({ type }) => type === 'renderer');
    const spent = () => renderers.reduce((sum, { id }) => sum + total(cpuOf(id)), 0);
    await page.evaluate(watchPictures);
    const before = spent();
    const startedAt = performance.now();
    await wait(seconds * 1000);
    const elapsed = (performance.now() - startedAt) / 1000;
    const cores = (spent() - before) / elapsed;
    const pictures = (await page.evaluate('globalThis.pictures')) / elapsed;
    return { cores, pictures, rows: await page.evaluate(rowsShown) };
  } finally {
    await page.close();
  }
};

const demo = await startDemo(folder);
try {
  const inOrder = await measure(demo.url, 'frames');
  const byId = await measure(demo.url, 'by-id');
  const text = ({ cores, pictures, rows }) =>
    `${(100 * cores).toFixed(0)} % of a core, ${pictures.toFixed(1)} pictures/s, ${rows} rows`;
  console.log(`in order: ${text(inOrder)}`);
  const isReached = byId.cores <= limit;
  console.log(
    `by id: ${text(byId)} (limit ${100 * limit} %)${isReached ? '' : ', missed'}; ${(inOrder.cores / byId.cores).toFixed(1)} times less than in order`,
  );
  if (!isReached) process.exitCode = 1;
} finally {
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
}
