import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually, repository } from '../support/workbench.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';

const pumpDatabase = `VERSION ""

BU_: Car

BO_ 291 Pump: 8 Car
 SG_ Pressure : 0|8@1+ (0.5,0) [0|80] "bar" Car
`;

/** Views of the panes, in the order of the tree. */
const viewsIn = (console: ConsolePage): Promise<readonly string[]> =>
  console.by('pane-view').evaluateAll((selects) => selects.map((select) => select.value));

const showsViews = (console: ConsolePage, ...views: readonly string[]): Promise<void> =>
  eventually(async () => (await viewsIn(console)).join() === views.join());

const paneOf = (console: ConsolePage, view: string): Locator =>
  console.page.locator(`[data-testid="pane"][data-view="${view}"]`);

const shareOf = async (bar: Locator): Promise<number> =>
  Number(await bar.getAttribute('aria-valuenow'));

const saveAs = async (console: ConsolePage, name: string): Promise<void> => {
  await console.by('layout-save-as').click();
  await console.by('layout-name').fill(name);
  await console.by('layout-submit').click();
};

const fileOf = (console: ConsolePage, name: string): string =>
  join(console.bench.project, `${name}.layout.json`);

describe.runIf(hasBrowser())('the layout page', () => {
  const freshConsole = reuseConsole();

  it('shows pages in panes that are split, chosen, resized, saved, and opened by a link', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('layout');
    await paneOf(console, 'signals').getByTestId('pane-rows').click();
    await showsViews(console, 'trace', 'signals', 'send');
    await paneOf(console, 'send').getByTestId('pane-view').selectOption('channels');
    await console.by('channels-table').locator('tr[data-channel]').first().waitFor();
    await console.by('trace-filter-id').fill('7DF');
    const bar = page.locator('[data-testid="pane-bar"][data-split="columns"]');
    await bar.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await eventually(async () => (await shareOf(bar)) === 54);
    await saveAs(console, 'bench');
    await console.by('layout-delete').waitFor();
    expect(JSON.parse(readFileSync(fileOf(console, 'bench'), 'utf8'))).toMatchObject({
      panes: { show: 'columns', at: 0.54, second: { second: { show: 'channels' } } },
      trace: { filter: { id: '7DF' } },
    });
    await console.by('trace-filter-id').fill('123');
    await console.by('layout-changed').waitFor();
    await console.says('trace-status', 'Live');
    const version = console.by('version').filter({ hasText: /\d/ });
    await version.waitFor({ state: 'attached' });
    await console.send('123#AB');
    await console.frames('123').first().click();
    await page.locator('tr[data-row="frame"][aria-selected="true"]').waitFor();

    await page.reload();
    await showsViews(console, 'trace', 'signals', 'channels');
    await console.by('layout-changed').waitFor();
    expect(await shareOf(bar)).toBe(54);
    await expect(console.by('trace-filter-id').inputValue()).resolves.toBe('123');
    await page.locator('tr[data-row="frame"][aria-selected="true"]').waitFor();
    await console.by('trace-pause').and(page.locator('[aria-pressed="true"]')).waitFor();

    const other = await console.newTab();
    await other.open('layout?name=bench');
    await showsViews(other, 'trace', 'signals', 'channels');
    await eventually(async () => (await other.by('trace-filter-id').inputValue()) === '7DF');
    await other.by('channels-table').locator('tr[data-channel]').first().waitFor();
    expect([...console.errors, ...other.errors]).toEqual([]);
  });

  it('restores the layout that is open when it is chosen again, and keeps signals of the open file', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('trace');
    const frames = Array.from({ length: 9 }, (_, at) => `(${at}.000000) can0 123#0${at}`);
    const log = { name: 'a.log', buffer: Buffer.from(frames.join('\n')), mimeType: '' };
    const dbc = { name: 'pump.dbc', buffer: Buffer.from(pumpDatabase), mimeType: '' };
    await console.by('trace-file').setInputFiles([log, dbc]);
    await console.says('trace-file-state', 'Read');
    await console.frames('123').first().filter({ hasText: 'Pump' }).waitFor();
    await console.frames('123').first().click();
    await console.by('trace-plot').click();
    await page.locator('tr[data-message][data-signal="Pressure"]').waitFor();

    await page.goto(`http://${console.listen}/#layout`);
    await saveAs(console, 'again');
    await console.by('layout-delete').waitFor();
    await paneOf(console, 'trace').getByTestId('pane-close').click();
    await showsViews(console, 'signals');
    await console.by('layout-changed').waitFor();
    await console.by('layout-choice').selectOption('again');
    await showsViews(console, 'trace', 'signals');
    await console.by('layout-changed').waitFor({ state: 'detached' });
    await page.locator('tr[data-message][data-signal="Pressure"]').waitFor();

    const example = join(repository, 'examples', 'bench.layout.json');
    await console.by('layout-file').setInputFiles(example);
    await showsViews(console, 'trace', 'changes', 'plot', 'tasks');
    await console.by('layout-choice').selectOption('again');
    await showsViews(console, 'trace', 'signals');
    expect(console.errors).toEqual([]);
  });

  it('shows PDUs in two panes, each with its details, and goes on in one when the other is left', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    const panes = { show: 'columns', at: 0.5, first: { show: 'trace' }, second: { show: 'pdus' } };
    const name = 'pdus.layout.json';
    const buffer = Buffer.from(JSON.stringify({ panes }));
    await console.open('layout');
    await console.by('layout-file').setInputFiles({ name, buffer, mimeType: '' });
    await showsViews(console, 'trace', 'pdus');
    await console.by('trace-view').getByText('PDUs').click();
    const tables = console.by('pdus-table');
    const rows = (id: string) =>
      tables.locator(`tr[data-id="${id}"]`).filter({ hasText: 'powertrain' });
    await eventually(async () => (await tables.count()) === 2);
    await bench.json('message', 'send', 'SIM00001/0', '7E8#037F2278');
    await eventually(async () => (await rows('7E8').count()) === 2);
    await console.by('trace-view').getByText('Chronological').click();
    await eventually(async () => (await tables.count()) === 1);
    await bench.json('message', 'send', 'SIM00001/0', '7E9#037F2278');
    await rows('7E9').waitFor();

    // The page of the trace is hidden now: actions open it on its own.
    await paneOf(console, 'trace').getByTestId('pane-close').click();
    await showsViews(console, 'pdus');
    await page.keyboard.press('Control+K');
    await page.keyboard.type('statistics by id');
    await page.keyboard.press('Enter');
    await console.by('statistics-table').waitFor();
    expect(new URL(page.url()).hash).toBe('#trace');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'renames and deletes the file, and saves only over the version that it opened',
    async () => {
      const console = await freshConsole();
      await console.open('layout');
      await saveAs(console, 'bench');
      await console.by('layout-rename').click();
      await console.by('layout-name').fill('night');
      await console.by('layout-submit').click();
      await eventually(() => existsSync(fileOf(console, 'night')));
      await eventually(() => !existsSync(fileOf(console, 'bench')));
      await console
        .by('layout-choice')
        .locator('option', { hasText: 'night' })
        .waitFor({ state: 'attached' });

      writeFileSync(fileOf(console, 'night'), '{"panes":{"show":"send"}}');
      await paneOf(console, 'trace').getByTestId('pane-close').click();
      console.watch.allow(409, /^\/api\/v1\/files\/night\.layout\.json$/);
      await console.by('layout-save').click();
      await console.says('layout-error', 'another program has changed it');
      await console.by('layout-revert').click();
      await showsViews(console, 'send');
      await console.by('layout-delete').click();
      await eventually(() => !existsSync(fileOf(console, 'night')));
      await console.by('layout-delete').waitFor({ state: 'detached' });
      expect(console.errors).toEqual([]);
    },
  );

  itLong(
    'opens a file and a link with the layout in it, and refuses what is wrong by its field',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await console.open('layout');
      const example = join(repository, 'examples', 'bench.layout.json');
      await console.by('layout-file').setInputFiles(example);
      await showsViews(console, 'trace', 'changes', 'plot', 'tasks');
      await console.by('changes-table').waitFor();
      await console.by('layout-link').click();
      const link = await console.by('layout-link-text').getAttribute('href');
      await paneOf(console, 'trace').getByTestId('pane-close').click();
      await showsViews(console, 'changes', 'plot', 'tasks');
      const other = await console.newTab();
      await other.page.goto(link ?? '');
      await showsViews(other, 'trace', 'changes', 'plot', 'tasks');
      await eventually(async () => (await other.by('trace-filter-id').inputValue()) === '100-1FF');

      const wrong = { panes: { show: 'rows', at: 2, first: { show: 'send' }, second: {} } };
      const buffer = Buffer.from(JSON.stringify(wrong));
      const name = 'wrong.layout.json';
      await console.by('layout-file').setInputFiles({ name, buffer, mimeType: '' });
      await console.says('layout-problems', 'panes.at must be at most 1.');
      await console.says('layout-problems', 'panes.second.show is required.');
      await showsViews(console, 'changes', 'plot', 'tasks');
      await page.goto(`http://${console.listen}/#layout?of=nonsense`);
      await console.says('layout-problems', 'The link is damaged.');
      expect([...console.errors, ...other.errors]).toEqual([]);
    },
  );

  itLong(
    'exchanges panes, goes through them with F6, and stacks them in a narrow window',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await console.open('layout');
      await paneOf(console, 'trace').getByTestId('pane-view').selectOption('signals');
      await showsViews(console, 'signals', 'trace');
      await paneOf(console, 'signals').getByTestId('pane-view').selectOption('rows-only');
      await showsViews(console, 'rows-only', 'signals');
      await console.by('trace-filter-id').waitFor({ state: 'hidden' });
      const stops = {
        rowsBar: '[data-testid="pane"][data-view="rows-only"]',
        rows: '.page[data-page="trace"]',
        signalsBar: '[data-testid="pane"][data-view="signals"]',
        signals: '.page[data-page="signals"]',
        layout: '[data-testid="layout-bar"]',
      };
      const goes = async (keys: string, ...places: readonly (keyof typeof stops)[]) => {
        for (const place of places) {
          await page.keyboard.press(keys);
          await page.locator(`${stops[place]}:focus-within`).waitFor();
        }
      };
      await goes('F6', 'rowsBar', 'rows', 'signalsBar', 'signals', 'layout', 'rowsBar');
      await goes('Shift+F6', 'layout', 'signals', 'signalsBar', 'rows');
      await page.keyboard.press('Control+K');
      await page.keyboard.type('next pane');
      await page.keyboard.press('Enter');
      await page.locator(`${stops.signalsBar}:focus-within`).waitFor();
      const bar = console.by('pane-bar');
      const { x = 0, y = 0 } = (await bar.boundingBox()) ?? {};
      await page.mouse.move(x + 4, y + 100);
      await page.mouse.down();
      await page.mouse.move(x + 204, y + 100);
      await page.mouse.up();
      await eventually(async () => (await shareOf(bar)) === 66);
      await page.setViewportSize({ width: 900, height: 700 });
      await bar.waitFor({ state: 'detached' });
      const tops = await Promise.all(
        (await console.by('pane').all()).map(async (pane) => (await pane.boundingBox())?.y ?? 0),
      );
      expect(tops[1]).toBeGreaterThan((tops[0] ?? 0) + 400);
      expect(console.errors).toEqual([]);
    },
  );
});
