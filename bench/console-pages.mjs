// Every page of the console: time to first paint with an empty cache during the demo, its share
// of a core at 1,000 events/s compared with an empty page and a plain table, and how soon a click
// shows its effect at 20,000 frames/s. Times of processors are those of the browser's processes,
// which on a busy machine are upper bounds. Usage:
// node bench/console-pages.mjs [--seconds=5] [--page=flow …] [paints] [shares] [clicks]
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPage } from './chromium.mjs';
import { startDemo } from './console-pages/demo.mjs';
import {
  answeredAt,
  centreOf,
  clicksSoFar,
  firstPaint,
  watchClicks,
} from './console-pages/in-page.mjs';
import { MeasuredBench } from './console-pages/measured-bench.mjs';
import { plainPage } from './console-pages/plain-page.mjs';
import { traceFigures } from './console-trace/in-page.mjs';
import { cpuOf, processCpu, residentMb, total } from './process-usage.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    page: { type: 'string', multiple: true },
  },
});
const window = { width: 1440, height: 900 };
/** With fewer events the machine was too busy for meaningful values. */
const limits = { paintMs: 1000, share: 0.25, clickMs: 100, calmEvents: 900, fastEvents: 18_000 };
const settleMs = 4000;

// The trace continues in the background once opened and would add to other pages, so it is
// last.
const all = [
  ...['overview', 'signals', 'send', 'diagnostics', 'files', 'channels', 'modbus'],
  ...['instances', 'flow', 'gateway-signals', 'faults', 'api', 'trace'],
];
const isWanted = (page) => values.page?.includes(page) ?? true;
const pages = all.filter(isWanted);
const traceViews = ['frames', 'by-id', 'statistics', 'changes'];

const quantile = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
const sorted = (numbers) => numbers.toSorted((a, b) => a - b);

const say = (text, isReached) => {
  console.log(`  ${text}${isReached ? '' : ', missed'}`);
  if (!isReached) process.exitCode = 1;
};

const until = async (page, expression) => {
  for (;;) {
    const answer = await page.evaluate(expression);
    if (answer !== null) return answer;
    await wait(20);
  }
};

const rendererOf = async (page) =>
  (await page.processes())
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => id)
    .toSorted((a, b) => residentMb(b) - residentMb(a))[0];

/** On an overloaded machine wall time measures the machine, and processor time the page. */
const isBusy = loadavg()[0] > availableParallelism();

/** Time that browser and machine take for an empty page. */
const bareMs = async (folder) => {
  const page = await openPage('data:text/html,<p>Word', {
    folder: join(folder, 'bare'),
    ...window,
  });
  try {
    return await until(page, firstPaint);
  } finally {
    await page.close();
  }
};

const measurePaints = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-paint-'));
  const demo = await startDemo(folder);
  console.log(
    `first paint, nothing in the cache, the demonstration drives; load average ${loadavg()[0].toFixed(1)}`,
  );
  try {
    const bare = await bareMs(folder);
    console.log(`  a page of one word: ${bare.toFixed(0)} ms`);
    for (const name of pages) {
      // Each page in a new browser with an empty cache.
      const options = { folder: join(folder, name), ...window };
      const page = await openPage(`${demo.url}#${name}`, options);
      try {
        const answered = await until(page, answeredAt);
        const painted = await until(page, firstPaint);
        const spent = 1000 * total(cpuOf(await rendererOf(page)));
        say(
          `${name}: painted after ${painted.toFixed(0)} ms, filled after ${answered.toFixed(0)} ms and ${spent.toFixed(0)} ms of processor time (limit ${limits.paintMs} ms to paint)`,
          painted <= limits.paintMs || (isBusy && spent <= limits.paintMs),
        );
      } finally {
        await page.close();
      }
    }
  } finally {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Opens the overview, which chooses the signals of the plot. */
const openConsole = async (bench) => {
  const page = await openPage(bench.url, { folder: bench.folder, ...window });
  await until(page, answeredAt);
  return page;
};

const goTo = async (page, place) => {
  await page.evaluate(`void (location.hash = '#${place}')`);
  await until(page, answeredAt);
  await wait(settleMs);
};

/** Run time of the page, of drawing in other threads and processes, and of the rest, by kind. */
const spentBy = async (page) => {
  const spent = { page: 0, workers: 0, drawing: 0, others: 0 };
  for (const { id, type } of await page.processes()) {
    const threads = cpuOf(id);
    // Threads that ended were of a pool, which draws.
    spent.drawing += Math.max(0, processCpu(id) - total(threads));
    for (const [thread, seconds] of threads) {
      if (type === 'GPU') spent.drawing += seconds;
      else if (type !== 'renderer') spent.others += seconds;
      else if (thread === 'main') spent.page += seconds;
      else if (/Compositor|ThreadPool|Raster/.test(thread)) spent.drawing += seconds;
      else spent.workers += seconds;
    }
  }
  return spent;
};

const sum = (spent) => Object.values(spent).reduce((all, each) => all + each, 0);

const percent = (share) => `${(100 * share).toFixed(0)} %`;

/** Shares of a core, in all and by kind. */
const shareOf = async (page) => {
  const before = await spentBy(page);
  const startedAt = performance.now();
  await wait(Number(values.seconds) * 1000);
  const elapsed = (performance.now() - startedAt) / 1000;
  const after = await spentBy(page);
  const parts = Object.keys(after).map(
    (kind) => `${kind} ${percent((after[kind] - before[kind]) / elapsed)}`,
  );
  return { share: (sum(after) - sum(before)) / elapsed, parts: parts.join(', ') };
};

/** As many rows and cells as the trace shows in this window. */
const plainTables = [
  ['an empty page', { rows: 0, cells: 0 }],
  ['a plain table of 27 rows of 9 cells, all new ten times a second', { rows: 27, cells: 9 }],
];

/** Without a daemon: what browser and machine take for these pages now. */
const measurePlainPages = async () => {
  for (const [name, size] of plainTables) {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-plain-'));
    const page = await openPage(plainPage(size), { folder, ...window });
    try {
      await wait(settleMs);
      const { share, parts } = await shareOf(page);
      console.log(`  ${name}: ${percent(share)} of a core: ${parts}`);
    } finally {
      await page.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
};

const measureShares = async () => {
  const bench = await MeasuredBench.start('shares');
  const events = [];
  try {
    const page = await openConsole(bench);
    console.log(
      `all processes of the browser, 500 signals of a gateway change twenty times a second; load average ${loadavg()[0].toFixed(1)}`,
    );
    try {
      await measurePlainPages();
      const places = pages.flatMap((name) =>
        name === 'trace' ? traceViews.map((view) => `trace?view=${view}`) : [name],
      );
      for (const place of places) {
        await goTo(page, place);
        const { share, parts } = await shareOf(page);
        say(
          `${place}: ${percent(share)} of a core (limit ${percent(limits.share)}): ${parts}`,
          share <= limits.share,
        );
        events.push(await bench.eventsPerSecond());
      }
    } finally {
      await page.close();
    }
    sayEvents(events, limits.calmEvents);
  } finally {
    await bench.stop();
  }
};

const sayEvents = (events, limit) => {
  const least = Math.min(...events);
  say(
    `${Math.round(least)} to ${Math.round(Math.max(...events))} events/s on six channels (at least ${limit}, or the figures above mean little)`,
    least >= limit,
  );
};

/** What is clicked, and the attribute that shows the effect. */
const clicked = {
  trace: ['[data-testid="trace-pause"]', 'aria-pressed'],
  overview: ['[data-testid="overview-plot-panel"] button[aria-pressed]', 'aria-pressed'],
  signals: ['[data-testid="signals-pause"]', 'aria-pressed'],
  'gateway-signals': ['[data-testid="gateway-signals-table"] tr[data-signal]', 'aria-selected'],
  send: ['[data-testid="import-tasks"]', 'aria-pressed'],
  diagnostics: ['[data-testid="link-open"]', 'aria-pressed'],
  channels: ['[data-testid="configure-channel"]', 'aria-pressed'],
  modbus: ['[data-testid="modbus-serve"]', 'aria-pressed'],
  instances: ['[data-testid="instance-save"]', 'aria-expanded'],
  api: ['[data-testid="picker-table"] tr[aria-selected]', 'aria-selected'],
};

const clicks = 50;
/** Of different lengths, so that clicks come at any time between two pictures. */
const betweenMs = (index) => 200 + ((37 * index) % 100);

const measureClicks = async () => {
  const bench = await MeasuredBench.start('clicks');
  const events = [];
  try {
    await bench.load();
    const page = await openConsole(bench);
    console.log(`clicks during the load; load average ${loadavg()[0].toFixed(1)}`);
    try {
      await goTo(page, 'trace');
      const before = await page.evaluate(traceFigures);
      for (const [name, [selector, attribute]] of Object.entries(clicked)) {
        if (!isWanted(name)) continue;
        await goTo(page, name);
        await page.evaluate(watchClicks(selector, attribute));
        // The first row can be selected already, and a click on it would change nothing.
        for (let index = 0; index < clicks; index++) {
          const { x, y } = await page.evaluate(centreOf(selector, index + 1));
          await page.click(x, y);
          await wait(betweenMs(index));
        }
        const took = sorted(await page.evaluate(clicksSoFar));
        const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)];
        say(
          `${name}: the effect of ${took.length} of ${clicks} clicks is drawn after p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (limit ${limits.clickMs} ms)`,
          took.length === clicks && p99 <= limits.clickMs,
        );
        events.push(await bench.eventsPerSecond());
      }
      await goTo(page, 'trace');
      const { received, cursor, gaps, missing } = await page.evaluate(traceFigures);
      const [frames, sent] = [received - before.received, cursor - before.cursor];
      say(
        `${frames} of ${sent} frames received, ${missing} missing`,
        frames === sent && gaps === 0,
      );
    } finally {
      await page.close();
    }
    sayEvents(events, limits.fastEvents);
  } finally {
    await bench.stop();
  }
};

const measurements = { paints: measurePaints, shares: measureShares, clicks: measureClicks };
for (const [name, measure] of Object.entries(measurements)) {
  if (positionals.length === 0 || positionals.includes(name)) await measure();
}
