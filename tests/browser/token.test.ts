import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/workbench.ts';
import { ConsolePage, reuseConsole } from './support/console-page.ts';
import { storedTexts } from './support/in-page.js';
import { tapRequests } from './support/request-tap.ts';

const token = 'right-token';

describe.runIf(hasBrowser())('the console of a service that wants a token', () => {
  const freshConsole = reuseConsole();

  it('asks for it, says that a wrong one is wrong, and works with the right one', async () => {
    const console = await freshConsole(`--token=${token}`);
    console.watch.allow(401, /^\/api\/v1\/health$/);
    const { page } = console;
    await page.goto(`http://${console.listen}/#channels`);
    await console.says('connection', 'Token needed');
    await console.says('token-form', 'Enter the token');
    await page.keyboard.type('wrong-token');
    await page.keyboard.press('Enter');
    await console.says('token-form', 'The service rejected this token');
    await page.locator('#token').fill(token);
    await page.keyboard.press('Enter');
    await console.says('connection', 'Live');
    await console.by('token-form').waitFor({ state: 'detached' });
    await console.says('channel-count', '2 open');
    await page.reload();
    await console.says('connection', 'Live');
    await console.by('forget-token').click();
    await console.says('connection', 'Token needed');
    expect(console.errors).toEqual([]);
  });

  it('sends it as a header with every stream, and keeps it in this tab alone', async () => {
    const { bench, page, listen } = await freshConsole(`--token=${token}`);
    const tap = await tapRequests(listen);
    const console = new ConsolePage(bench, tap.listen, page, []);
    console.watch.allow(401, /^\/api\/v1\/(health|info)$/);
    await console.loadDatabase();
    await page.goto(`http://${console.listen}/#trace`);
    await console.says('trace-status', 'Token needed');
    await page.locator('#token').fill(token);
    await page.keyboard.press('Enter');
    await console.says('trace-status', 'Live');
    await console.send('123#01');
    await console.says('trace-rows', '2 rows');
    await console.by('trace-streams').locator('summary').click();
    await console.by('sse-toggle').click();
    await console.says('sse-status', 'Live');
    await page.keyboard.press('Alt+3');
    await console.by('signal-channel').selectOption('SIM00001/1');
    await page.locator('[data-kind="message"][data-name="Doors"]').click();
    await page.locator('[data-kind="signal"][data-name="Driver"]').click();
    await console.says('signals-status', 'Live');
    const requests = tap.requests();
    for (const path of ['/api/v1/messages/stream', '/api/v1/signals/stream?']) {
      const streams = requests.filter((request) => request.path.startsWith(path));
      expect(streams).not.toEqual([]);
      for (const { head } of streams) {
        expect(head.toLowerCase()).toContain(`authorization: bearer ${token}`);
      }
    }
    expect(requests.filter(({ path }) => path.includes(token))).toEqual([]);
    const { local, session } = await page.evaluate(storedTexts);
    expect(local).not.toContain(token);
    expect(session).toContain(token);
    expect(console.errors).toEqual([]);
  });

  itLong(
    'lets go of every stream with the token, and of all that the token would read',
    async () => {
      const console = await freshConsole(`--token=${token}`);
      console.watch.allow(401, /^\/api\/v1\/(health|signals|info|messages\/history)$/);
      const { page } = console;
      const giveToken = async (): Promise<void> => {
        await page.locator('#token').fill(token);
        await page.keyboard.press('Enter');
        await console.says('connection', 'Live');
      };
      await console.loadDatabase();
      await console.send('123#01');
      await page.goto(`http://${console.listen}/#signals`);
      await giveToken();
      await console.by('signal-channel').selectOption('SIM00001/1');
      await page.locator('[data-kind="message"][data-name="Doors"]').click();
      await page.locator('[data-kind="signal"][data-name="Driver"]').click();
      await console.says('signals-status', 'Live');
      await page.keyboard.press('Alt+2');
      await console.says('trace-status', 'Live');
      await console.by('trace-streams').locator('summary').click();
      await console.by('sse-toggle').click();
      await console.says('sse-status', 'Live');
      await console.by('forget-token').click();
      for (const stream of ['trace', 'sse']) await console.says(`${stream}-status`, 'Token needed');
      await eventually(async () => (await console.consumers('SIM00001/1')).join() === 'decode');
      await console.by('trace-older').click();
      await console.says('older-note', 'unauthorized');
      await page.keyboard.press('Alt+3');
      await console.says('signals-status', 'Token needed');
      await giveToken();
      await console.says('signals-status', 'Live');
      await page.keyboard.press('Alt+2');
      for (const stream of ['trace', 'sse']) await console.says(`${stream}-status`, 'Live');
      expect(console.errors).toEqual([]);
    },
  );

  itLong('forgets it in every tab that uses it, and in no other', async () => {
    const first = await freshConsole(`--token=${token}`);
    const second = await first.newTab();
    const tabs = [first, second];
    for (const tab of tabs) {
      tab.watch.allow(401, /^\/api\/v1\//);
      await tab.page.goto(`http://${tab.listen}/#trace`);
      await tab.page.locator('#token').fill(token);
      await tab.page.keyboard.press('Enter');
      await tab.says('connection', 'Live');
      await tab.by('trace-streams').locator('summary').click();
      await tab.by('sse-toggle').click();
      await tab.says('sse-status', 'Live');
    }
    // A page that never had a valid token is asked for it, as before.
    const third = await first.newTab();
    third.watch.allow(401, /^\/api\/v1\//);
    await third.page.goto(`http://${third.listen}/#overview`);
    await third.page.locator('#token').fill('wrong-token');
    await third.page.keyboard.press('Enter');
    await third.says('token-form', 'The service rejected this token');
    await second.by('forget-token').click();
    for (const tab of tabs) {
      await tab.says('sse-status', 'Token needed');
      await tab.says('trace-status', 'Token needed');
    }
    await eventually(async () => (await first.consumers('SIM00001/1')).length === 0);
    await third.says('token-form', 'The service rejected this token');
    for (const tab of [...tabs, third]) expect(tab.errors).toEqual([]);
  });
});
