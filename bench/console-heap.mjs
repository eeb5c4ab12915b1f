// Memory of the console with an instance of 2,000 signals that change twenty times a second:
// objects and buffers of the page after a garbage collection. Usage: node
// bench/console-heap.mjs [--minutes=10]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPage } from './chromium.mjs';
import { answeredAt } from './console-pages/in-page.mjs';
import { waves } from './console-pages/projects.mjs';
import { BenchDaemon } from './daemon.mjs';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
const count = 2000;
/** Relative to the memory after the first minute. */
const limit = 0.05;
const looks = 10;
const lookMs = 300;

const daemon = new BenchDaemon('heap');
let page;
try {
  const project = { format: 'gwproj', schema_version: 1, id: 'waves', signals: waves(count) };
  writeFileSync(join(daemon.folder, 'waves.gwproj'), JSON.stringify(project));
  await daemon.start();
  const listen = await daemon.startWeb();
  await daemon.cli('gateway', 'load', '--file=waves.gwproj');
  await daemon.cli('gateway', 'start', '--instance=waves');
  const place = `http://${listen}/#gateway-signals?instance=waves`;
  page = await openPage(place, { folder: daemon.folder, width: 1440, height: 900 });
  while ((await page.evaluate(answeredAt)) === null) await wait(100);
  const rows = `document.querySelector('[data-testid="gateway-signal-count"]')?.textContent`;
  // Data in flight adds to the memory in use, so the minimum of several readings counts.
  const read = async () => {
    let least = Number.POSITIVE_INFINITY;
    for (let look = 0; look < looks; look++) {
      const { heap, buffers } = await page.memory();
      least = Math.min(least, (heap + buffers) / 2 ** 20);
      await wait(lookMs);
    }
    return least;
  };
  let first = 0;
  let last = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    await wait(60_000);
    last = await read();
    if (minute === 1) first = last;
    console.log(`  ${minute} min: ${last.toFixed(2)} MB, ${await page.evaluate(rows)} signals`);
  }
  const growth = last / first - 1;
  const isReached = growth <= limit;
  console.log(
    `  ${(100 * growth).toFixed(1)} % more after ${minutes} min than after one (limit ${100 * limit} %)${isReached ? '' : ', missed'}`,
  );
  if (!isReached) process.exitCode = 1;
} finally {
  await page?.close();
  await daemon.stop();
}
