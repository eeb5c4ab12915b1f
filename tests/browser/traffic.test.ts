import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { eventually } from '../support/workbench.ts';
import { setUpBenchPage } from './support/bench-page.ts';

describe.runIf(hasBrowser())('the live traffic in the console', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('has a row for each channel, id and direction, with the bytes that changed marked', async () => {
    const console = await setUpBenchPage(browser);
    await console.open();
    await console.send('123#DEADBEEF');
    await console.row('123').getByText('DE AD BE EF').waitFor();
    await console.row('123', 'Rx').getByText('SIM00001/1 powertrain').waitFor();
    const mark = console.row('123').locator('mark');
    await Promise.all([
      mark.getByText('00', { exact: true }).waitFor(),
      console.send('123#DEAD00EF'),
    ]);
    await console.hasCount('123', 2);
    await mark.waitFor({ state: 'detached' });
    await expect(console.row('123').locator('.bytes').textContent()).resolves.toBe('DE AD 00 EF');
    expect(console.trouble).toEqual([]);
  });

  it('names the kind of a frame, and finds rows by id or channel', async () => {
    const console = await setUpBenchPage(browser);
    const { page } = console;
    await console.open();
    await console.send('124##31122');
    await console.send('125#R4');
    await console.send('18FF50E5#01');
    await console.row('124').getByText('FD BRS').waitFor();
    await console.row('125').getByText('RTR').waitFor();
    await expect(console.row('125').locator('[data-field="length"]').textContent()).resolves.toBe(
      '4',
    );
    await console.row('18FF50E5').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('0x18ff');
    await console.row('124').waitFor({ state: 'hidden' });
    await page.getByTestId('traffic-figures').getByText('2 of 6 rows').waitFor();
    await page.getByTestId('traffic-filter').fill('powertrain 12');
    await console.row('124', 'Rx').waitFor();
    await console.row('18FF50E5', 'Rx').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await console.row('18FF50E5').waitFor();
    expect(console.trouble).toEqual([]);
  });

  it('stands still while paused, and then goes on with nothing missed and nothing twice', async () => {
    const console = await setUpBenchPage(browser);
    const { page } = console;
    await console.open();
    await console.send('123#00', '--count=100');
    await console.hasCount('123', 100);
    await page.getByRole('button', { name: 'Pause' }).click();
    await console.isStatus('Paused');
    await eventually(async () => (await console.streams()) === 0);
    await console.send('123#00', '--count=50');
    await expect(console.row('123').locator('[data-field="count"]').textContent()).resolves.toBe(
      '100',
    );
    await page.getByRole('button', { name: 'Resume' }).click();
    await console.hasCount('123', 150);
    await console.send('123#01');
    await console.hasCount('123', 151);
    await expect(page.getByTestId('traffic-gaps').textContent()).resolves.toBe('');
    expect(console.trouble).toEqual([]);
  });

  it('says plainly what was missed, until it is cleared', async () => {
    const console = await setUpBenchPage(browser, '--history-capacity=16');
    const { page } = console;
    await console.open();
    await console.send('123#00');
    await console.row('123').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await console.isStatus('Paused');
    await console.send('123#01', '--count=100');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page
      .getByTestId('traffic-gaps')
      .getByText(/Missed up to \d+ events, before event/)
      .waitFor();
    await page.getByTestId('traffic-clear').click();
    await console.row('123').waitFor({ state: 'detached' });
    await page.getByTestId('traffic-gaps').waitFor({ state: 'hidden' });
    expect(console.trouble).toEqual([]);
  });

  it('comes back by itself after a restart of the Web service, behind the last event', async () => {
    const console = await setUpBenchPage(browser);
    const { bench, listen } = console;
    await console.open();
    await console.send('123#00');
    await console.hasCount('123', 1);
    await bench.json('web', 'stop');
    await console.isStatus('Reconnecting');
    await console.send('123#01', '--count=3');
    await bench.json('web', 'start', `--listen=${listen}`);
    await console.isStatus('Live');
    await console.send('123#02');
    await console.row('123').getByText('02', { exact: true }).waitFor();
    await console.hasCount('123', 5);
    expect(console.trouble).toEqual([]);
  });

  it('takes a flood of ids without more rows than it can show, and says so', async () => {
    const console = await setUpBenchPage(browser);
    const { page } = console;
    const flood = 30_000;
    const events = Array.from({ length: flood }, (_, index) => {
      const frame = { id: index % 600, extended: true, remote: false, error: false, data: '00' };
      const rest = { kind: 'rx_frame', bus: 'can', channel: 0, selector: 'SIM00001/0', status: 0 };
      const data = JSON.stringify({ ...frame, ...rest, timestamp_us: index });
      return `id: ${index + 1}\nevent: message\ndata: ${data}\n\n`;
    });
    const answer = { contentType: 'text/event-stream', body: events.join('') };
    await page.route('**/messages/stream', (route) => route.fulfill(answer), { times: 1 });
    await page.goto(`http://${console.listen}/`);
    await page.getByTestId('traffic-limit').getByText('All 500 rows are in use; 5,000').waitFor();
    await expect(page.locator('tr[data-id]').count()).resolves.toBe(500);
    // The real stream, which follows, knows nothing of these ids.
    await page.getByTestId('traffic-gaps').getByText('an unknown number of events').waitFor();
    await console.isStatus('Live');
    expect(console.trouble).toEqual([]);
  });
});
