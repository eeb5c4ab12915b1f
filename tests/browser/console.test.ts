import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser, watchForTrouble } from '../support/browser.ts';
import { setUpWorkbench } from '../support/workbench.ts';

describe.runIf(hasBrowser())('the console in a real browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('shows the live health and every operation, within its content policy', async () => {
    const bench = setUpWorkbench();
    const { listen } = await bench.startWeb();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const trouble = watchForTrouble(page, `http://${listen}`);
    await page.goto(`http://${listen}/#service`);
    await page.getByTestId('connection').getByText('Live').waitFor();
    const { version } = await bench.json<{ version: string }>('version');
    await expect(page.getByTestId('version').textContent()).resolves.toContain(version);
    await expect(page.getByTestId('health-status').textContent()).resolves.toContain('ok');
    for (const thread of ['client', 'metronome', 'loader']) {
      await page.getByTestId('threads').getByText(thread).waitFor();
    }
    const { operations } = await bench.json<{ operations: { id: string }[] }>('operation', 'list');
    await expect(page.locator('tr[data-operation]').count()).resolves.toBe(operations.length);
    await page.keyboard.press('/');
    await page.keyboard.type('web start');
    await page.locator('tr[data-operation="web.start"]').click();
    await page.getByTestId('operation-detail').getByText('history_capacity').first().waitFor();
    expect(trouble).toEqual([]);
    await page.close();
  });

  it('marks what it shows as stale while the service is away, and recovers by itself', async () => {
    const bench = setUpWorkbench();
    const { listen } = await bench.startWeb();
    const page = await browser.newPage();
    const trouble = watchForTrouble(page, `http://${listen}`);
    await page.goto(`http://${listen}/#service`);
    await page.getByTestId('connection').getByText('Live').waitFor();
    await bench.json('web', 'stop');
    await page.getByTestId('connection').getByText('Unreachable').waitFor();
    await page.getByTestId('health-status').getByText('Stale').waitFor();
    await bench.json('web', 'start', `--listen=${listen}`);
    await page.getByTestId('connection').getByText('Live').waitFor();
    expect(trouble).toEqual([]);
    await page.close();
  });

  it('asks for the token where the service wants one, and then works', async () => {
    const bench = setUpWorkbench();
    const { listen } = await bench.startWeb('--token=right-token');
    const page = await browser.newPage();
    const trouble = watchForTrouble(page, `http://${listen}`);
    await page.goto(`http://${listen}/`);
    await page.getByTestId('connection').getByText('Token needed').waitFor();
    await page.getByTestId('traffic-status').getByText('Token needed').waitFor();
    await page.locator('#token').fill('right-token');
    await page.keyboard.press('Enter');
    await page.getByTestId('connection').getByText('Live').waitFor();
    await page.getByTestId('traffic-status').getByText('Live').waitFor();
    await page.getByTestId('channels').getByText('No channel is open.').waitFor();
    expect(trouble).toEqual([]);
    await page.close();
  });
});
