import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser, PageErrors, patienceMs, sharedBrowser } from '../support/browser.ts';
import { repository, Workbench } from '../support/workbench.ts';
import { axeFindings } from './support/axe-findings.ts';

const openPage = async (url: string, origin: string) => {
  const page = await (await sharedBrowser()).newPage();
  page.setDefaultTimeout(patienceMs);
  const watch = new PageErrors(page, origin);
  await page.goto(url);
  return { page, watch };
};

const results = (page: Page) => page.locator('.results li a');

/** Types with the focus in the page, as a reader does, and returns when results are listed. */
const search = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await results(page).first().waitFor();
};

describe.runIf(hasBrowser())('the search of the documentation', () => {
  const bench = new Workbench();
  const folder = pathToFileURL(join(repository, 'dist', 'site')).href;
  let served = '';

  beforeAll(async () => {
    const { port } = await bench.startWeb();
    served = `http://127.0.0.1:${port}/docs`;
  });
  afterAll(() => bench.dispose());

  it.each([
    ['a folder', () => folder],
    ['the Web service', () => served],
  ])('leads from one page to a section of another in %s', async (_, site) => {
    const start = `${site()}/reference/operations/channel.html`;
    const { page, watch } = await openPage(start, site());
    await search(page, 'cannelloni');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site()}/guides/**`);
    await search(page, 'busbar tx-task add');
    await page.keyboard.press('Escape');
    expect(await results(page).first().isVisible()).toBe(false);
    await search(page, 'tx-task add');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site()}/reference/operations/tx-task.html#tx-task-add`);
    expect(watch.found).toEqual([]);
    await page.close();
  });

  itLong('prefers headings and whole words, and says when it finds nothing', async () => {
    const { page } = await openPage(`${folder}/index.html`, folder);
    await search(page, 'errors');
    expect(await results(page).first().locator('strong').textContent()).toBe('Errors');
    await page.locator('#search').fill('xyzzyx');
    await page.getByText('0 results', { exact: true }).waitFor();
    expect(await results(page).count()).toBe(0);
    await page.close();
  });

  it('can be used without a mouse and by a screen reader', async () => {
    const { page } = await openPage(`${folder}/guides/quick-start.html`, folder);
    await search(page, 'replay');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(
      await results(page)
        .nth(1)
        .evaluate((link) => link.matches(':focus')),
    ).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('#search').evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await page.close();
  });
});
