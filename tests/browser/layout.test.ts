import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { reuseConsole, setUpConsole } from './support/console-page.ts';
import {
  clipboardText,
  nextPicture,
  showLargeCounts,
  sidewaysScrollers,
} from './support/in-page.js';
import { layoutFaults } from './support/layout-faults.js';
import { fillBench, scenes } from './support/scenes.ts';

/** All pages in all windows take half a minute, and many times that on a busy machine. */
const endlessMs = 600_000;

const screens = [
  { width: 900, height: 700 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
] as const;

/** What a page gets of a screen at 150 %: fewer pixels, of which each is larger. */
const zoom = 1.5;
const zoomed = [screens[0], screens[1], screens[3]].map(({ width, height }) => ({
  name: `${width} px at ${100 * zoom} %`,
  width: Math.round(width / zoom),
  height: Math.round(height / zoom),
  deviceScaleFactor: zoom,
  mobile: false,
}));
const windows = [
  ...screens.map((size) => ({
    ...size,
    name: `${size.width} px`,
    deviceScaleFactor: 1,
    mobile: false,
  })),
  ...zoomed,
];

/** What is wrong once the page has settled: tables measure their room, and are drawn anew then. */
const settledFaults = async (page: Page): Promise<readonly string[]> => {
  let faults: readonly string[] = [];
  for (let tries = 0; tries < 20; tries++) {
    await page.evaluate(nextPicture);
    faults = await page.evaluate(layoutFaults);
    if (faults.length === 0) return [];
  }
  return faults;
};

describe.runIf(hasBrowser())('the layout of the console', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser({ hasScrollBars: true });
  });
  afterAll(() => browser?.close());
  const freshConsole = reuseConsole(() => browser);

  it('shows every page in full in every window: nothing overlaps, is cut or out of reach', {
    timeout: endlessMs,
  }, async () => {
    const console = await setUpConsole(browser);
    const { page } = console;
    await fillBench(console);
    await page.addInitScript(showLargeCounts);
    await console.open();
    const session = await page.context().newCDPSession(page);
    const wrong: string[] = [];
    for (const { name, place = name, ready, prepare } of scenes) {
      await page.goto(`http://${console.listen}/#${place}`);
      await prepare?.(console);
      await console.by(ready).first().waitFor();
      await console.isAllAnswered();
      if (place === 'send') {
        await console.by('tx-tasks').getByText('1,234,567,890').first().waitFor();
      }
      for (const { name: size, ...metrics } of windows) {
        await session.send('Emulation.setDeviceMetricsOverride', metrics);
        const faults = await settledFaults(page);
        wrong.push(...faults.map((each) => `${name} at ${size}: ${each}`));
      }
      await session.send('Emulation.clearDeviceMetricsOverride');
    }
    expect(wrong).toEqual([]);
    expect(console.trouble).toEqual([]);
  });

  it('fits channels with the longest name into the page of channels', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await bench.json('channel', 'open', 'SIM00001/2', `--name=${'long-name'.repeat(7)}`);
    await console.open('channels');
    await console.by('bench').getByText('long-name').waitFor();
    await expect(page.evaluate(sidewaysScrollers)).resolves.toEqual([]);
    expect(console.trouble).toEqual([]);
  });

  it('leaves out columns where room is short, and copies them all the same', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.bench.json('tx-task', 'add', 'powertrain', '123#01', '--period=100ms');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await console.open('send');
    const table = console.by('tx-tasks-table');
    const titles = (): Promise<readonly string[]> => table.locator('thead th').allTextContents();
    await table.locator('tr[data-task]').waitFor();
    expect(await titles()).toContain('Missed');
    expect(await titles()).not.toContain('Pattern');
    await page.setViewportSize({ width: 2560, height: 1080 });
    await table.locator('thead').getByText('Pattern').waitFor();
    await page.setViewportSize(screens[1]);
    await table.locator('thead').getByText('Pattern').waitFor({ state: 'detached' });
    await table.focus();
    await page.keyboard.press('Control+c');
    const copied = await page.evaluate(clipboardText);
    expect(copied).toContain('Pattern');
    expect(copied).toContain('fixed');
    expect(console.trouble).toEqual([]);
  });

  it('shows what the picked channel carried where there is room for it', async () => {
    const console = await freshConsole();
    await console.open('channels');
    await console.by('channel-counters').waitFor();
    await expect(console.by('traffic').isVisible()).resolves.toBe(false);
    await console.page.setViewportSize(screens[3]);
    await console.by('traffic').waitFor();
    await console.says('traffic', /Received\s*[\d.]+ \/s/);
    expect(console.trouble).toEqual([]);
  });

  it('shows many frames at twice the size, too', async () => {
    const console = await freshConsole();
    await console.open('trace');
    await console.page.setViewportSize({ width: 640, height: 400 });
    const table = console.by('trace-table');
    await table.waitFor();
    const { height = 0 } = (await table.boundingBox()) ?? {};
    expect(height).toBeGreaterThan(160);
    expect(console.trouble).toEqual([]);
  });
});
