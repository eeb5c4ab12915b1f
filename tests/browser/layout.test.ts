import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { reuseConsole } from './support/console-page.ts';
import { clipboardText, sidewaysScrollers } from './support/in-page.js';

const small = { width: 1280, height: 800 };
const wide = { width: 1920, height: 1080 };

describe.runIf(hasBrowser())('the layout of the console', () => {
  const freshConsole = reuseConsole();

  it('fits channels with the longest name into the page of channels', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await bench.json('channel', 'open', 'SIM00001/2', `--name=${'long-name'.repeat(7)}`);
    await console.open('channels');
    await console.by('bench').getByText('long-name').waitFor();
    await expect(page.evaluate(sidewaysScrollers)).resolves.toEqual([]);
    expect(console.errors).toEqual([]);
  });

  itLong('leaves out columns where room is short, and copies them all the same', async () => {
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
    await page.setViewportSize(small);
    await table.locator('thead').getByText('Pattern').waitFor({ state: 'detached' });
    await table.focus();
    await page.keyboard.press('Control+c');
    const copied = await page.evaluate(clipboardText);
    expect(copied).toContain('Pattern');
    expect(copied).toContain('fixed');
    expect(console.errors).toEqual([]);
  });

  itLong('shows what the picked channel carried where there is room for it', async () => {
    const console = await freshConsole();
    await console.open('channels');
    await console.by('channel-counters').waitFor();
    await expect(console.by('traffic').isVisible()).resolves.toBe(false);
    await console.page.setViewportSize(wide);
    await console.by('traffic').waitFor();
    await console.says('traffic', /RX rate\s*[\d.]+ frames\/s/);
    expect(console.errors).toEqual([]);
  });

  itLong('shows many frames at twice the size, too', async () => {
    const console = await freshConsole();
    await console.open('trace');
    await console.page.setViewportSize({ width: 640, height: 400 });
    const table = console.by('trace-table');
    await table.waitFor();
    const { height = 0 } = (await table.boundingBox()) ?? {};
    expect(height).toBeGreaterThan(160);
    expect(console.errors).toEqual([]);
  });
});
