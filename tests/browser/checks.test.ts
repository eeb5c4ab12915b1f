import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';

/** Frame 100 every 20 ms, of which the frame after 0.6 s is 6 ms late. */
const drive = (): string =>
  [
    'date Thu Jan 1 00:00:00 2026',
    'base hex timestamps absolute',
    ...Array.from({ length: 100 }, (_, at) => {
      const us = at * 20_000 + (at === 30 ? 6000 : 0);
      return ` ${(us / 1e6).toFixed(6)} 1 100 Rx d 2 10 00`;
    }),
    '',
  ].join('\n');

describe.runIf(hasBrowser())('the page of checks', () => {
  const freshConsole = reuseConsole();

  const withDrive = async (): Promise<ConsolePage> => {
    const console = await freshConsole();
    writeFileSync(join(console.bench.project, 'drive.asc'), drive());
    await console.open('checks');
    return console;
  };

  it('checks a trace, and shows the frames around each violation', async () => {
    const console = await withDrive();
    const { page } = console;
    await console.by('check-trace').fill('drive.asc');
    await console.by('check-lines').fill('never gap\ncycle 100 20ms +-10%\nnever frame 7FF');
    await console.by('check-start').click();
    await console.says('check-verdict', 'failed');
    await console.says('check-headline', '1 of 3 checks failed');
    await console.cellSays('data-check="1"', 'verdict', 'passed');
    await console.cellSays('data-check="2"', 'verdict', 'failed');
    // The first check that has not passed is shown.
    await console.says('check-figures', /max/);
    const violation = console.by('check-violation').first();
    await violation.getByText('event 31').waitFor();
    await violation.locator('tr[data-violation]').getByText('100#1000').waitFor();
    await page.locator('tr[data-check="1"]').click();
    await console.by('check-result').getByText('never gap').waitFor();
    await console.by('check-violation').first().waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  itLong('reads checks from a file, and saves the report', async () => {
    const console = await withDrive();
    const { page } = console;
    const checks = [{ id: 'engine', check: 'value Engine.Speed in 0..10' }];
    writeFileSync(join(console.bench.project, 'bus.checks.json'), JSON.stringify({ checks }));
    await console.loadDatabase();
    await console.by('check-trace').fill('drive.asc');
    await console.by('check-file').fill('bus.checks.json');
    await console.by('check-databases').fill('car.dbc@1');
    await console.by('check-start').click();
    await console.cellSays('data-check="engine"', 'verdict', 'passed');
    const saved = async (name: string): Promise<string> => {
      const button = console.by(`check-save-${name}`);
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      expect(download.suggestedFilename()).toBe(name);
      return readFileSync(await download.path(), 'utf8');
    };
    expect(JSON.parse(await saved('report.json'))).toMatchObject({ verdict: 'passed', passed: 1 });
    expect(await saved('report.html')).toContain('value Engine.Speed in 0..10');
    expect(await saved('report.xml')).toContain('<testsuite');
    expect(console.errors).toEqual([]);
  });

  itLong('shows what is wrong with a request at its field, and why a job has failed', async () => {
    const console = await withDrive();
    const { page } = console;
    await console.by('check-start').click();
    await page.locator('[data-testid="check-trace"][aria-invalid="true"]').waitFor();
    await page.locator('[data-testid="check-lines"][aria-invalid="true"]').waitFor();
    await console.by('check-trace').fill('absent.asc');
    await console.by('check-lines').fill('cycle 100 soon');
    console.watch.allow(400, /^\/api\/v1\/checks$/);
    await console.by('check-start').click();
    await page.locator('[data-testid="check-lines"][aria-invalid="true"]').waitFor();
    await console.by('check-lines').fill('never gap');
    await console.by('check-start').click();
    await console.says('check-failure', 'file_not_found');
    await page.locator('tr[data-state="failed"][aria-selected="true"]').waitFor();
    expect(console.errors).toEqual([]);
  });

  it('checks live traffic, and leads to the frame of a violation in the trace', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('checks');
    await console.by('check-source').getByText('Live traffic').click();
    await console.by('check-channels').getByText('powertrain').click();
    await console.by('check-seconds').fill('3600');
    await console.by('check-lines').fill('never frame 7FF');
    await console.by('check-start').click();
    await console.by('check-progress').getByText('%').waitFor();
    await console.by('check-cancel').click();
    // The daemon has jobs of earlier tests, too.
    await page.locator('tr[data-state="cancelled"][aria-selected="true"]').waitFor();

    const newest = await console.newestEvent();
    await console.send('7FF#01');
    await console.send('123#02', '--count=30');
    const { job_id } = await console.bench.call<{ job_id: string }>('check.start', {
      checks: [{ check: 'never frame 7FF' }],
      channels: ['SIM00001/1'],
      seconds: 0.1,
      after: newest,
    });
    await page.locator(`tr[data-job="${job_id}"][data-state="succeeded"]`).click();
    await console.says('check-verdict', 'failed');
    await console.by('check-show-event').click();
    await console.says('trace-detail', '7FF');
    await page.locator('[data-testid="trace-table"] tr[aria-selected="true"]').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('checks a file of a recorder', async () => {
    const console = await freshConsole();
    const { page } = console;
    const options = ['--file=night-{n}.asc', '--channel=SIM00001/0'];
    await console.bench.json('recorder', 'add', 'night', ...options);
    await console.bench.json('recorder', 'start', 'night');
    await console.send('123#01', '--count=3');
    await console.bench.json('recorder', 'stop', 'night');
    await console.open('recorders');
    await page.getByRole('button', { name: 'Check night-1.asc' }).click();
    await console.by('check-lines').fill('never frame 123');
    await console.by('check-start').click();
    await console.says('check-headline', 'night-1.asc');
    await console.says('check-verdict', 'failed');
    expect(console.errors).toEqual([]);
  });
});
