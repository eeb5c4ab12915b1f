import { describe, expect } from 'vitest';
import { itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/workbench.ts';
import { type ConsolePage, setUpConsole } from './support/console-page.ts';
import { hideSharedWorkers } from './support/in-page.js';

/** More than the six connections that a browser makes to one service. */
const tabCount = 10;
const endlessMs = 600_000;
const speed = 'data-signal="Speed"';

/** Selects a signal; tabs opened later find it selected. */
const chooseSpeed = async (tab: ConsolePage): Promise<void> => {
  await tab.loadDatabase();
  await tab.open('signals');
  await tab.by('signal-channel').selectOption('SIM00001/1');
  await tab.page.locator('[data-kind="message"][data-name="Engine"]').click();
  await tab.page.locator('[data-kind="signal"][data-name="Speed"]').click();
  await tab.says('signals-status', 'Live');
};

/** Follows the raw events in addition to the plot. */
const followBoth = async (tab: ConsolePage): Promise<void> => {
  await tab.open('trace');
  await tab.by('trace-streams').locator('summary').click();
  await tab.by('sse-toggle').click();
  await tab.says('sse-status', 'Live');
  await tab.page.keyboard.press('Alt+3');
  await tab.says('signals-status', 'Live');
};

/** Waits until a tab has a frame, as a sample and as raw events. */
const has = async (tab: ConsolePage, data: string, value: RegExp): Promise<void> => {
  await tab.cellSays(speed, 'value', value);
  const lines = tab.by('sse-lines');
  await eventually(async () => (await lines.textContent())?.includes(data) === true);
  await tab.says('connection', 'Live');
};

const allHave = async (
  tabs: readonly ConsolePage[],
  data: string,
  value: RegExp,
): Promise<void> => {
  await tabs[0]?.send(`100#${data}`);
  await Promise.all(tabs.map((tab) => has(tab, data, value)));
};

describe.runIf(hasBrowser())('the console in many tabs of one browser', () => {
  itLong(
    'follows a plot and the raw events in each of them, whatever becomes of the others',
    {
      timeout: endlessMs,
    },
    async () => {
      const first = await setUpConsole();
      await chooseSpeed(first);
      const tabs = [first];
      while (tabs.length < tabCount) tabs.push(await first.newTab());
      await Promise.all(tabs.map(followBoth));
      const [, second, third, ...others] = tabs as [ConsolePage, ConsolePage, ConsolePage];
      await allHave(tabs, '4006030000000000', /^400$/);
      const isRaw = (kind: string): boolean => kind === 'sse';
      await eventually(
        async () => (await first.consumers('SIM00001/1')).filter(isRaw).length === 1,
      );

      // Stop applies to one stream of one tab, which then resumes after its cursor.
      await second.by('signals-toggle').click();
      await second.says('signals-status', 'Stopped');
      await allHave([first, third, ...others], '8006030000000000', /^416$/);
      await second.cellSays(speed, 'value', /^400$/);
      await second.by('signals-toggle').click();
      await has(second, '8006030000000000', /^416$/);
      await second.by('signals-gaps').waitFor({ state: 'detached' });

      // A frozen tab delays no other, and has missed nothing when it resumes.
      const lifecycle = await third.page.context().newCDPSession(third.page);
      await lifecycle.send('Page.setWebLifecycleState', { state: 'frozen' });
      await allHave([first, second, ...others], 'C006030000000000', /^432$/);
      await lifecycle.send('Page.setWebLifecycleState', { state: 'active' });
      await has(third, 'C006030000000000', /^432$/);

      await first.page.close();
      const left = [second, third, ...others];
      await allHave(left, '0007030000000000', /^448$/);

      await second.stopService(third, ...others);
      for (const tab of left) await tab.cellSays(speed, 'state', 'STALE');
      await second.startService(third, ...others);
      await second.by('rebuild-all').click();
      for (const tab of left) await tab.says('signals-status', 'Live');
      await allHave(left, '4007030000000000', /^464$/);
      for (const tab of tabs) expect(tab.errors).toEqual([]);
    },
  );

  itLong('has connections for each tab in a browser that cannot share them', async () => {
    const console = await setUpConsole();
    await console.page.addInitScript(hideSharedWorkers);
    await chooseSpeed(console);
    await followBoth(console);
    await allHave([console], '4006030000000000', /^400$/);
    expect(console.errors).toEqual([]);
  });
});
