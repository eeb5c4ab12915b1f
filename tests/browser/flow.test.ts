import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { runInBackground } from '../scenario/support/background-command.ts';
import { writeBench } from '../scenario/support/bench-files.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually, repository, setUpWorkbench } from '../support/workbench.ts';
import { ConsolePage, openPage, setUpConsole } from './support/console-page.ts';
import { largeProject } from './support/large-project.ts';

const box = (console: ConsolePage, key: string) =>
  console.page.locator(`.flow-box[data-key="${key}"]`);
const nameOf = (console: ConsolePage, key: string) => box(console, key).locator('.flow-name');
const row = (console: ConsolePage, key: string) =>
  console.by('flow-table').locator(`tr[data-key="${key}"]`);
const boxes = (console: ConsolePage) => console.page.locator('.flow-box');

/** The demonstration vehicle as a user sees it. */
const setUpDemo = async (): Promise<ConsolePage> => {
  const bench = setUpWorkbench();
  const demo = runInBackground(bench, 'demo', '--port=0');
  await demo.printed('stdout', 'Ctrl-C');
  const [, listen = ''] = /http:\/\/([^/]+)\//.exec(demo.stdout) ?? [];
  return new ConsolePage(bench, listen, await openPage({ width: 1440, height: 900 }), []);
};

describe.runIf(hasBrowser())('the flow of a gateway', () => {
  it('shows where the values of the demonstration come from and go to, and why they do not', async () => {
    const console = await setUpDemo();
    const { page } = console;
    await console.open('flow');
    await nameOf(console, 'signal:EngineSpeed').click();
    await console.says('flow-quality', 'good');
    await console.says('flow-detail', /Engine.*Dashboard.*raw \d+.*plc\.EngineSpeed/);
    const value = console.by('flow-value');
    const before = await value.textContent();
    await eventually(async () => (await value.textContent()) !== before);

    // Moves along the flow by keys; the focus follows the selection.
    await nameOf(console, 'signal:EngineSpeed').focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('[data-key="message:Engine"] .flow-name:focus').waitFor();
    await page.keyboard.press('Space');
    await box(console, 'signal:EngineSpeed').waitFor({ state: 'detached' });
    await box(console, 'message:Engine').getByText('2 collapsed').waitFor();
    await page.keyboard.press('Space');
    await box(console, 'signal:EngineSpeed').waitFor();
    await nameOf(console, 'signal:BrakePressure').click();
    await nameOf(console, 'signal:BrakePressure').press('f');
    await box(console, 'signal:EngineSpeed').waitFor({ state: 'detached' });
    expect(await boxes(console).count()).toBe(9);
    await page.keyboard.press('Escape');
    await box(console, 'signal:EngineSpeed').waitFor();

    // The vehicle has stopped: dependent signals become invalid, with the reason.
    await console.bench.json('channel', 'close', 'powertrain');
    await box(console, 'message:Engine').and(page.locator('[data-flow="broken"]')).waitFor();
    await box(console, 'message:Engine').getByText('timeout').waitFor();
    await console.says('flow-reason', 'Nothing was received for longer than values hold');
    await console.by('flow-broken').click();
    const cell = (key: string, field: string) =>
      row(console, key).locator(`[data-field="${field}"]`);
    await cell('mapping:to_Braking', 'quality').getByText('input invalid').waitFor();
    await row(console, 'signal:DriverDoor').waitFor({ state: 'detached' });
    await console.by('flow-broken-only').uncheck();
    await row(console, 'signal:DriverDoor').waitFor();
    expect(await cell('signal:DriverDoor', 'to').textContent()).toBe('plc.DriverDoor');

    // The table follows and collapses like the drawing.
    await page.getByRole('button', { name: 'Isolate path of DriverDoor' }).click();
    await row(console, 'signal:Wiper').waitFor({ state: 'detached' });
    await console.by('flow-unfollow').click();
    await row(console, 'signal:Wiper').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('is of use with 2,000 signals, and follows an instance that is replaced', async () => {
    const console = await setUpConsole();
    const { bench, page } = console;
    writeBench(bench.project, {
      networks: { bus: 'SIM00001/1', powertrain: 'SIM00001/1', plc: null },
    });
    writeFileSync(join(bench.project, 'large.gwproj'), JSON.stringify(largeProject()));
    await bench.json('gateway', 'load', '--file=large.gwproj', '--instance=large');
    await bench.json('gateway', 'start', '--instance=large');
    await console.open('flow?instance=large');
    await boxes(console).filter({ hasText: '32 collapsed' }).first().waitFor();
    expect(await boxes(console).count()).toBeLessThanOrEqual(100);

    // A value on its way through.
    await console.by('flow-search').fill('s3_7');
    await console.by('flow-search').press('Enter');
    await box(console, 'signal:S3_7').and(page.locator('[data-selected]')).waitFor();
    await console.says('flow-quality', 'no value yet');
    await console.send(`103##1${'0000'.repeat(7)}2A00${'0000'.repeat(24)}`);
    await console.says('flow-value', '21 V');
    await console.by('flow-follow').click();
    await box(console, 'signal:S3_7_out').waitFor();
    expect(await boxes(console).count()).toBe(7);
    await console.by('flow-detail').getByRole('button', { name: 'to_S3_7_out' }).click();
    await console.by('flow-detail').getByRole('button', { name: 'S3_7_out' }).click();
    await console.says('flow-value', '42');

    // The table finds what is folded, too, and shows it.
    await console.by('flow-unfollow').click();
    await console.by('flow-fold-all').click();
    await console.by('flow-face').getByText('Table').click();
    await console.by('flow-search').fill('S5_4_out');
    await row(console, 'signal:S5_4_out').click();
    await console.says('flow-detail', 'S5_4_out');
    await console.by('flow-search').fill('');
    await console.by('flow-face').getByText('Diagram').click();
    await box(console, 'signal:S5_4_out').and(page.locator('[data-selected]')).waitFor();

    // Unfolded together: invisible boxes have no elements.
    await console.by('flow-unfold-all').click();
    const signals = page.locator('.flow-box[data-kind="signal"]');
    await eventually(async () => (await signals.count()) > 10);
    expect(await boxes(console).count()).toBeLessThan(300);
    await console.by('flow-face').getByText('Table').click();
    const table = console.by('flow-table').locator('table');
    await eventually(async () => Number(await table.getAttribute('aria-rowcount')) > 3000);
    await console.by('flow-search').fill('W7');
    await eventually(async () => Number(await table.getAttribute('aria-rowcount')) === 12);
    const wave = row(console, 'signal:W7').locator('[data-field="value"]');
    const before = await wave.textContent();
    await eventually(async () => (await wave.textContent()) !== before);

    // Another client takes the instance away, and loads another one under its name.
    await bench.json('gateway', 'stop', '--instance=large');
    await bench.json('gateway', 'unload', '--instance=large');
    await console.says('instance-gone', 'large was unloaded');
    await page.locator('[data-testid="flow"][data-stale]').waitFor();
    const example = readFileSync(join(repository, 'examples', 'coolant.gwproj'));
    writeFileSync(join(bench.project, 'coolant.gwproj'), example);
    await bench.json('gateway', 'load', '--file=coolant.gwproj', '--instance=large');
    await console.by('flow-search').fill('');
    await row(console, 'signal:W7').waitFor({ state: 'detached' });
    await page.locator('[data-testid="flow"]:not([data-stale])').waitFor();
    await eventually(async () => Number(await table.getAttribute('aria-rowcount')) < 40);
    expect(console.errors).toEqual([]);
  });
});
