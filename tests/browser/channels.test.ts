import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { setUpBenchPage } from './support/bench-page.ts';

describe.runIf(hasBrowser())('the channels in the console', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('are listed with their rates while open, and gone when closed', async () => {
    const console = await setUpBenchPage(browser);
    const { bench, page } = console;
    await console.open();
    const panel = page.getByTestId('channels');
    await panel.getByText('2 open').waitFor();
    await panel.getByText('powertrain').waitFor();
    await panel.getByText('500 kbit/s / 2 Mbit/s').first().waitFor();
    const sending = bench.run([
      ...['message', 'send', 'SIM00001/0', '123#DEADBEEF'],
      ...['--count=1000000', '--cycle-us=5000'],
    ]);
    await console
      .channel('SIM00001/0', 'tx')
      .filter({ hasText: /^[1-9]/ })
      .waitFor();
    await console
      .channel('SIM00001/1', 'rx')
      .filter({ hasText: /^[1-9]/ })
      .waitFor();
    await bench.json('channel', 'close', 'powertrain');
    await page.locator('tr[data-channel="SIM00001/1"]').waitFor({ state: 'detached' });
    await bench.json('channel', 'close', 'SIM00001/0');
    await panel.getByText('busbar channel open SIM00001/0').waitFor();
    await sending;
    expect(console.trouble).toEqual([]);
  });

  it('fit a narrow screen, as the traffic does', async () => {
    const console = await setUpBenchPage(browser);
    const { page } = console;
    await page.setViewportSize({ width: 400, height: 800 });
    await console.open();
    await page.getByTestId('channels').getByText('powertrain').waitFor();
    await console.send('18FF50E5#0011223344556677');
    await console.row('18FF50E5').getByText('00 11 22 33 44 55 66 77').waitFor();
    const width = await page.locator('html').evaluate((root) => root.scrollWidth);
    expect(width).toBe(400);
    expect(console.trouble).toEqual([]);
  });
});
