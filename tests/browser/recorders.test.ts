import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';

const addRecorder = async (console: ConsolePage, name: string, file: string): Promise<void> => {
  await console.by('recorder-add').click();
  await console.by('recorder-name').fill(name);
  await console.by('recorder-file').fill(file);
  await console.by('recorder-submit').click();
  await console.by('recorder-start').waitFor();
};

describe.runIf(hasBrowser())('the page of recorders', () => {
  const freshConsole = reuseConsole();

  it('adds a recorder, records, and downloads its files', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('recorders');
    await addRecorder(console, 'night', 'night-{n}.asc');
    await console.cellSays('data-recorder="night"', 'state', 'idle');
    await console.by('recorder-start').click();
    await console.cellSays('data-recorder="night"', 'state', 'running');
    await console.send('123#01', '--count=20');
    // Each frame is sent on one channel and received on the other.
    await console.cellSays('data-recorder="night"', 'frames', '40');
    await console.cellSays('data-file="night-1.asc"', 'frames', '40');
    await console.by('recorder-stop').click();
    await console.says('recorder-state', 'idle');
    await console.says('recorder-facts', /Missed\s*0/);

    const link = console
      .by('recorder-files-table')
      .getByRole('link', { name: 'Download night-1.asc' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('night-1.asc');
    expect(readFileSync(await download.path(), 'utf8')).toBe(
      readFileSync(`${console.bench.project}/night-1.asc`, 'utf8'),
    );

    // The page may ask for its files meanwhile.
    console.watch.allow(404, /^\/api\/v1\/recorders\/night$/);
    await console.by('recorder-remove').click();
    await page.locator('tr[data-recorder="night"]').waitFor({ state: 'detached' });
    await console.says('recorder', 'Add a recorder, or select one.');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'shows what the service refuses at its field, and keeps the rest of the form',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await console.open('recorders');
      await console.by('recorder-add').click();
      await console.by('recorder-submit').click();
      await page.locator('[data-testid="recorder-name"][aria-invalid="true"]').waitFor();
      await console.by('recorder-name').fill('night');
      await console.by('recorder-file').fill('night.asc');
      await console.by('recorder-split-bytes').fill('large');
      await console.by('recorder-submit').click();
      await page.locator('[data-testid="recorder-split-bytes"][aria-invalid="true"]').waitFor();
      await console.by('recorder-split-bytes').fill('100 MB');
      console.watch.allow(400, /^\/api\/v1\/recorders$/);
      await console.by('recorder-submit').click();
      await console.by('recorder').getByText('file needs {n}').waitFor();
      await page.locator('[data-testid="recorder-file"][aria-invalid="true"]').waitFor();
      await console.by('recorder-file').fill('night-{n}.asc');
      await console.by('recorder-submit').click();
      await console.says('recorder-facts', /New file\s*after 100 MB/);
      expect(console.errors).toEqual([]);
    },
  );

  itLong('changes the settings of a recorder, and resets those that are emptied', async () => {
    const console = await freshConsole();
    await console.bench.json(
      ...['recorder', 'add', 'night', '--file=night-{n}.asc', '--compress'],
      ...['--split=max_seconds=60', '--trigger=start=error,pre_ms=500'],
    );
    await console.open('recorders');
    await console.says('recorder-facts', /Trigger\s*from error, 500 ms before/);
    await console.by('recorder-edit').click();
    await console.by('recorder-split-seconds').fill('');
    await console.by('recorder-trigger-start').fill('');
    await console.by('recorder-keep-files').fill('3');
    await console.by('recorder-submit').click();
    await console.says('recorder-facts', /New file\s*never\s*Kept\s*3 files/);
    const { recorders } = await console.bench.json<{ recorders: readonly object[] }>(
      ...['recorder', 'list'],
    );
    expect(recorders).toMatchObject([
      { name: 'night', split: null, keep: { max_files: 3 }, trigger: null, compress: true },
    ]);
    expect(console.errors).toEqual([]);
  });

  itLong(
    'says while a condition is typed what is wrong with it, and how often it fired',
    async () => {
      const console = await freshConsole();
      await console.send('123#01', '--count=3');
      await console.open('recorders');
      await console.by('recorder-add').click();
      console.watch.allow(400, /^\/api\/v1\/conditions$/);
      const start = console.by('recorder-trigger-start');
      await start.fill('frame 12Z');
      const note = 'recorder-trigger-start-note';
      await console.says(note, 'Expected an identifier');
      expect(await console.by(note).locator('pre').textContent()).toBe('frame 12Z\n      ^');
      await start.fill('frame 123 on SIM00001/0');
      await console.says(note, 'Would have fired 3 times');
      await console.says(note, 'Fires at every match.');
      await console.says(note, 'frame 123 on SIM00001/0: SIM00001/0');
      // It is counted again without typing.
      await console.send('123#02');
      await console.says(note, 'Would have fired 4 times');
      await start.fill('frame 123 on absent');
      await console.by(note).getByText('absent').first().waitFor();
      expect(console.errors).toEqual([]);
    },
  );

  it('arms a recorder, which records when its condition is met', async () => {
    const console = await freshConsole();
    await console.open('recorders');
    await console.by('recorder-add').click();
    await console.by('recorder-name').fill('late');
    await console.by('recorder-file').fill('late-{n}.asc');
    await console.by('recorder-trigger-start').fill('frame 124');
    await console.by('recorder-submit').click();
    await console.by('recorder-start').click();
    await console.cellSays('data-recorder="late"', 'state', 'armed');
    await console.send('123#01');
    await console.send('124#01');
    await console.cellSays('data-recorder="late"', 'state', 'running');
    await console.page.locator('tr[data-file="late-1.asc"]').waitFor();
    await console.by('recorder-stop').click();
    await console.says('recorder-state', 'idle');
    expect(console.errors).toEqual([]);
  });

  itLong('starts recorders from the palette, and shows why one cannot start', async () => {
    const console = await freshConsole();
    const { page } = console;
    const options = ['--file=gone-{n}.asc', '--channel=SIM00001/1'];
    await console.bench.json('recorder', 'add', 'gone', ...options);
    await console.bench.json('channel', 'close', 'SIM00001/1');
    await console.open('recorders');
    await page.locator('tr[data-recorder="gone"]').waitFor();
    console.watch.allow(409, /\/start$/);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').locator('input').fill('start recorder gone');
    await page.keyboard.press('Enter');
    await console.says('recorder-error', 'channel_not_open');
    expect(console.errors).toEqual([]);
  });
});
