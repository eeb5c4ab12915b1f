import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { eventKindCode } from '../../src/frame/frm2-layout.ts';
import { readMf4 } from '../../src/trace/mf4/read-mf4.ts';
import { MemorySource } from '../../src/trace/testing/memory-bytes.ts';
import { restOf } from '../../src/trace/testing/trace-events.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/workbench.ts';
import { type ConsolePage, reuseConsole, setUpConsole } from './support/console-page.ts';
import { cutTexts, loadedNames, nextPicture } from './support/in-page.js';

const openTrace = async (console: ConsolePage): Promise<void> => {
  await console.open('trace');
  await console.says('trace-status', 'Live');
};

/** The bytes of the file that the page saves. */
const exported = async (console: ConsolePage, format: string): Promise<Buffer> => {
  await console.by('trace-export-format').selectOption(format);
  const [download] = await Promise.all([
    console.page.waitForEvent('download'),
    console.by('trace-export').click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

describe.runIf(hasBrowser())('the trace page', () => {
  const freshConsole = reuseConsole();

  it('shows frames as they come, decoded in full for the one that is chosen', async () => {
    const console = await freshConsole();
    await console.loadDatabase();
    await openTrace(console);
    await console.send('100#4006030000000000');
    const sent = console.frames('100').filter({ hasText: 'Tx' });
    await sent.filter({ hasText: '40 06 03 00 00 00 00 00' }).waitFor();
    await sent.filter({ hasText: 'Engine' }).waitFor();
    await console.frames('100').filter({ hasText: 'powertrain' }).waitFor();
    await sent.click();
    const detail = console.by('trace-detail');
    await detail.getByRole('row', { name: /Speed\s*400\s*rpm/ }).waitFor();
    await detail.getByRole('row', { name: /Gear\s*third/ }).waitFor();
    const cells = detail.locator('tr[data-signal="Gear"] td');
    await expect(cells.allTextContents()).resolves.toEqual(['third ', '', '3']);
    expect(console.errors).toEqual([]);
  });

  itLong(
    'has all controls on one line each, also beside the details on a small screen',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await page.setViewportSize({ width: 1280, height: 800 });
      await openTrace(console);
      const places = async (selector: string): Promise<ReadonlySet<number>> => {
        const tops = await page.locator(selector).evaluateAll((nodes) =>
          nodes.map((node) => {
            const { top, height } = node.getBoundingClientRect();
            return Math.round((top + height / 2) / 8);
          }),
        );
        return new Set(tops);
      };
      const bars = ['trace"] > header > button', 'trace"] .filter-bar > label'];
      await console.send('201#01');
      await console.frames('201').first().click();
      await console.by('trace-detail').waitFor();
      for (const bar of bars)
        expect(await places(`[data-testid="${bar}`)).toHaveProperty('size', 1);
      await console.by('trace-time').selectOption({ label: 'Delta' });
      await console.says('trace-pause', 'Resume');
      await console.by('trace-rows').evaluate((rows) => {
        rows.textContent = '12,345 of 100,000 rows';
      });
      const header = '[data-testid="trace"] > header >';
      expect(await places(`${header} button, ${header} .trace-figures`)).toHaveProperty('size', 1);
      expect(console.errors).toEqual([]);
    },
  );

  itLong(
    'moves through the frames with the arrow keys, and leaves the details with Escape',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await openTrace(console);
      await console.send('201#01');
      await console.send('202#02');
      await console.says('trace-rows', '4 rows');
      const chosen = console.by('trace-table').locator('tr[aria-selected="true"]:visible');
      await console.by('trace-table').focus();
      await page.keyboard.press('ArrowUp');
      await chosen.filter({ hasText: '202' }).waitFor();
      for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowUp');
      await chosen.filter({ hasText: '201' }).waitFor();
      await page.keyboard.press('Enter');
      await console.by('trace-detail').waitFor();
      await page.keyboard.press('Escape');
      await console.by('trace-detail').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await console.by('trace-detail').getByRole('button', { name: 'Close' }).focus();
      await page.keyboard.press('Escape');
      await console.by('trace-detail').waitFor({ state: 'detached' });
      await page.locator('[data-testid="trace-table"]:focus').waitFor();
      expect(console.errors).toEqual([]);
    },
  );

  itLong(
    'says what is missing where nothing is shown: an answer, a channel or a frame',
    async () => {
      const console = await freshConsole();
      const { bench, page } = console;
      const empty = console.by('trace-table').locator('.empty');
      // No request and no stream is answered: either could list the channels.
      await page.route('**/api/v1/**', () => {});
      await page.goto(`http://${console.listen}/#trace`);
      await empty.getByText('Waiting for the service').waitFor();
      await page.unroute('**/api/v1/**');
      await bench.json('channel', 'close', 'SIM00001/0');
      await openTrace(console);
      await page.reload();
      await empty.getByText('busbar message send SIM00001/1 123#DEADBEEF').waitFor();
      await bench.json('channel', 'close', 'SIM00001/1');
      await page.reload();
      await empty.getByText('No open channels').waitFor();
      await bench.json('channel', 'open', 'SIM00001/4');
      await page.reload();
      await empty.getByText('No frames yet').waitFor();
      await expect(empty.textContent()).resolves.not.toContain('DEADBEEF');
      expect(console.errors).toEqual([]);
    },
  );

  itLong(
    'holds the rows in sight for a user who moves through them while frames come',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await openTrace(console);
      const options = ['--period=1ms', '--pattern=increment_data'];
      await console.bench.json('tx-task', 'add', 'SIM00001/0', '123#00000000', ...options);
      const rows = console.by('trace-table').locator('tr[data-row="frame"]:visible');
      // The table is full once the first row gives way to others.
      const first = rows.first().locator('[data-field="data"]');
      const earliest = await first.textContent();
      await eventually(async () => (await first.textContent()) !== earliest);
      await console.by('trace-table').focus();
      await Promise.all(Array.from({ length: 5 }, () => page.keyboard.press('ArrowUp')));
      await console.says('trace-pause', 'Resume');
      const isChosen = (): Promise<boolean[]> =>
        rows.evaluateAll((all) => all.map((row) => row.ariaSelected === 'true'));
      await eventually(async () => (await isChosen()).at(-5) === true);
      expect((await isChosen()).filter(Boolean)).toHaveLength(1);
      expect(console.errors).toEqual([]);
    },
  );

  it('counts by id, with the bytes that changed marked', async () => {
    const console = await freshConsole();
    await openTrace(console);
    await console.by('trace-view').getByText('By ID').click();
    const row = console.frames('123').filter({ hasText: 'Tx' });
    await console.send('123#DEADBEEF', '--count=10');
    await row.locator('[data-field="count"]').filter({ hasText: /^10$/ }).waitFor();
    const marked = row.locator('mark').getByText('00', { exact: true });
    await Promise.all([marked.waitFor(), console.send('123#DEAD00EF')]);
    await row.locator('[data-field="count"]').filter({ hasText: /^11$/ }).waitFor();
    await console.says('trace-rows', '2 IDs');
    await row.click();
    const detail = await console.by('trace-detail').boundingBox();
    const data = await row.locator('[data-field="data"]').boundingBox();
    expect((data?.x ?? 0) + (data?.width ?? 0)).toBeLessThanOrEqual(detail?.x ?? 0);
    expect(console.errors).toEqual([]);
  });

  itLong(
    'opens by id at the top, leaves keys to the page, and goes back to the frames it held',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await openTrace(console);
      const options = ['--period=1ms', '--pattern=increment_id', '--count=80'];
      await console.bench.json('tx-task', 'add', 'SIM00001/0', '300#00', ...options);
      await console.says('trace-rows', '160 rows');
      const ids = console.by('trace-table').locator('tr:visible [data-field="id"]');
      await console.by('trace-pause').click();
      const held = await ids.first().textContent();

      await console.by('trace-view').getByText('By ID').click();
      await console.says('trace-rows', '160 IDs');
      await ids.first().getByText('300').waitFor();
      const top = await console.by('trace-table').evaluate(({ scrollTop }) => scrollTop);
      expect(top).toBe(0);
      await page.keyboard.press('/');
      await page.locator('[data-testid="trace-filter-id"]:focus').waitFor();
      await console.by('trace-view').getByText('By ID').click();
      await page.keyboard.press('?');
      await console.by('help').waitFor();
      await page.keyboard.press('Escape');

      await console.by('trace-view').getByText('Chronological').click();
      await ids
        .first()
        .getByText(held ?? '')
        .waitFor();
      expect(console.errors).toEqual([]);
    },
  );

  itLong('says how far behind it is instead of that it is live', async () => {
    const console = await freshConsole();
    await openTrace(console);
    await console.bench.json('tx-task', 'add', 'SIM00001/0', '123#00', '--period=10ms');
    await console.frames('123').first().waitFor();
    await console.says('trace-status', 'Live');
    // As if the frames that come now had been under way for so long.
    await console.page.route('**/api/v1/health', async (route) => {
      const response = await route.fetch();
      const health = await response.json();
      await route.fulfill({ response, json: { ...health, time_us: health.time_us + 38_000_000 } });
    });
    // The way of the answer is taken off from that, and the way of the frames comes on top.
    await console.says('trace-status', /^▲ [34]\d s behind$/);
    await console.by('trace-streams').getByText('WebSocket').first().getByText('behind').waitFor();
    expect(console.errors).toEqual([]);
  });

  it('filters by identifier, direction, channel, name and data', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.loadDatabase();
    await openTrace(console);
    await console.send('100#4006');
    await console.send('18FF50E5#01FF');
    await console.send('124##31122');
    await console.says('trace-rows', '6 rows');
    const shows = (rows: number): Promise<void> =>
      console.says('trace-rows', rows === 6 ? '6 rows' : `${rows} of 6 rows`);
    await page.keyboard.press('/');
    await page.keyboard.type('18FF????');
    await shows(2);
    await console.by('trace-filter-direction').selectOption('rx');
    await shows(1);
    await console.by('trace-filter-clear').click();
    await shows(6);
    await console.by('trace-filter-channel').fill('powertrain');
    await shows(3);
    await console.by('trace-filter-channel').fill('');
    await console.by('trace-filter-name').fill('Eng*');
    await shows(2);
    await console.by('trace-filter-name').fill('');
    await console.by('trace-filter-data').fill('?? FF');
    await shows(2);
    await console.by('trace-filter-data').fill('');
    await console.by('trace-filter-id').fill('xyz');
    await console.by('trace-filter-error').waitFor();
    await shows(6);
    expect(console.errors).toEqual([]);
  });

  it('stands still while paused, and goes back into the history of the service', async () => {
    const console = await setUpConsole();
    await console.send('101#01', '--count=20');
    await openTrace(console);
    await console.send('102#02');
    await console.says('trace-rows', '2 rows');
    await console.by('trace-pause').click();
    await console.says('trace-pause', 'Resume');
    await console.send('103#03');
    await console.by('trace-streams').locator('summary').click();
    await console.says('ws-received', '4');
    await expect(console.frames('103').count()).resolves.toBe(0);
    await console.by('trace-older').click();
    await console.says('older-note', '40 older frames loaded. No older frames available.');
    await console.by('trace-pause').click();
    await console.frames('103').first().waitFor();
    await console.says('trace-gaps', 'no gaps');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'loads older frames of the channels that are shown, until none of them keeps more',
    async () => {
      const console = await setUpConsole('--history-capacity=8');
      const { bench } = console;
      await bench.json('channel', 'open', 'SIM00001/2', '--name=body');
      await bench.json('channel', 'open', 'SIM00001/3', '--name=body-tap');
      await bench.json('message', 'send', 'body', '301#01', '--count=5');
      await console.send('101#01', '--count=40');
      await openTrace(console);
      await console.send('102#02');
      await console.says('trace-rows', '2 rows');
      await console.by('trace-filter-channel').fill('SIM00001/2');
      await console.says('trace-rows', '0 of 2 rows');
      await console.by('trace-older').click();
      await console.says('older-note', '5 older frames loaded. No older frames available.');
      await console.says('trace-rows', '5 of 7 rows');

      // Frames of one channel only would look as if the others had been silent.
      await console.by('trace-filter-clear').click();
      await console.says('trace-rows', /^2 rows$/);
      await console.by('trace-older').click();
      await console.says('older-note', /^14 older frames loaded\.$/);
      await console.by('trace-older').click();
      await console.says('older-note', '10 older frames loaded. No older frames available.');
      await console
        .by('trace-table')
        .locator('tr[data-row="gap"]:visible')
        .filter({ hasText: 'Older frames of other channels are missing' })
        .waitFor();
      expect(console.errors).toEqual([]);
    },
  );

  itLong('keeps its filter over a reload, also one that a link has brought', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('trace?id=123');
    await console.by('trace-filter-channel').fill('powertrain');
    await page.reload();
    await console.says('trace-status', 'Live');
    await console.send('123#01');
    await console.send('124#01');
    await console.says('trace-rows', '1 of 4 rows');
    await expect(console.by('trace-filter-id').inputValue()).resolves.toBe('123');
    await expect(console.by('trace-filter-channel').inputValue()).resolves.toBe('powertrain');
    await page.goto(`http://${console.listen}/#trace?id=124`);
    await console.says('trace-rows', '2 of 4 rows');
    expect(console.errors).toEqual([]);
  });

  itLong('cuts no heading and no time, also by id beside the details', async () => {
    const console = await freshConsole();
    const { page } = console;
    await openTrace(console);
    await console.send('18FF50E5#0102030405060708');
    const cut = (): Promise<string[]> =>
      console.by('trace-table').locator('th, td.number:visible').evaluateAll(cutTexts);
    for (const mode of ['delta', 'relative', 'absolute']) {
      await console.by('trace-time').selectOption(mode);
      await page.evaluate(nextPicture);
      await expect(cut()).resolves.toEqual([]);
    }
    await console.by('trace-view').getByText('By ID').click();
    await console.frames('18FF50E5').first().click();
    const detail = await console.by('trace-detail').boundingBox();
    for (const mode of ['relative', 'absolute']) {
      await console.by('trace-time').selectOption(mode);
      await page.evaluate(nextPicture);
      await expect(cut()).resolves.toEqual([]);
      const last = await console
        .frames('18FF50E5')
        .first()
        .locator('[data-field="last"]')
        .boundingBox();
      expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(detail?.x ?? 0);
    }
    expect(console.errors).toEqual([]);
  });

  it('saves what it shows as candump, ASC, CSV and MF4', async () => {
    const console = await freshConsole();
    await openTrace(console);
    await console.send('123#DEADBEEF');
    await console.says('trace-rows', '2 rows');
    const forms = {
      candump: /123#DEADBEEF/,
      asc: /123\s+Tx\s+d 4 DE AD BE EF/,
      csv: /DE ?AD ?BE ?EF/,
    };
    for (const [format, form] of Object.entries(forms)) {
      expect((await exported(console, format)).toString()).toMatch(form);
    }
    const writer = (name: string): boolean => name.includes('/create-mf4-');
    expect(console.requests.filter(writer)).toEqual([]);
    const file = readMf4(new MemorySource(await exported(console, 'mf4')));
    expect(console.requests.filter(writer)).toHaveLength(1);
    expect(restOf(file)).toMatchObject(
      [
        { channel: 1, kind: eventKindCode.tx_complete },
        { channel: 2, kind: eventKindCode.rx_frame },
      ].map((own) => ({ id: 0x123, data: [0xde, 0xad, 0xbe, 0xef], ...own })),
    );
    await console.says('trace-exported', '2 rows saved');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'says that a writer could not be loaded, and saves in formats that need none',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await openTrace(console);
      await console.send('123#DEADBEEF');
      await console.says('trace-rows', '2 rows');
      console.watch.isServiceAway = true;
      await page.context().route('**/create-mf4-*', (route) => route.abort());
      await console.by('trace-export-format').selectOption('mf4');
      await console.by('trace-export').click();
      await console.says('trace-exported', 'Could not load the MF4 writer');
      await console.stopService();
      expect((await exported(console, 'asc')).toString()).toMatch(/123\s+Tx/);
      await console.startService();
      await page.context().unroute('**/create-mf4-*');
      expect(restOf(readMf4(new MemorySource(await exported(console, 'mf4'))))).toHaveLength(2);
      expect(console.errors).toEqual([]);
    },
  );

  itLong('has a row with the count where frames are missing', async () => {
    const console = await setUpConsole('--history-capacity=4');
    await openTrace(console);
    await console.send('123#00');
    await console.says('trace-rows', '2 rows');
    await console.by('trace-toggle').click();
    await console.says('trace-status', 'Stopped');
    await eventually(async () => !(await console.consumers()).includes('websocket'));
    await console.send('123#01', '--count=100');
    await console.isHeard(202);
    await console.by('trace-toggle').click();
    await console.says('trace-gaps', /1 gaps?, 192 missing/);
    const gap = console.by('trace-table').locator('tr[data-row="gap"]:visible');
    await gap.filter({ hasText: '192 frames are missing after event 2' }).waitFor();
    await console.by('trace-streams').locator('summary').click();
    await console.says('ws-missing', /192 in 1 gaps?/);
    await console.says('sse-gaps', 'no gaps');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'keeps the WebSocket and the SSE stream apart: each with a cursor, a state, gaps and Stop',
    async () => {
      const console = await setUpConsole('--history-capacity=8');
      await openTrace(console);
      await console.by('trace-streams').locator('summary').click();
      await eventually(async () => (await console.consumers()).join() === 'websocket');
      await console.by('sse-toggle').click();
      await console.says('sse-status', 'Live');
      await eventually(async () => (await console.consumers()).join() === 'sse,websocket');
      await console.send('123#00');
      await console.says('sse-cursor', 'cursor: event 2');
      await console.says('ws-cursor', 'event 2');

      await console.by('sse-toggle').click();
      await console.says('sse-status', 'Stopped');
      await eventually(async () => (await console.consumers()).join() === 'websocket');
      // No more at a time than the history stores, so that nothing is lost before the other page
      // reads it.
      for (const event of [18, 34, 50]) {
        await console.send('124#01', '--count=8');
        await console.says('ws-cursor', `event ${event}`);
      }
      await console.says('sse-cursor', 'cursor: event 2');
      await console.by('sse-toggle').click();
      await console.says('sse-gaps', /1 gaps?, 32 missing/);
      await console.says('sse-cursor', 'cursor: event 50');
      await console.says('trace-gaps', 'no gaps');
      await console.says('ws-connections', '1');

      await console.by('ws-toggle').click();
      await console.says('ws-diagnostics', 'Stopped');
      await eventually(async () => (await console.consumers()).join() === 'sse');
      await console.says('sse-status', 'Live');
      await console.by('ws-toggle').click();
      await console.says('trace-status', 'Live');
      await eventually(async () => (await console.consumers()).join() === 'sse,websocket');
      await console.says('ws-connections', '2');
      await console.says('trace-gaps', 'no gaps');
      expect(console.errors).toEqual([]);
    },
  );

  itLong('opens when the service is gone, and begins when it is back', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open();
    await page.locator('[data-page="overview"]').waitFor();
    // The files of the other pages are loaded together.
    const names = () => page.evaluate(loadedNames);
    await eventually(async () => (await names()).some((name) => name.includes('/pages-')));
    await console.stopService();
    await page.keyboard.press('Alt+2');
    await console.says('trace-status', 'Reconnecting');
    await console.by('trace-error').waitFor();
    await console.startService();
    await console.says('trace-status', 'Live');
    await console.send('123#01');
    await console.says('trace-rows', '2 rows');
    expect(console.errors).toEqual([]);
  });

  it('shows payloads that are reassembled from frames, and no data of incomplete ones', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await console.open('trace?view=pdus');
    // The second packet never comes.
    for (const frame of ['1CECFF2A#200E0002FFCAFE00', '1CEBFF2A#0104FF6E000301BE']) {
      await bench.json('message', 'send', 'SIM00001/0', frame);
    }
    const send = ['j1939', 'send', 'SIM00001/0', '--pgn=0xFECA', '--source=0x17'];
    await bench.json(...send, '--data=04FF6E000301BE040C020000');
    const rows = console.by('pdus-table').locator('tr[data-pgn="FECA"]');
    const received = rows.filter({ hasText: 'powertrain' });
    const lost = received.and(page.locator(':not([data-status="complete"])'));
    await expect(lost.locator('[data-field="data"]').textContent()).resolves.toBe('–');
    const whole = received.and(page.locator('[data-status="complete"]'));
    for (const [field, text] of [
      ['protocol', 'J1939'],
      ['name', 'DM1'],
      ['source', '17'],
      ['destination', 'all'],
      ['data', '04 FF 6E 00 03 01 BE 04 0C 02 00 00'],
    ] as const) {
      await whole.locator(`[data-field="${field}"]`).getByText(text, { exact: true }).waitFor();
    }
    await whole.click();
    await console
      .by('pdu-dtcs')
      .getByRole('row', { name: /110\s*3\s*1/ })
      .waitFor();
    await console
      .by('pdu-dtcs')
      .getByRole('row', { name: /1214\s*12\s*2/ })
      .waitFor();
    await console.says('pdu-lamps', /Amber warning\s*on/);
    await lost.click();
    await console.says('pdu-detail', 'The transfer is not complete');
    await bench.json('message', 'send', 'SIM00001/0', '7E8#037F2278');
    const refused = console.by('pdus-table').locator('tr[data-id="7E8"]');
    const [answer] = [refused.filter({ hasText: 'powertrain' })];
    await answer.click();
    await console.says('pdu-detail', /Negative response to ReadDataByIdentifier: 0x78/);
    expect(console.errors).toEqual([]);
  });

  itLong('says that a part of it could not be loaded, and tries again until it is', async () => {
    const console = await freshConsole();
    const { page } = console;
    console.watch.isServiceAway = true;
    await page.route('**/trace-worker-*', (route) => route.abort());
    await console.open('trace');
    await console.says('trace-error', 'worker_missing');
    await console.says('trace-status', 'Reconnecting');
    await console.by('trace-toggle').click();
    await console.says('trace-status', 'Stopped');
    await console.by('trace-toggle').click();
    await console.says('trace-error', 'worker_missing');
    await page.unroute('**/trace-worker-*');
    await console.says('trace-status', 'Live');
    await console.by('trace-error').waitFor({ state: 'detached' });
    await console.send('123#01');
    await console.says('trace-rows', '2 rows');
    expect(console.errors).toEqual([]);
  });
});
