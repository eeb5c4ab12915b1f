import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { type BenchPage, setUpBenchPage } from './support/bench-page.ts';
import { SignalsPage } from './support/signals-page.ts';

interface Signals {
  readonly console: BenchPage;
  readonly signals: SignalsPage;
}

const setUp = async (browser: Browser): Promise<Signals> => {
  const console = await setUpBenchPage(browser);
  const signals = new SignalsPage(console);
  await signals.loadDatabase();
  return { console, signals };
};

describe.runIf(hasBrowser())('the signals in the console', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('say how to make a plan, and begin as soon as there is one', async () => {
    const { console, signals } = await setUp(browser);
    await console.open();
    await signals.isStatus('No plan');
    await signals.panel.getByText('busbar database load vehicle.dbc').waitFor();
    await signals.panel.getByText('busbar signal plan create --channel=').waitFor();
    await signals.plan('Engine');
    await signals.isStatus('Live');
    await signals.reads('Speed', 'state', '○ no sample yet');
    await console.send('100#40060300');
    await signals.reads('Speed', 'value', '400');
    expect(console.trouble).toEqual([]);
  });

  it('show value, unit, label and trend, and follow every change', async () => {
    const { console, signals } = await setUp(browser);
    await signals.plan('Engine');
    await console.open();
    await signals.isStatus('Live');
    await console.send('100#40060300');
    await signals.reads('Speed', 'value', '400');
    await signals.reads('Speed', 'unit', 'rpm');
    await signals.reads('Speed', 'message', 'Engine');
    await signals.reads('Speed', 'channel', 'powertrain');
    await signals.reads('Gear', 'label', 'third');
    const line = signals.row('Speed').locator('path');
    const before = await line.getAttribute('d');
    expect(before).toMatch(/^M[\d.]+ [\d.]+/);
    await console.send('100#41060000');
    await signals.reads('Speed', 'value', '400.25');
    await signals.reads('Gear', 'label', 'park');
    await expect(line.getAttribute('d')).resolves.not.toBe(before);
    await signals.reads('Speed', 'state', '');
    expect(console.trouble).toEqual([]);
  });

  it('mark a value that is outside of its limits', async () => {
    const { console, signals } = await setUp(browser);
    await signals.plan('Engine');
    await console.open();
    await signals.isStatus('Live');
    await console.send('100#FFFF0300');
    await signals.reads('Speed', 'value', '16383.75');
    await signals.reads('Speed', 'state', '▲ invalid');
    await signals.reads('Gear', 'state', '');
    await console.send('100#40060300');
    await signals.reads('Speed', 'state', '');
    expect(console.trouble).toEqual([]);
  });

  it('show what came before the page was opened', async () => {
    const { console, signals } = await setUp(browser);
    await signals.plan('Doors');
    await console.send('101#01');
    await console.open();
    await signals.reads('Driver', 'label', 'open');
    expect(console.trouble).toEqual([]);
  });

  it('are found by signal, message or channel', async () => {
    const { console, signals } = await setUp(browser);
    const { page } = console;
    await signals.plan('Engine');
    await signals.plan('Doors');
    await console.open();
    await signals.row('Driver').waitFor();
    await page.getByTestId('signals-filter').fill('power engine sp');
    await signals.row('Driver').waitFor({ state: 'hidden' });
    await signals.panel.getByText('1 of 3 signals').waitFor();
    await signals.row('Speed').waitFor();
    await page.keyboard.press('Escape');
    await signals.row('Driver').waitFor();
    expect(console.trouble).toEqual([]);
  });

  it('fit a narrow screen', async () => {
    const { console, signals } = await setUp(browser);
    const { page } = console;
    await signals.plan('Engine');
    await page.setViewportSize({ width: 400, height: 800 });
    await console.open();
    await signals.isStatus('Live');
    await signals.row('Speed').scrollIntoViewIfNeeded();
    await console.send('100#40060300');
    await signals.reads('Speed', 'value', '400');
    const width = await page.locator('html').evaluate((root) => root.scrollWidth);
    expect(width).toBe(400);
    const table = page.getByTestId('signals-table');
    await expect(table.evaluate((node) => node.scrollWidth)).resolves.toBeLessThan(400);
    expect(console.trouble).toEqual([]);
  });

  it('stand still while stopped, whatever the traffic does, and then go on', async () => {
    const { console, signals } = await setUp(browser);
    await signals.plan('Engine');
    await console.open();
    await signals.isStatus('Live');
    await console.send('100#40060300');
    await signals.reads('Speed', 'value', '400');
    await signals.button('Stop').click();
    await signals.isStatus('Stopped');
    await console.send('100#41060300');
    await console.hasCount('100', 2);
    await console.isStatus('Live');
    await signals.reads('Speed', 'value', '400');
    await signals.button('Start').click();
    await signals.reads('Speed', 'value', '400.25');
    await expect(console.page.getByTestId('signals-gaps').textContent()).resolves.toBe('');
    expect(console.trouble).toEqual([]);
  });

  it('go on while the traffic is paused', async () => {
    const { console, signals } = await setUp(browser);
    await signals.plan('Engine');
    await console.open();
    await signals.isStatus('Live');
    await console.page.getByRole('button', { name: 'Pause' }).click();
    await console.isStatus('Paused');
    await console.send('100#40060300');
    await signals.reads('Speed', 'value', '400');
    await signals.isStatus('Live');
    expect(console.trouble).toEqual([]);
  });

  it('say how many samples were missed, until that is cleared', async () => {
    const { console, signals } = await setUp(browser);
    await signals.plan('Engine', '--history=4');
    await console.open();
    await signals.isStatus('Live');
    await console.send('100#40060300');
    await signals.reads('Speed', 'value', '400');
    await signals.button('Stop').click();
    await signals.isStatus('Stopped');
    await console.send('100#41060300', '--count=10');
    await console.hasCount('100', 11);
    await signals.button('Start').click();
    const gaps = console.page.getByTestId('signals-gaps');
    await gaps.getByText(/Missed up to 12 samples, before sample 15\./).waitFor();
    await signals.button('Clear').click();
    await gaps.waitFor({ state: 'hidden' });
    expect(console.trouble).toEqual([]);
  });

  it('are stale while the service is away, expired when it comes back, and can be made anew', async () => {
    const { console, signals } = await setUp(browser);
    const { bench, listen } = console;
    await signals.plan('Engine');
    await console.open();
    await signals.isStatus('Live');
    await console.send('100#40060300');
    await signals.reads('Speed', 'value', '400');
    await bench.json('web', 'stop');
    await signals.reads('Speed', 'state', '▲ stale');
    await signals.reads('Speed', 'value', '400');
    await bench.json('web', 'start', `--listen=${listen}`);
    await signals.reads('Speed', 'state', '■ expired');
    await signals.reads('Speed', 'value', '400');
    await signals.panel.getByText('1 plan has expired').waitFor();
    await signals.plan('Engine');
    await signals.isStatus('Live');
    await signals.reads('Speed', 'state', '○ no sample yet');
    await console.send('100#41060300');
    await signals.reads('Speed', 'value', '400.25');
    await expect(signals.row('Speed').count()).resolves.toBe(1);
    await expect(console.page.getByTestId('signals-gaps').textContent()).resolves.toBe('');
    expect(console.trouble).toEqual([]);
  });

  it('are stale while the service is away even if they were stopped', async () => {
    const { console, signals } = await setUp(browser);
    const { bench } = console;
    await signals.plan('Engine');
    await console.open();
    await signals.isStatus('Live');
    await console.send('100#40060300');
    await signals.reads('Speed', 'value', '400');
    await signals.button('Stop').click();
    await bench.json('web', 'stop');
    await signals.reads('Speed', 'state', '▲ stale');
    await signals.isStatus('Stopped');
    expect(console.trouble).toEqual([]);
  });

  it('lose a deleted plan alone, and drop its rows when cleared', async () => {
    const { console, signals } = await setUp(browser);
    const { bench } = console;
    await signals.plan('Engine');
    const doors = await signals.plan('Doors');
    await console.open();
    await signals.isStatus('Live');
    await bench.json('signal', 'plan', 'delete', doors.plan_id);
    await signals.reads('Driver', 'state', '■ expired');
    await console.send('100#40060300');
    await signals.reads('Speed', 'value', '400');
    await signals.button('Clear').click();
    await signals.row('Driver').waitFor({ state: 'detached' });
    await signals.row('Speed').waitFor();
    expect(console.trouble).toEqual([]);
  });
});
