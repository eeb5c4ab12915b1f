import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/workbench.ts';
import { reuseConsole } from './support/console-page.ts';
import { checkedProject, writeNetworks, writeProject } from './support/gateway-projects.ts';

describe.runIf(hasBrowser())('rows of the trace', () => {
  const freshConsole = reuseConsole();

  it('show their signals, of one row or of all with a message, by keys alone', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.loadDatabase();
    await console.open('trace');
    await console.says('trace-status', 'Live');
    await console.send('100#4006030000000000');
    await console.send('101#01');
    await console.send('100#8007000000000000');
    await console.says('trace-rows', '6 rows');
    const lines = console.by('trace-table').locator('tr[data-row="signal"]:visible');
    await console.by('trace-table').focus();
    await page.keyboard.press('Control+a');
    await console.says('trace-selected', '6 rows selected');
    await page.keyboard.press('ArrowUp');
    await console.says('trace-selected', '1 row selected');
    await page.keyboard.press('ArrowRight');
    const shows = (wanted: readonly (readonly string[])[]): Promise<void> =>
      eventually(async () => {
        const shown = await lines.evaluateAll((rows) =>
          rows.map((row) =>
            [...row.querySelectorAll('.signal-line span')].map((part) => part.textContent),
          ),
        );
        return JSON.stringify(shown) === JSON.stringify(wanted);
      });
    const newest = [
      ['Speed', '480 rpm', '1920'],
      ['Gear', 'park (0)', '0'],
    ];
    await shows(newest);
    await page.keyboard.press('Shift+ArrowRight');
    const oldest = [
      ['Speed', '400 rpm', '1600'],
      ['Gear', 'third (3)', '3'],
    ];
    const doors = [['Driver', 'open (1)', '1']];
    await shows([...oldest, ...oldest, ...newest, ...newest]);
    await page.keyboard.press('ArrowLeft');
    await shows([...oldest, ...oldest, ...newest]);

    await console.by('trace-view').getByText('By ID').click();
    await shows([]);
    await console.frames('101').first().locator('[data-field="signals"]').click();
    await shows(doors);
    await console.by('trace-pause').click();
    await console.send('101#00');
    await shows([['Driver', 'shut (0)', '0']]);
    expect(console.errors).toEqual([]);
  });

  it('are selected together, then copied, filtered, sent again and plotted', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.loadDatabase();
    await console.open('trace');
    await console.says('trace-status', 'Live');
    await console.send('100#4006030000000000');
    await console.send('18FF50E5#01');
    await console.send('101#01');
    await console.says('trace-rows', '6 rows');
    const sent = (id: string) => console.frames(id).filter({ hasText: 'Tx' });
    await sent('100').click();
    await sent('101').click({ modifiers: ['Shift'] });
    await console.says('trace-selected', '5 rows selected');
    await sent('18FF50E5').click({ modifiers: ['Control'] });
    await console.says('trace-selected', '4 rows selected');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await console.by('trace-copy').click();
    await console.says('trace-selection', '4 rows copied');
    const copy = await page.evaluate('navigator.clipboard.readText()');
    expect(String(copy).split('\n')).toHaveLength(6);
    expect(copy).toMatch(
      /^Time\tSince same ID\tChannel\tDir\tID\tName\tType\tDLC\tData\tNotation\n/,
    );
    expect(copy).toMatch(/\tTx\t101\t.*\t101#01\n/);
    await console.by('trace-filter-selected').click();
    await expect(console.by('trace-filter-id').inputValue()).resolves.toBe('100, 18FF50E5, 101');
    await sent('18FF50E5').click();
    await console.by('trace-hide-selected').click();
    await console.says('trace-rows', '4 of 6 rows');
    await sent('101').click();
    await console.by('trace-send-selected').click();
    await page.locator('[data-page="send"]').waitFor();
    await expect(console.by('send-id').inputValue()).resolves.toBe('101');
    await page.goBack();
    await console.by('trace-plot').click();
    await page.locator('tr[data-signal="Driver"][data-message]').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('are marked where the end-to-end check of a gateway fails, and found', async () => {
    const console = await freshConsole();
    const { page } = console;
    writeNetworks(console, 1);
    writeProject(console, 'cabin.gwproj', checkedProject());
    await console.bench.json('gateway', 'load', '--file=cabin.gwproj');
    await console.bench.json('gateway', 'start', '--instance=cabin');
    await console.open('trace');
    await console.says('trace-status', 'Live');
    for (const data of ['0101', '0202', '0202', '03FF', '0303']) await console.send(`120#${data}`);
    const received = console.frames('120').filter({ hasText: 'Rx' });
    const marks = received.locator('[data-field="marks"]');
    const name = '▲ E2E check of cabin/Wheels';
    const wanted = ['', '', `${name}: repeated`, `${name}: wrong checksum, data ID or length`, ''];
    await eventually(async () => (await marks.allTextContents()).join() === wanted.join());
    await page.keyboard.press('F3');
    await page.keyboard.type('e2e_error cabin/Wheels');
    await page.keyboard.press('Enter');
    await console.says('trace-find-outcome', '1 of 2 rows');
    const current = console.by('trace-table').locator('tr[aria-selected="true"]:visible');
    await current.getByText(`${name}: repeated`).waitFor();

    await console.by('trace-view').getByText('By ID').click();
    await page.getByText('Changes', { exact: true }).click();
    const changes = console.by('changes-table').locator('tr[data-id]');
    await changes.filter({ hasText: 'Rx' }).click();
    await page.getByLabel('Ignore counters and checksums').check();
    await page.getByText('E2E settings of cabin/Wheels').waitFor();

    await console.by('trace-view').getByText('Chronological').click();
    await console.bench.json('gateway', 'stop', '--instance=cabin');
    // The page knows soon after; marks on the frames before stay.
    await eventually(async () => {
      await console.send('120#03FF');
      return (await marks.allTextContents()).at(-1) === '';
    });
    expect((await marks.allTextContents()).slice(0, 5)).toEqual(wanted);
    expect(console.errors).toEqual([]);
  });

  it('are found by condition, forwards and back, among all that are kept', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.loadDatabase();
    await console.open('trace');
    await console.says('trace-status', 'Live');
    for (const data of ['4006030000000000', '8007030000000000', '4006000000000000']) {
      await console.send(`100#${data}`);
    }
    await console.says('trace-rows', '6 rows');
    const finder = (name: string): boolean => name.includes('/find-rows-');
    expect(console.requests.filter(finder)).toEqual([]);
    await page.keyboard.press('F3');
    await page.keyboard.type('signal Engine.Speed > 400 on SIM00001/0');
    await page.keyboard.press('Enter');
    await console.says('trace-find-outcome', '1 of 1 row');
    const current = console.by('trace-table').locator('tr[aria-selected="true"]:visible');
    await current.filter({ hasText: '80 07 03' }).filter({ hasText: 'Tx' }).waitFor();
    expect(console.requests.filter(finder)).toHaveLength(1);
    await console.by('trace-find').fill('change Engine.Gear');
    await page.keyboard.press('F3');
    await console.says('trace-find-outcome', '1 of 2 rows');
    await current.filter({ hasText: '40 06 00' }).filter({ hasText: 'Tx' }).waitFor();
    await page.keyboard.press('F3');
    await console.says('trace-find-outcome', '2 of 2 rows');
    await page.keyboard.press('Shift+F3');
    await console.says('trace-find-outcome', '1 of 2 rows');
    await console.by('trace-find').fill('signal Engine.Sped > 1');
    await page.keyboard.press('Enter');
    await console.says('trace-find-outcome', 'did you mean Speed?');

    await console.by('trace-fold').check();
    await console.says('trace-rows', '3 of 6 rows');
    await console.frames('100').filter({ hasText: 'Tx Rx' }).first().waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('get notes, which a list shows and exports contain', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('trace');
    await console.says('trace-status', 'Live');
    await console.send('123#DEADBEEF');
    await console.send('124#01');
    await console.says('trace-rows', '4 rows');
    await console.by('trace-table').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('n');
    await page.locator('[data-testid="trace-note"]:focus').waitFor();
    await page.keyboard.type('checksum is wrong here');
    await page.keyboard.press('Enter');
    const marked = console.frames('124').filter({ hasText: '✎ checksum is wrong here' });
    await marked.waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await console.by('trace-notes').selectOption({ index: 1 });
    await marked.and(page.locator('[aria-selected="true"]')).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      console.by('trace-export').click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^\/\/.* Note: checksum is wrong here$/m);
    await console.says('trace-exported', '4 rows saved; 1 of 1 note written');
    const formats = console.by('trace-export-format');
    await formats.locator('option').filter({ hasText: 'candump log, without notes' }).waitFor({
      state: 'attached',
    });
    await marked.click();
    await page.keyboard.press('n');
    await console.by('trace-note-remove').click();
    await marked.waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });
});
