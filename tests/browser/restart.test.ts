import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { type ConsolePage, reuseConsole, setUpConsole } from './support/console-page.ts';

/** Pages with the panels that show values of the service. */
const pages = [
  ['channels', ['channels', 'bench', 'health']],
  ['signals', ['catalog', 'figures']],
  ['send', ['message-send', 'tx-tasks', 'routes']],
  ['files', ['databases', 'jobs', 'logging', 'replay', 'remote']],
] as const;

const staleMark = (tab: ConsolePage, panel: string): Locator =>
  tab
    .by(panel)
    .locator('> header [data-state="stale"]')
    .filter({ hasText: /As of \d\d:\d\d:\d\d$/ });

describe.runIf(hasBrowser())('the console over a restart of the service', () => {
  const freshConsole = reuseConsole();

  it('goes on with both raw streams in mid-traffic, and keeps what it has meanwhile', async () => {
    const console = await freshConsole();
    const { bench } = console;
    await console.open('trace');
    await console.says('trace-status', 'Live');
    await console.by('trace-streams').locator('summary').click();
    await console.by('sse-toggle').click();
    await console.says('sse-status', 'Live');
    const task = ['tx-task', 'add', 'SIM00001/0', '123#DEADBEEF', '--period-us=5000'];
    await bench.json(...task);
    await console.frames('123').first().waitFor();
    await console.stopService();
    await console.says('connection', 'Unreachable');
    await console.says('trace-status', 'Reconnecting');
    await console.says('sse-status', 'Reconnecting');
    await console.frames('123').first().waitFor();
    await console.by('trace-clear').click();
    await console.startService();
    await console.says('connection', 'Live');
    await console.says('trace-status', 'Live');
    await console.says('sse-status', 'Live');
    await console.says('ws-connections', /[2-9]/);
    await console.frames('123').first().waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('comes back after the whole daemon was away', async () => {
    const console = await setUpConsole();
    const { bench } = console;
    await console.open('trace');
    await console.says('trace-status', 'Live');
    await console.send('123#01');
    await console.frames('123').first().waitFor();
    console.watch.isServiceAway = true;
    await bench.json('daemon', 'stop');
    await console.says('connection', 'Unreachable');
    await console.says('trace-status', 'Reconnecting');
    await bench.json('daemon', 'start', '--channel=SIM00001/0', '--channel=SIM00001/1');
    // Their ids are higher than that of the earlier frame, so they must not count as old.
    for (const data of ['01', '02', '03']) await console.send(`321#${data}`);
    await console.startService();
    await console.says('trace-status', 'Live');
    await console.frames('321').nth(5).waitFor();
    // Each is received at both ends.
    await expect(console.frames('321').count()).resolves.toBe(6);
    await console.page.locator('[data-testid="trace-gaps"][data-gaps="1"]').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('says on every page how old everything is while it is away', async () => {
    const console = await freshConsole();
    await console.loadDatabase();
    const others: ConsolePage[] = [];
    const staleMarks: Locator[] = [];
    for (const [place, panels] of pages) {
      const isFirst = staleMarks.length === 0;
      const tab = isFirst ? console : await console.newTab();
      if (!isFirst) others.push(tab);
      await tab.open(place);
      for (const panel of panels) {
        // A value without a response has no age.
        await tab.isAnswered(panel);
        staleMarks.push(staleMark(tab, panel));
      }
    }
    for (const mark of staleMarks) await expect(mark.count()).resolves.toBe(0);
    await console.stopService(...others);
    for (const mark of staleMarks) await mark.waitFor();
    await console.startService(...others);
    for (const mark of staleMarks) await mark.waitFor({ state: 'detached' });
    expect([console, ...others].flatMap(({ errors }) => errors)).toEqual([]);
  });
});
