import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { repository } from '../support/workbench.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';

describe.runIf(hasBrowser())('the editor of gateway projects', () => {
  const freshConsole = reuseConsole();

  const openProject = async (file: string): Promise<ConsolePage & { readonly path: string }> => {
    const console = await freshConsole();
    const path = join(console.bench.project, file);
    copyFileSync(join(repository, 'examples', 'coolant.gwproj'), path);
    await console.open(`editor?file=${file}`);
    await console.says('editor-state', '0 problems');
    return Object.assign(console, { path });
  };

  const cell = (console: ConsolePage, row: string, field: string) =>
    console.page.locator(`tr[data-row="${row}"] [data-cell="${field}"]`);

  const type = async (console: ConsolePage, row: string, field: string, text: string) => {
    await cell(console, row, field).click();
    await console.page.keyboard.press('Enter');
    await console.page.keyboard.press('Control+A');
    await console.page.keyboard.type(text);
    await console.page.keyboard.press('Enter');
  };

  it('edits cells, shows problems at them, draws a mapping, and saves what was reviewed', async () => {
    const console = await openProject('edited.gwproj');
    const { page, path } = console;
    const before = readFileSync(path, 'utf8');

    await type(console, 'coolant', 'unit', 'K');
    await cell(console, 'coolant', 'unit').getByText('K').waitFor();
    await page.locator('[data-table="bindings"]').click();
    await type(console, 'coolant.rx', 'signal', 'nothing');
    await console.says('editor-problems', '"nothing" does not exist');
    await page.locator('tr[data-row="coolant.rx"] [data-cell="signal"][data-tone="bad"]').waitFor();
    await console.by('editor-undo').click();
    await console.says('editor-state', '0 problems');

    await page.locator('[data-table="signals"]').click();
    await type(console, 'coolant_f', 'id', 'coolant_fahrenheit');
    await console.says('editor-state', '0 problems');

    await console.by('editor-view').getByText('Flow').click();
    await page
      .locator('[data-port="pump"][data-side="input"]')
      .dragTo(page.locator('[data-port="coolant_fahrenheit"][data-side="output"]'));
    await page.locator('[data-port="mapping_1"]').waitFor();
    await console.by('editor-undo').click();
    await page.locator('[data-port="mapping_1"]').waitFor({ state: 'detached' });

    await page
      .locator('[data-port="pump"][data-side="input"]')
      .dragTo(page.locator('[data-port="to_fahrenheit"]'));
    await page.locator('[data-port="to_fahrenheit"]').getByText('⚠').waitFor();
    await console.by('editor-undo').click();
    await console.says('editor-state', '0 problems');

    expect(readFileSync(path, 'utf8')).toBe(before);
    await page.reload();
    await console.says('editor-restored', 'Continues with your changes');
    await console.by('editor-save').click();
    const changes = page.locator('.changes');
    await changes.getByText('signals · coolant changed').waitFor();
    await changes.getByText('signals · coolant_fahrenheit added').waitFor();
    await console.by('editor-save').click();
    await console.says('editor-state', 'Saved');
    expect(readFileSync(path, 'utf8')).toBe(
      before.replaceAll('"coolant_f"', '"coolant_fahrenheit"').replace('"degC"', '"K"'),
    );
    expect(console.errors).toEqual([]);
  });

  it('edits a cell and draws a mapping by keys alone', async () => {
    const console = await openProject('keys.gwproj');
    const { page } = console;
    const focused = (selector: string) => page.locator(`${selector}:focus`);
    const tabTo = async (selector: string): Promise<void> => {
      for (let stops = 0; stops < 60; stops++) {
        if ((await focused(selector).count()) > 0) return;
        await page.keyboard.press('Tab');
      }
      await focused(selector).waitFor();
    };
    const table = '[data-testid="editor-signals-table"]';
    await page.locator('main').focus();
    await tabTo(table);
    for (let rows = 0; rows < 3; rows++) await page.keyboard.press('ArrowDown');
    await page.locator('tr[data-row="pump"][aria-selected="true"]').waitFor();
    for (let steps = 0; steps < 4; steps++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await focused('td [data-field="unit"]').waitFor();
    await page.keyboard.type('bar');
    await page.keyboard.press('Escape');
    await focused(table).waitFor();
    await cell(console, 'pump', 'unit').getByText('bar').waitFor();

    await console.by('editor-view').getByText('Flow').click();
    await tabTo('[data-port="pump"][data-side="input"]');
    await page.keyboard.press('Enter');
    await page.getByText('From pump: choose the other end').waitFor();
    await tabTo('[data-port="coolant_f"][data-side="output"]');
    await page.keyboard.press('Enter');
    await page.locator('[data-port="mapping_1"]').waitFor();
    await page.keyboard.press('Control+Z');
    await page.locator('[data-port="mapping_1"]').waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  it('marks the whole cell that is chosen, and edits it in all of its width', async () => {
    const console = await openProject('cells.gwproj');
    const { page } = console;
    const chosen = cell(console, 'coolant', 'unit');
    const box = chosen.locator('xpath=ancestor::td');
    await chosen.click();
    const outlined = await box.evaluate((td) =>
      [...td.querySelectorAll('*')].map((part) => {
        const outlineStyle = part.computedStyleMap().get('outline-style')?.toString();
        return outlineStyle === 'none' ? [] : [part.clientWidth - td.clientWidth];
      }),
    );
    expect(outlined.flat()).toEqual([0]);
    const width = await box.evaluate((td) => td.clientWidth);
    await page.keyboard.press('Enter');
    const field = page.locator('td [data-field="unit"]');
    expect(Math.abs(width - (await field.evaluate((input) => input.offsetWidth)))).toBeLessThan(2);
    expect(console.errors).toEqual([]);
  });

  itLong('edits a project in one of two windows, and keeps the changes of both', async () => {
    const console = await openProject('shared.gwproj');
    const other = await console.newTab();
    await other.open('editor?file=shared.gwproj');
    await other.says('editor-state', '0 problems');
    await type(console, 'coolant', 'unit', 'K');
    const taken = other.by('editor-taken-over');
    await taken.waitFor();
    await taken.getByRole('button').click();
    await cell(other, 'coolant', 'unit').getByText('K').waitFor();
    // One character is one change of the draft.
    await type(other, 'pump', 'unit', 'A');
    await console.by('editor-taken-over').getByRole('button').click();
    await cell(console, 'pump', 'unit').getByText('A').waitFor();
    await cell(console, 'coolant', 'unit').getByText('K').waitFor();
    expect([...console.errors, ...other.errors]).toEqual([]);
  });

  const reviewAndSave = async (console: ConsolePage): Promise<void> => {
    await console.by('editor-save').click();
    await console.by('editor-save').click();
  };

  itLong(
    'merges what another program changed meanwhile, and asks only about cells of both',
    async () => {
      const console = await openProject('changed.gwproj');
      const { page, path, watch } = console;
      watch.allow(409, /^\/api\/v1\/files\/changed\.gwproj$/);
      const asRead = readFileSync(path, 'utf8');
      await type(console, 'coolant', 'unit', 'K');
      const renamed = asRead.replace('Coolant for a PLC', 'Changed elsewhere');
      writeFileSync(path, renamed);
      await reviewAndSave(console);
      await console.says('editor-file-change', 'Its changes are merged with yours');
      await page.locator('.changes').getByText('signals · coolant changed').waitFor();
      expect(readFileSync(path, 'utf8')).toBe(renamed);
      await console.by('editor-save').click();
      await console.says('editor-state', 'Saved');
      const merged = renamed.replace('"degC"', '"K"');
      expect(readFileSync(path, 'utf8')).toBe(merged);

      await console.by('editor-view').getByText('Tables').click();
      await type(console, 'coolant', 'unit', 'F');
      const other = merged.replace('"K"', '"R"').replace('Changed elsewhere', 'Changed twice');
      writeFileSync(path, other);
      await reviewAndSave(console);
      const cells = page.locator('tr[data-conflict]').locator('th, td');
      await cells.first().waitFor();
      const texts = await cells.allTextContents();
      expect(texts.map((text) => text.trim())).toEqual(['signals · coolant · unit', 'K', 'F', 'R']);
      await console.by('editor-merge-finish').and(page.locator('[aria-disabled]')).waitFor();
      await page.getByRole('radio', { name: 'In the file: R' }).check();
      await console.by('editor-merge-finish').click();
      await console.says('editor-state', 'Saved');
      expect(readFileSync(path, 'utf8')).toBe(other);
      expect(console.errors).toEqual([]);
    },
  );
});
