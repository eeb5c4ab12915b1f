import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { reuseConsole } from './support/console-page.ts';

const staleMark = '> header [data-state="stale"]';

describe.runIf(hasBrowser())('the overview of a bench', () => {
  const freshConsole = reuseConsole();

  it('shows what the open channels carry, those that come and go, and how old that is', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await bench.json('tx-task', 'add', 'SIM00001/0', '123#DEADBEEF', '--period-us=5000');
    await console.open();
    await console.says('headline', 'virtual-bench');
    await console.says('headline', '2 channels open');
    const load = (channel: string) => page.locator(`.lane[data-channel="SIM00001/${channel}"]`);
    await load('1')
      .filter({ hasText: 'powertrain' })
      .filter({ hasText: /Rx [1-9]\d* · Tx 0 \/s/ })
      .waitFor();
    await load('0')
      .filter({ hasText: /[1-9][\d.]* %|0\.[1-9] %/ })
      .waitFor();

    await bench.json('channel', 'open', 'SIM00001/2', '--name=body');
    await load('2').filter({ hasText: 'body' }).waitFor();
    await bench.json('channel', 'close', 'body');
    await load('2').waitFor({ state: 'detached' });

    await console.stopService();
    await console.by('bus-load').locator(staleMark).waitFor();
    await load('1').waitFor();
    await console.startService();
    await console.by('bus-load').locator(staleMark).waitFor({ state: 'detached' });
    await console.by('overview-links').getByText('Open channel').click();
    await console.says('channel-count', '2 open');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'plots the signals that were chosen last, and decodes them again after a restart',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await console.loadDatabase();
      await console.open();
      await console.says('overview-plot-panel', 'No signals plotted');
      await console.by('overview-plot').click();
      await console.by('signal-channel').selectOption('SIM00001/1');
      await console.by('signal-search').fill('engine');
      await page.locator('[data-kind="signal"][data-name="Speed"]').click();
      await page.locator('tr[data-signal="Speed"]').waitFor();
      await console.open();
      const legend = console.by('overview-plot-panel').locator('[data-signal="Speed"]');
      await console.send('100#4006030000000000');
      await legend.filter({ hasText: '400 rpm' }).waitFor();

      await console.stopService();
      await legend.filter({ hasText: 'STALE' }).waitFor();
      await console.startService();
      await console.says('overview-expired', 'Signal plan expired: Engine');
      await console.by('overview-expired').getByRole('button').click();
      await console.by('overview-expired').waitFor({ state: 'detached' });
      await console.send('100#8006030000000000');
      await legend.filter({ hasText: '416 rpm' }).waitFor();
      expect(console.errors).toEqual([]);
    },
  );
});
