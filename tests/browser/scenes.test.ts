import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { axeFindings } from './support/axe-findings.ts';
import { setUpConsole } from './support/console-page.ts';
import { namelessStops, nextPicture, showLargeCounts } from './support/in-page.js';
import { layoutFaults } from './support/layout-faults.js';
import { fillBench, scenes } from './support/scenes.ts';

/**
 * Every page is loaded once and checked in several windows; a busy machine takes many times as
 * long.
 */
const endlessMs = 600_000;

const screens = [
  [900, 700],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
  [2560, 1440],
] as const;

/** A screen at a zoom factor: the page gets fewer pixels, each of them larger. */
const windowAt = (zoom: number, [width, height]: (typeof screens)[number]) => ({
  width: Math.round(width / zoom),
  height: Math.round(height / zoom),
  deviceScaleFactor: zoom,
  mobile: false,
});
const smallest = windowAt(1.5, screens[0]);
const others = [
  ...screens.map((screen) => windowAt(1, screen)),
  windowAt(1.5, screens[1]),
  windowAt(1.5, screens[3]),
];
/** The first scene at each address; a long run has all of them. */
const chosen = scenes.filter(
  ({ name, place = name }, index) =>
    isLong || scenes.findIndex((each) => (each.place ?? each.name) === place) === index,
);
const themes = ['light', 'dark'] as const;

/** All values in a long run, else one per day. */
const some = <T>(values: readonly T[], turn: number): readonly T[] =>
  isLong ? values : values.filter((_, at) => at === turn % values.length);

/**
 * Layout errors that remain after the page has settled: tables measure the space and are drawn
 * again.
 */
const settledFaults = async (page: Page): Promise<readonly string[]> => {
  let faults: readonly string[] = [];
  for (let tries = 0; tries < 20; tries++) {
    await page.evaluate(nextPicture);
    faults = await page.evaluate(layoutFaults);
    if (faults.length === 0) return [];
  }
  return faults;
};

const faultsInWindows = async (
  page: Page,
  session: CDPSession,
  windows: readonly (typeof smallest)[],
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const metrics of windows) {
    await session.send('Emulation.setDeviceMetricsOverride', metrics);
    const { width, deviceScaleFactor } = metrics;
    const faults = await settledFaults(page);
    found.push(...faults.map((fault) => `at ${width} px, scale ${deviceScaleFactor}: ${fault}`));
  }
  await session.send('Emulation.clearDeviceMetricsOverride');
  return found;
};

/**
 * Violations that axe calls serious. Themes differ only in colours: additional ones are checked
 * for contrast.
 */
const findingsInThemes = async (
  page: Page,
  wanted: readonly ('light' | 'dark')[],
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const [at, colorScheme] of wanted.entries()) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(nextPicture);
    const findings = await axeFindings(page, at === 0 ? undefined : ['color-contrast']);
    found.push(...findings.map((each) => `${colorScheme}: ${each}`));
  }
  return found;
};

describe.runIf(hasBrowser())('every page of the console', () => {
  it('fits every window, names all that has the focus and has nothing that axe calls serious', {
    timeout: endlessMs,
  }, async () => {
    const console = await setUpConsole();
    const { page } = console;
    await fillBench(console);
    await page.addInitScript(showLargeCounts);
    await console.open();
    const session = await page.context().newCDPSession(page);
    const found: string[] = [];
    const note = (name: string, faults: readonly string[]) =>
      found.push(...faults.map((fault) => `${name}: ${fault}`));
    const checkAccess = async (name: string, turn: number): Promise<void> => {
      note(`${name}, nameless`, await page.evaluate(namelessStops));
      note(name, await findingsInThemes(page, some(themes, turn)));
    };
    for (const [turn, { name, place = name, ready, prepare }] of chosen.entries()) {
      await page.goto(`http://${console.listen}/#${place}`);
      await prepare?.(console);
      await console.by(ready).first().waitFor();
      await console.isAllAnswered();
      if (place === 'send') {
        await console.by('tx-tasks').getByText('1,234,567,890').first().waitFor();
      }
      note(name, await faultsInWindows(page, session, [smallest, ...some(others, turn)]));
      // What is wrong for axe is so in many scenes, most of all in parts that they share.
      if (isLong || turn % 6 === 0) await checkAccess(name, turn / 6);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await checkAccess('palette', 0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await checkAccess('help', 1);
    await page.keyboard.press('Escape');
    console.watch.allow(401, /^\/api\/v1\/health$/);
    await page.route('**/api/v1/health', (route) => {
      const error = { code: 'unauthorized', message: 'No', details: {}, retryable: false };
      return route.fulfill({ status: 401, json: { error } });
    });
    await page.locator('#token').waitFor();
    await checkAccess('token', 0);
    expect(found).toEqual([]);
    expect(console.errors).toEqual([]);
  });
});
