import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { BackgroundCommand } from '../scenario/support/background-command.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually, Workbench } from '../support/workbench.ts';
import { ConsolePage, openPage } from './support/console-page.ts';
import { sidewaysScrollers } from './support/in-page.js';

const minuteMs = 60_000;

interface Traffic {
  readonly channels: readonly { readonly seconds: readonly unknown[] }[];
}

/** Age of the start of a line in seconds: its right end is now, and its width is one minute. */
const ageOfLine = async (page: Page, path: string, left: number, width: number) => {
  const line = (await page.locator(path).first().getAttribute('d')) ?? '';
  const [, x] = /^M([\d.]+) /.exec(line) ?? [];
  return x === undefined ? 0 : (1 - (Number(x) - left) / width) * minuteMs;
};

/** Number of points in a line. */
const pointsOfLine = async (page: Page, path: string): Promise<number> => {
  const line = (await page.locator(path).first().getAttribute('d')) ?? '';
  return line.match(/[ML]/g)?.length ?? 0;
};

describe.runIf(hasBrowser())('the first minute with the demonstration', () => {
  const bench = new Workbench();
  let demo: BackgroundCommand;
  let listen = '';

  beforeAll(async () => {
    demo = new BackgroundCommand(bench, ['demo', '--port=0']);
    await demo.printed('stdout', 'Ctrl-C');
    [, listen = ''] = /http:\/\/(127\.0\.0\.1:[0-9]+)\//.exec(demo.stdout) ?? [];
    // The demonstration drives for some seconds before a page is opened.
    await eventually(async () => {
      const { channels } = await bench.json<Traffic>('channel', 'traffic');
      return channels.length === 6 && channels.every(({ seconds }) => seconds.length >= 3);
    });
  });
  afterAll(async () => {
    demo.kill('SIGINT');
    await demo.ended;
    await bench.dispose();
  });
  const setUpDemo = async (): Promise<ConsolePage> =>
    new ConsolePage(bench, listen, await openPage(), []);

  it('shows a car that drives, with what it did before the page was opened', async () => {
    const console = await setUpDemo();
    const { page } = console;
    let openedMs = Date.now();
    await page.goto(`http://${console.listen}/`);
    await console.says('headline', 'Simulated car');

    const value = (tile: string) =>
      page.locator(`[data-tile="${tile}"] [data-testid="tile-value"]`);
    for (const [tile, text] of [
      ['Speed', /^[\d.]+ km\/h$/],
      ['Engine', /^[\d.]+ rpm$/],
      ['Gear', /^(park|[1-6])/],
      ['Battery', /^1[\d.]+ V$/],
    ] as const) {
      await value(tile).filter({ hasText: text }).waitFor();
    }
    await page
      .locator('[data-tile="Doors"] [data-signal="DriverDoor"]', { hasText: /closed|open/ })
      .waitFor();
    const lineOfTile = '[data-tile="Engine"] .minute path';
    // The history of the service appears immediately: more points than the page can have
    // received by then.
    await eventually(async () => (await pointsOfLine(page, lineOfTile)) > 10);
    // A minute later the lines have nothing from before the page: on a busy machine it is opened
    // again.
    const hasEarlier = async (line: string, from: number, width: number): Promise<boolean> => {
      if (Date.now() - openedMs > minuteMs) {
        openedMs = Date.now();
        await page.reload();
      }
      return Date.now() - (await ageOfLine(page, line, from, width)) < openedMs;
    };
    await eventually(() => hasEarlier(lineOfTile, 0, 240));
    const lineOfBus = '.lane[data-channel="SIM00001/1"] .sparkline path';
    await eventually(() => hasEarlier(lineOfBus, 1.5, 93));

    const looks = [
      '[data-tile="Speed"]',
      '[data-tile="Engine"]',
      '.lane[data-channel="SIM00001/1"]',
    ];
    for (const look of [...looks, '[data-testid="overview-plot-panel"] canvas']) {
      const place = page.locator(look).first();
      const before = await place.screenshot();
      await eventually(async () => !(await place.screenshot()).equals(before));
    }
    const before = await value('Engine').textContent();
    await eventually(async () => (await value('Engine').textContent()) !== before);

    await page.locator('.lane').nth(5).waitFor();
    await expect(page.locator('.lane').count()).resolves.toBe(6);
    await page
      .locator('.lane [data-testid="load"]')
      .filter({ hasText: /[1-9].* %/ })
      .first()
      .waitFor();

    const plot = console.by('overview-plot-panel');
    await plot
      .locator('[data-signal="VehicleSpeed"]')
      .filter({ hasText: /\d km\/h/ })
      .waitFor();
    await expect(plot.getByTestId('signal-pane').count()).resolves.toBe(4);
    // The page does not poll: the stream delivers everything.
    expect(console.requests.filter((each) => each.endsWith('/stats'))).toEqual([]);

    await console.by('overview-links').getByText('Show its frames').click();
    await console.frames('100').first().waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('has a fault to switch on, and shows what a receiver makes of it', async () => {
    const console = await setUpDemo();
    const { page } = console;
    await console.open();
    await console.by('overview-links').getByText('Corrupt a checksum').click();
    const wrong = console.by('fault-signals').locator('[data-signal]');
    await console.says('fault-signals', 'Signals with errors: none');
    const note = page.locator('.fault-notes li');
    await note.filter({ hasText: 'ParkingSpeed' }).waitFor();
    await expect(page.evaluate(sidewaysScrollers)).resolves.toEqual([]);

    await page.locator('tr[data-rule="corrupt_wheels"]').getByTestId('fault-switch').click();
    await wrong.filter({ hasText: /ParkingSpeed.*E2E error/ }).waitFor();
    await wrong.getByRole('link', { name: 'ParkingSpeed' }).click();
    await page.locator('[data-key="signal:ParkingSpeed"][data-flow="broken"]').waitFor();
    await console.by('fault-banner').getByRole('link').click();
    await page.locator('tr[data-rule="corrupt_wheels"]').getByTestId('fault-switch').click();
    await console.says('fault-signals', 'Signals with errors: none');
    expect(console.errors).toEqual([]);
  });

  itLong('plots what the user has chosen instead, and tells as much to another tab', async () => {
    const console = await setUpDemo();
    const { page } = console;
    await console.open('signals');
    await page.locator('[data-page="signals"]').waitFor();
    await console.open();
    await page.locator('[data-testid="overview-plot-panel"] [data-signal="Gear"]').waitFor();
    await page.goto(`http://${console.listen}/#signals`);
    const rows = page.locator('tr[data-signal]');
    await rows.first().waitFor();
    while ((await rows.count()) > 0) {
      const name = await rows.first().getAttribute('data-signal');
      await rows
        .first()
        .getByRole('button', { name: /^Remove/ })
        .click();
      await page.locator(`tr[data-signal="${name}"]`).waitFor({ state: 'detached' });
    }
    await console.open();
    await page.reload();
    await console.says('overview-plot-panel', 'No signals plotted');

    const other = await console.newTab();
    await other.open();
    await other.page.locator('.lane').nth(5).waitFor();
    for (const tab of [console, other]) {
      const engine = tab.page.locator('[data-tile="Engine"] [data-testid="tile-value"]');
      await tab.page.bringToFront();
      const before = await engine.textContent();
      await eventually(async () => (await engine.textContent()) !== before);
      expect(tab.errors).toEqual([]);
    }
  });
});
