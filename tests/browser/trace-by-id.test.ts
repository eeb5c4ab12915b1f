import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';

const rowOf = (console: ConsolePage, table: string, id: string, direction: string) =>
  console
    .by(table)
    .locator(`tr[data-id="${id}"]`)
    .filter({ has: console.page.locator('[data-field="direction"]').getByText(direction) });

/** Waits until both channels of the bus have that many frames of an ID: the sender's and the other. */
const haveFrames = async (
  console: ConsolePage,
  table: string,
  field: string,
  id: string,
  count: number,
): Promise<void> => {
  for (const direction of ['Tx', 'Rx']) {
    const cell = rowOf(console, table, id, direction).locator(`[data-field="${field}"]`);
    await cell.getByText(String(count), { exact: true }).waitFor();
  }
};

describe.runIf(hasBrowser())('the trace by ID as a whole', () => {
  const freshConsole = reuseConsole();

  it('finds the bit that had never changed before the mark', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.loadDatabase();
    await console.open('trace?view=changes');
    await console.says('trace-status', 'Live');
    for (const data of ['0000', '0100', '0000']) await console.send(`100#${data}`);
    await console.send('101#00');
    await console.send('102#00');
    const engine = rowOf(console, 'changes-table', '100', 'Tx');
    await haveFrames(console, 'changes-table', 'frames', '100', 3);
    await haveFrames(console, 'changes-table', 'frames', '101', 1);
    await haveFrames(console, 'changes-table', 'frames', '102', 1);
    await engine.locator('[data-field="changed"]').getByText('1', { exact: true }).waitFor();

    await console.by('changes-mark').click();
    await console.says('changes-since', /^Changes since/);
    await console.by('changes-hide-seen').click();
    await console.by('changes-table').getByText('No bit changed').waitFor();
    await console.send('100#0180');
    await console.send('101#01');
    await engine.locator('[data-field="changed"]').getByText('1', { exact: true }).waitFor();
    await expect(rowOf(console, 'changes-table', '102', 'Tx').count()).resolves.toBe(0);
    const doors = rowOf(console, 'changes-table', '101', 'Tx');
    await doors.getByRole('img', { name: '1 bit changed: byte 0' }).waitFor();

    await console.by('changes-table').focus();
    await page.keyboard.press('ArrowDown');
    const detail = console.by('changes-detail');
    await detail.getByRole('heading', { name: '100 Engine' }).waitFor();
    // Bit 0 had changed before, bit 15 had not.
    const bits = console.by('changes-bits');
    await bits.locator('[data-bit="0"][data-hidden]').getByText('1').waitFor();
    await bits.locator('[data-bit="15"][data-level="4"]').getByText('1').waitFor();
    await bits.locator('[data-signal="Speed"]').first().waitFor();
    await detail.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
    await console.by('changes-unmark').click();
    await console.says('changes-since', 'No mark');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'ignores a counter that it detects, and narrows fields down by what they did',
    async () => {
      const console = await freshConsole();
      await console.open('trace?view=changes');
      await console.says('trace-status', 'Live');
      const counting = ['--pattern=increment_data', '--period=1ms', '--count=80'];
      await console.bench.json('tx-task', 'add', 'SIM00001/0', '300#00', ...counting);
      const counter = rowOf(console, 'changes-table', '300', 'Tx');
      await haveFrames(console, 'changes-table', 'frames', '300', 80);
      await counter.locator('[data-field="changed"]').getByText('7', { exact: true }).waitFor();
      await console.by('changes-ignore').click();
      await counter.locator('[data-field="changed"]').getByText('0', { exact: true }).waitFor();
      await counter.click();
      const reason = 'detected: 0 to 79, 79 of 79 steps';
      await console.by('changes-fields').getByText(reason).waitFor();

      await console.send('301#1020');
      await haveFrames(console, 'changes-table', 'frames', '301', 1);
      await console.by('changes-narrow').click();
      await console.by('narrow-start').click();
      // The byte of the counter is no field.
      await console.says('narrow-left', /^4 fields left$/);
      await console.send('301#1220');
      await haveFrames(console, 'narrow-table', 'now', '301', 0x12);
      await console.by('narrow-up').click();
      await console.says('narrow-left', '2 fields left after: went up');
      await console.by('narrow-table').getByText('byte 0').first().waitFor();
      await console.by('narrow-down').click();
      await console.says('narrow-left', '0 fields left after: went up, went down');
      await console.by('narrow-undo').click();
      await console.by('narrow-same').click();
      await console.says('narrow-left', '2 fields left after: went up, stayed the same');
      expect(console.errors).toEqual([]);
    },
  );

  it('counts each ID, sorts by any column, and saves what it shows', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('trace?view=statistics');
    await console.says('trace-status', 'Live');
    await console.send('201#00', '--count=3');
    await console.send('200#0011', '--count=2');
    await haveFrames(console, 'statistics-table', 'count', '201', 3);
    await haveFrames(console, 'statistics-table', 'count', '200', 2);
    const share = rowOf(console, 'statistics-table', '200', 'Tx').locator('[data-field="share"]');
    await share.getByText('%').waitFor();

    const ids = console.by('statistics-table').locator('tbody [data-field="id"]');
    await expect(ids.allTextContents()).resolves.toEqual(['200', '201', '200', '201']);
    const frames = page.getByRole('columnheader', { name: 'Frames' });
    await frames.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.locator('th[aria-sort="descending"]').getByText('Frames').waitFor();
    await expect(ids.allTextContents()).resolves.toEqual(['201', '201', '200', '200']);

    await console.by('trace-filter-id').fill('200');
    await console.says('statistics-time', /2 of 4 IDs/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      console.by('statistics-save').click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^channel,direction,id,/);
    expect(lines.slice(1).map((line) => line.split(',').slice(2, 7).join())).toEqual([
      '200,false,,CAN,2',
      '200,false,,CAN,2',
    ]);
    expect(console.errors).toEqual([]);
  });
});
