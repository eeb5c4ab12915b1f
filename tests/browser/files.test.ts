import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { reuseConsole } from './support/console-page.ts';

const invalidDatabase = `VERSION ""

BU_: Car

BO_ 256 Engine: 8 Car
 SG_ Speed : 0|16@1+ (0.25,0) [0|8000] "rpm" Car
 SG_ Beyond : 60|16@1+ (1,0) [0|0] "" Car
`;

const firmware = {
  format: 'busbar-firmware',
  schema_version: 1,
  releases: [
    { device: 'Virtual bench', version: '1.1.0', notes: 'Better', url: 'https://x.example/fw' },
  ],
};

describe.runIf(hasBrowser())('the page of files and jobs', () => {
  const freshConsole = reuseConsole();

  it('loads a database, tells its flaws, and unloads it', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    writeFileSync(join(bench.project, 'invalid.dbc'), invalidDatabase);
    await console.open('files');
    await console.by('databases').getByText('No databases loaded').waitFor();
    console.watch.allow(404, /^\/api\/v1\/databases$/);
    await console.by('database-file').fill('missing.dbc');
    await console.by('database-load').click();
    await console.by('databases').getByText('does not exist').first().waitFor();
    await console.by('database-file').fill('invalid.dbc');
    await console.by('database-load').click();
    const row = page.locator('tr[data-database="invalid"]');
    await row.filter({ hasText: /\d (error|warning)/ }).waitFor();
    await console.by('diagnostics').getByText('Beyond').first().waitFor();
    await row.getByRole('button', { name: 'Unload invalid' }).click();
    await row.waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  it('logs to a file and replays it, with progress and a report of the timing', async () => {
    const console = await freshConsole();
    await console.open('files');
    await console.by('logging-file').fill('drive.asc');
    await console.by('logging-start').click();
    await console.says('logging-state', 'running');
    await console.send('123#01', '--count=20');
    await console
      .by('logging-figures')
      .filter({ hasText: /Frames\s*40/ })
      .waitFor();
    await console.by('logging-stop').click();
    await console.by('logging-start').waitFor();

    await console.by('replay-start').click();
    await console.page.locator('[data-testid="replay-file"][aria-invalid="true"]').waitFor();
    console.watch.allow(404, /^\/api\/v1\/traces\/summary$/);
    await console.by('replay-file').fill('absent.asc');
    await console.page.keyboard.press('Tab');
    await console.by('replay-form').getByText('does not exist').waitFor();
    const rows = console.by('map-row');
    await rows.getByLabel('Bench channel, row 1').selectOption('SIM00001/0');
    await console.by('replay-file').fill('drive.asc');
    await console.page.keyboard.press('Tab');
    // One row per channel of the file; earlier choices remain.
    await rows.nth(1).getByText('powertrain (SIM00001/1), CAN, 20 events').waitFor();
    await console.by('replay-form').getByText('ASC, 40 events').waitFor();
    await expect(rows.count()).resolves.toBe(2);
    await expect(rows.getByLabel('Bench channel, row 1').inputValue()).resolves.toBe('SIM00001/0');
    await rows.getByLabel('Bench channel, row 1').selectOption('');
    await console.by('replay-start').click();
    await console.says('channel-map', 'Nothing to replay: choose a bench channel');
    await rows.getByLabel('Bench channel, row 1').selectOption('SIM00001/0');
    await console.by('replay-offset').fill('60000000');
    await console.by('replay-start').click();
    await console.says('channel-map', 'Nothing to replay: 1 ends before the start offset');
    await console.by('replay-offset').fill('');
    await console.by('replay-start').click();
    await console.says('replay-state', 'finished');
    await console.says('replay-figures', /Sent\s*20/);
    await console.says('replay-figures', /Deviation p50\/p99\/max\s*\d+ \/ \d+ \/ \d+ µs/);
    await console.by('replay').getByText('100 %').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('marks a replay whose frames were refused, with their number', async () => {
    const console = await freshConsole();
    const { bench } = console;
    await bench.json('logging', 'start', 'drive.asc');
    await console.send('123#01', '--count=3');
    await bench.json('logging', 'stop');
    await bench.json('channel', 'configure', 'SIM00001/0', '--mode=listen_only');
    await bench.json('replay', 'start', 'drive.asc', '--map=1=SIM00001/0');
    await console.open('files');
    await console.says('replay-warning', '3 frames were not sent: 3 listen only.');
    await console.says('replay-state', 'finished, frames missing');
    await console.page.locator('[data-testid="replay-state"][data-tone="warn"]').waitFor();
    const { stdout } = await bench.run(['replay', 'status']);
    expect(stdout).toMatch(/^warning +3 frames were not sent: 3 listen only$/m);
    expect(console.errors).toEqual([]);
  });

  itLong('keeps a ticked channel in sight that was closed, to be unticked', async () => {
    const console = await freshConsole();
    await console.open('files');
    await console.by('logging-channels').getByText('powertrain').click();
    await console.bench.json('channel', 'close', 'SIM00001/1');
    const gone = console.by('logging-channels').getByText('SIM00001/1 · not open');
    await gone.waitFor();
    await gone.click();
    await gone.waitFor({ state: 'detached' });
    await console.by('logging-file').fill('drive.asc');
    await console.by('logging-start').click();
    await console.says('logging-state', 'running');
    expect(console.errors).toEqual([]);
  });

  it('forwards to another bench until it is stopped', async () => {
    const console = await freshConsole();
    await console.open('files');
    await console.by('remote-listen').fill('127.0.0.1:0');
    await console.by('remote-peers').fill('127.0.0.1:9, 127.0.0.1:10');
    await console.by('remote-channels').getByText('powertrain').click();
    await console.by('remote-start').click();
    await console.says('remote-state', 'running');
    await console.says('remote-peers-table', '127.0.0.1:9');
    await console.says('remote-figures', /Overruns\s*\d/);
    await console.says('remote-channels-table', 'SIM00001/1');
    for (const counter of ['Datagrams sent', 'Duplicates', 'Sequence jumps', 'Malformed: opcode']) {
      await console.says('remote-peer', new RegExp(`${counter}\\s*\\d`));
    }
    await console.by('remote').getByRole('heading', { name: '127.0.0.1:9' }).waitFor();
    await console.page.locator('tr[data-peer="127.0.0.1:10"]').click();
    await console.by('remote').getByRole('heading', { name: '127.0.0.1:10' }).waitFor();
    await console.by('remote-stop').click();
    await console.by('remote-start').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('checks the firmware of a device as a job', async () => {
    const console = await freshConsole();
    const { project } = console.bench;
    const bench = { devices: [], firmware_index: 'firmware.json' };
    writeFileSync(join(project, 'busbar.bench.json'), JSON.stringify(bench));
    writeFileSync(join(project, 'firmware.json'), JSON.stringify(firmware));
    await console.open('files');
    await console.by('firmware-check').click();
    await console.page.locator('tr[data-job][data-state="succeeded"]').waitFor();
    await console.says('jobs-table', '1.1.0');
    expect(console.errors).toEqual([]);
  });
});
