import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/workbench.ts';
import { reuseConsole } from './support/console-page.ts';

/** The pages in the navigation: their address, and their keyboard shortcut. */
const pagesOf = (page: Page): Promise<readonly { name: string; key: string }[]> =>
  page.locator('nav.views a').evaluateAll((links) =>
    links.map((link) => ({
      name: (link.getAttribute('href') ?? '').slice(1),
      key: (link.getAttribute('title') ?? '').replace('Alt ', ''),
    })),
  );

describe.runIf(hasBrowser())('the console around its pages', () => {
  const freshConsole = reuseConsole();

  it('leads to every page by Alt and a digit, each as it was left', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open();
    const pages = await pagesOf(page);
    expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
    for (const { name, key } of pages) {
      await page.keyboard.press(`Alt+${key}`);
      await page.locator(`[data-page="${name}"]`).waitFor();
      // The layout shows pages side by side.
      if (name !== 'layout') {
        await expect(page.locator('[data-page]:visible').count()).resolves.toBe(1);
      }
      await page.locator(`nav a[href="#${name}"][aria-current="page"]`).waitFor();
    }
    await page.keyboard.press('Alt+4');
    await console.by('send-data').fill('CAFE');
    await page.keyboard.press('Alt+1');
    await console.by('send-data').waitFor({ state: 'hidden' });
    await page.keyboard.press('Alt+4');
    await expect(console.by('send-data').inputValue()).resolves.toBe('CAFE');
    expect(console.errors).toEqual([]);
  });

  itLong('opens a page that could not be loaded as soon as the service is back', async () => {
    const console = await freshConsole();
    const { page } = console;
    console.watch.isServiceAway = true;
    await page.route('**/pages-*.js', (route) => route.abort());
    await console.open();
    await console.stopService();
    await page.keyboard.press('Alt+7');
    await console.says('missing-page', 'Instances');
    await page.unroute('**/pages-*.js');
    await console.startService();
    await console.by('instances-table').waitFor();
    await console.by('missing-page').waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  itLong('knows the digits by their place, whatever character the layout has there', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open();
    const event = { altKey: true, bubbles: true, code: 'Digit4', key: "'" };
    await page.dispatchEvent('body', 'keydown', event);
    await page.locator('[data-page="send"]').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('has its pages in groups, each with links that lead somewhere', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open();
    const groups = page.getByRole('navigation', { name: 'Pages' }).getByRole('list');
    const sizes = await Promise.all(
      (await groups.all()).map((group) => group.getByRole('link').count()),
    );
    expect(sizes).not.toContain(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe((await pagesOf(page)).length);
    await page.getByRole('list', { name: 'Bench' }).getByText('Send').click();
    await page.locator('[data-page="send"]').waitFor();
    await page.getByRole('list', { name: 'Service' }).getByText('API').click();
    await page.locator('[data-page="api"]').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('leads to the documentation, in the colours of the console', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open();
    await page.getByText('Dark', { exact: true }).click();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Docs' }).click();
    const documentation = await opened;
    const errors: string[] = [];
    documentation.on('console', (message) => errors.push(message.text()));
    await documentation.getByRole('link', { name: 'Receiving' }).first().click();
    await documentation.getByRole('heading', { level: 1, name: 'Receiving' }).waitFor();
    await documentation.getByRole('navigation').getByRole('link', { name: 'Retention' }).click();
    expect(new URL(documentation.url()).pathname).toBe('/docs/guides/receiving.html');
    const colours = await documentation.evaluate('getComputedStyle(document.body).colorScheme');
    expect(colours).toBe('dark');
    expect([...errors, ...console.errors]).toEqual([]);
  });

  it('opens pages and runs operations from the palette', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open();
    await page.keyboard.press('Control+k');
    await console.by('palette').waitFor();
    await page.keyboard.type('signals');
    await page.keyboard.press('Enter');
    await console.by('palette').waitFor({ state: 'detached' });
    await page.locator('[data-page="signals"]').waitFor();
    await page.keyboard.press('Control+k');
    await console.by('palette').waitFor();
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.keyboard.press('Control+k');
    await console.by('palette').waitFor();
    await page.keyboard.type('no such thing');
    await console.by('palette').getByText('No matches').waitFor();
    await page.keyboard.press('Escape');
    await console.by('palette').waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('html[data-theme="dark"]').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('lists its keys on a question mark', async () => {
    const console = await freshConsole();
    await console.open();
    await console.page.keyboard.press('?');
    await console.by('help').getByText('Ctrl K').waitFor();
    await console.by('help').getByText('Alt 2').waitFor();
    await console.page.keyboard.press('Escape');
    await console.by('help').waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  itLong('reads everything anew on Refresh, and says when', async () => {
    const console = await freshConsole();
    await console.loadDatabase();
    await console.open('api?view=capabilities');
    await console.by('limits').waitFor();
    await expect(console.by('refreshed-at').textContent()).resolves.toBe('');
    console.requests.length = 0;
    await console.by('refresh').click();
    await console.says('refreshed-at', /\d\d:\d\d:\d\d/);
    const wanted = [
      '/api/v1/devices',
      '/api/v1/channels',
      '/api/v1/databases',
      '/api/v1/databases/car',
      '/api/v1/signals',
      '/api/v1/openapi.json',
      '/api/v1/operations',
      '/metrics',
    ];
    for (const path of wanted) expect(console.requests).toContain(`GET ${path}`);
    expect(console.errors).toEqual([]);
  });

  itLong('says on Refresh how much could not be read', async () => {
    const console = await freshConsole();
    await console.open('api?view=capabilities');
    await console.by('limits').waitFor();
    console.watch.isServiceAway = true;
    await console.page.route('**/metrics', (route) => route.abort());
    await console.page.keyboard.press('Alt+r');
    await console.page.getByText('1 failed').waitFor();
    await console.page.unroute('**/metrics');
    console.watch.isServiceAway = false;
    await console.page.keyboard.press('Alt+r');
    await console.page.getByText('1 failed').waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  itLong('asks for the health over and over, and notices that nothing answers', async () => {
    const console = await freshConsole();
    await console.open();
    const polls = (): number =>
      console.requests.filter((each) => each === 'GET /api/v1/health').length;
    const before = polls();
    await eventually(() => polls() >= before + 2);
    await console.stopService();
    await console.says('connection', 'Unreachable');
    await console.startService();
    await console.says('connection', 'Live');
    expect(console.errors).toEqual([]);
  });
});
