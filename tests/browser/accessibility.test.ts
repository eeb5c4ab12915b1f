import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { axeFindings } from './support/axe-findings.ts';
import { type ConsolePage, setUpConsole } from './support/console-page.ts';
import { focusStops } from './support/focus-stops.ts';
import { runDegraded } from './support/gateway-projects.ts';
import { namelessStops, nextPicture } from './support/in-page.js';
import { fillBench, scenes } from './support/scenes.ts';

/** Axe takes a second or two for each page, and more on a busy machine. */
const endlessMs = 600_000;

/** The pages, with what is in sight once they are ready and what the tab key must lead to. */
const pages = [
  ['overview', 'bus-load', ['overview-plot']],
  ['channels', 'channel-counters', ['open-channel', 'channel-table', 'configure-channel']],
  ['trace', 'trace-table', ['trace-toggle', 'trace-pause', 'trace-filter-id', 'trace-table']],
  ['signals', 'signal-tree', ['signal-channel', 'signal-search', 'signal-tree', 'signals-toggle']],
  ['send', 'raw-frame', ['send-channel', 'send-id', 'send-data', 'send-submit', 'route-add']],
  ['files', 'databases-table', ['database-file', 'database-load', 'logging-start', 'replay-start']],
  ['instances', 'counters-table', ['instances-table', 'load-name', 'projects-table']],
  [
    'flow?instance=pump',
    'flow-drawing',
    ['instance-choice', 'flow-search', 'flow-fold-all', 'flow-drawing', 'flow-fit'],
  ],
  [
    'gateway-signals?instance=pump',
    'task-timings',
    ['instance-choice', 'gateway-signal-search', 'gateway-signals-table', 'gateway-tasks-table'],
  ],
  ['faults?instance=pump', 'faults-table', ['instance-choice', 'fault-switch']],
  ['modbus', 'modbus-request', ['modbus-endpoint', 'modbus-unit', 'modbus-send', 'modbus-serve']],
  ['api', 'picker-table', ['picker-search', 'picker-table', 'send-request', 'copy-curl']],
] as const;

describe.runIf(hasBrowser())('every page of the console', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  const setUp = async (): Promise<ConsolePage> => {
    const console = await setUpConsole(browser);
    await console.loadDatabase();
    await console.send('100#4006030000000000', '--count=5');
    await runDegraded(console);
    await console.open();
    return console;
  };

  it('has nothing that axe calls serious, in light and in dark, and names all that has the focus', {
    timeout: endlessMs,
  }, async () => {
    const console = await setUpConsole(browser);
    const { page } = console;
    await fillBench(console);
    await console.open();
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      const nameless = await page.evaluate(namelessStops);
      found.push(...nameless.map((each) => `${name}: nameless · ${each}`));
      found.push(...(await axeFindings(page)).map((each) => `${name}: ${each}`));
      // Nothing but the colours is another in the dark.
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate(nextPicture);
      const faint = await axeFindings(page, ['color-contrast']);
      found.push(...faint.map((each) => `${name}, dark: ${each}`));
      await page.emulateMedia({ colorScheme: 'light' });
    };
    for (const { name, place = name, ready, prepare } of scenes) {
      // Loaded anew: axe would look through the hidden pages of all scenes before as well.
      await page.goto('about:blank');
      await page.goto(`http://${console.listen}/#${place}`);
      await prepare?.(console);
      await console.by(ready).first().waitFor();
      await console.isAllAnswered();
      await look(name);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await look('palette');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await look('help');
    await page.keyboard.press('Escape');
    console.watch.allow(401, /^\/api\/v1\/health$/);
    await page.route('**/api/v1/health', (route) => {
      const error = { code: 'unauthorized', message: 'No', details: {}, retryable: false };
      return route.fulfill({ status: 401, json: { error } });
    });
    await page.locator('#token').waitFor();
    await look('token');
    expect(found).toEqual([]);
    expect(console.trouble).toEqual([]);
  });

  it('leads the tab key to its controls in the order in which they stand, each marked', async () => {
    const console = await setUp();
    const { page } = console;
    for (const [name, ready, wanted] of pages) {
      await page.goto(`http://${console.listen}/#${name}`);
      await console.by(ready).waitFor();
      // What comes later would change the places of what is there.
      await console.isAllAnswered();
      const stops = await focusStops(page);
      const names = stops.map((stop) => stop.name);
      expect(names[0], name).toBe('Skip to content');
      expect(
        wanted.map((each) => names.indexOf(each)),
        `${name}: ${names.join(', ')}`,
      ).not.toContain(-1);
      const places = stops.map(({ place }) => place);
      expect(places, name).toEqual([...places].sort((one, other) => one - other));
      expect(
        stops.filter(({ isMarked }) => !isMarked).map((stop) => `${name}: ${stop.name}`),
      ).toEqual([]);
    }
    expect(console.trouble).toEqual([]);
  });
});
