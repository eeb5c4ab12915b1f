import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/workbench.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';
import { piecesOfLine, rememberNonsense, strokesOf } from './support/in-page.js';

/** Selects a signal of the second channel, whose plan retains this many samples. */
const choose = async (console: ConsolePage, message: string, signal: string, history = 64) => {
  const { page } = console;
  const item = page.locator(`[data-kind="signal"][data-name="${signal}"]`);
  await console.by('signal-channel').selectOption('SIM00001/1');
  await console.by('signal-history').fill(String(history));
  await page.locator(`[data-kind="message"][data-name="${message}"]`).click();
  await item.click();
  await page.locator(`tr[data-signal="${signal}"]`).waitFor();
};

/** What the export of a format downloads. */
const saved = async ({ page }: ConsolePage, format: string): Promise<Buffer> => {
  await page.getByTestId('signals-export-format').selectOption(format);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('signals-export').click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const speed = 'data-signal="Speed"';

interface Plans {
  readonly plans: readonly Readonly<Record<string, unknown>>[];
}

describe.runIf(hasBrowser())('the signals page', () => {
  const freshConsole = reuseConsole();

  const openSignals = async (): Promise<ConsolePage> => {
    const console = await freshConsole();
    await console.loadDatabase();
    await console.open('signals');
    return console;
  };

  it('plots what is ticked in the catalog, with figures, labels and an export', async () => {
    const console = await openSignals();
    const { page } = console;
    await console.by('signals-empty').waitFor();
    await choose(console, 'Engine', 'Speed');
    await page.locator('[data-kind="signal"][data-name="Gear"]').click();
    await console.says('signals-status', 'Live');
    await console.send('100#4006030000000000');
    await console.send('100#8006000000000000');
    await console.cellSays(speed, 'value', /^416$/);
    await console.cellSays(speed, 'unit', 'rpm');
    await console.cellSays(speed, 'min', /^400$/);
    await console.cellSays(speed, 'max', /^416$/);
    await console.cellSays('data-signal="Gear"', 'label', 'park');
    await console.by('signals').locator('canvas').first().waitFor();
    await console.by('signals-pause').click();
    await console.says('signals-pause', 'Resume');
    await console.send('100#C006030000000000');
    await console.cellSays(speed, 'value', /^432$/);
    expect((await saved(console, 'csv')).toString()).toContain('416');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'ends the line where a message falls silent, and dims the value until the next frame',
    async () => {
      const console = await openSignals();
      const { page } = console;
      await choose(console, 'Engine', 'Speed', 4096);
      await console.says('signals-status', 'Live');
      const burst = (frame: string) => console.send(frame, '--count=40');
      const silent = page.locator('[data-silent$="ago"]');
      const pieces = (): Promise<number> =>
        console.by('signals').locator('canvas').first().evaluate(piecesOfLine);
      await burst('100#4006030000000000');
      await eventually(async () => (await pieces()) === 1);
      await page.locator(`tr[${speed}][data-silent]`).waitFor();
      await silent.filter({ hasText: '400 rpm' }).waitFor();
      await burst('100#8006030000000000');
      await console.cellSays(speed, 'value', /^416$/);
      await eventually(async () => (await pieces()) === 2);
      await console.by('signals-pause').click();
      await expect(pieces()).resolves.toBe(2);

      await console.open();
      const legend = console.by('overview-plot-panel').locator(`[${speed}]`);
      await legend.locator('[data-silent]').filter({ hasText: '416 rpm' }).waitFor();
      await legend.filter({ hasText: / ago$/ }).waitFor();
      await console.bench.json(
        ...['tx-task', 'add', 'SIM00001/0', '100#C006030000000000', '--period=10ms'],
      );
      await legend.locator('strong:not([data-silent])').filter({ hasText: '432 rpm' }).waitFor();
      expect(console.errors).toEqual([]);
    },
  );

  it('measures between two cursors, by keys alone, and keeps them over a reload', async () => {
    const console = await openSignals();
    const { page } = console;
    await choose(console, 'Engine', 'Speed', 4096);
    await console.says('signals-status', 'Live');
    await console.send('100#4006030000000000', '--count=3');
    await console.send('100#8006030000000000');
    await console.cellSays(speed, 'value', /^416$/);
    // The samples before the stream came with the others.
    await console.by('signals-window').getByText('10 min').click();
    await console.cellSays(speed, 'max', /^416$/);
    // The view contains all samples, however long they took.
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await console.says('signals-pause', 'Resume');
    await console.by('signal-plot').focus();
    await page.keyboard.press('c');
    await console.by('cursor-a').focus();
    for (const key of ['Home', 'Period', 'Period']) await page.keyboard.press(key);
    await console.by('cursor-b').focus();
    for (const key of ['End', 'Comma']) await page.keyboard.press(key);
    await console.cellSays(speed, 'a', /^400$/);
    await console.cellSays(speed, 'b', /^416$/);
    await console.cellSays(speed, 'difference', /^16$/);
    await console.cellSays(speed, 'min', /^400$/);
    await console.cellSays(speed, 'max', /^416$/);
    await console.cellSays(speed, 'mean', /^≈405\.333$/);
    await console.says('signals-measured', /Δt 0\.\d{6} s/);
    const before = await console.by('signals-measured').textContent();
    await page.keyboard.press('Shift+ArrowLeft');
    await console
      .by('signals-measured')
      .filter({ hasNotText: before ?? '' })
      .waitFor();
    await page.keyboard.press('Period');
    await console.says('signals-measured', before ?? '');

    const rows = (await saved(console, 'csv-cursors')).toString().trim().split('\r\n');
    expect(rows.slice(1).map((row) => row.split(',')[6])).toEqual(['400', '400', '416']);
    const drawing = (await saved(console, 'svg')).toString();
    expect(drawing).toMatch(/^<svg .*\n/);
    expect(drawing).toContain('>Speed rpm</text>');
    expect(drawing).toMatch(/Δt 0\.\d{6} s<\/text>\n<\/svg>\n$/);
    expect((await saved(console, 'png')).subarray(1, 4).toString()).toBe('PNG');

    const box = await console.by('cursor-a').boundingBox();
    const lines = await page.locator('.u-over').first().boundingBox();
    if (!box || !lines) throw new Error('There is no cursor to drag');
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    await page.mouse.down();
    // To before the first sample.
    await page.mouse.move(lines.x + 1, box.y + 60, { steps: 3 });
    await page.mouse.up();
    await console.cellSays(speed, 'a', /^–$/);
    await page.reload();
    await console.cellSays(speed, 'b', /^416$/);
    await console.says('signals-pause', 'Resume');
    await console.by('signals-cursors').click();
    await console.by('cursor-a').waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  itLong('zooms values by keys and by a box, and keeps a locked axis', async () => {
    const console = await openSignals();
    const { page } = console;
    await choose(console, 'Engine', 'Speed');
    await console.says('signals-status', 'Live');
    await console.send('100#4006030000000000');
    await console.cellSays(speed, 'value', /^400$/);
    const fitted = page.locator('[data-testid="signals-fit"][aria-disabled]');
    const zoomed = page.locator('[data-testid="signals-fit"]:not([aria-disabled])');
    const lock = console.by('axis-lock');
    const press = async (key: string): Promise<void> => {
      await console.by('signal-plot').focus();
      await page.keyboard.press(key);
    };
    await fitted.waitFor();
    // Nothing moves before the first picture.
    await eventually(async () => {
      await press('ArrowUp');
      return zoomed.isVisible();
    });
    await press('f');
    await fitted.waitFor();

    const box = await page.locator('.u-over').first().boundingBox();
    if (!box) throw new Error('There is no plot to drag over');
    const moveTo = (share: number) =>
      page.mouse.move(box.x + box.width * share, box.y + box.height * share);
    await moveTo(0.3);
    await page.mouse.down();
    for (const share of [0.4, 0.5, 0.6]) await moveTo(share);
    await page.mouse.up();
    await zoomed.waitFor();
    await console.says('signals-pause', 'Resume');

    await lock.click();
    await page.locator('[data-testid="axis-lock"][aria-pressed="true"]').waitFor();
    await fitted.waitFor();
    await press('ArrowUp');
    await page.reload();
    await page.locator('[data-testid="axis-lock"][aria-pressed="true"]').waitFor();
    await fitted.waitFor();
    await lock.click();
    await page.locator('[data-testid="axis-lock"][aria-pressed="false"]').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong(
    'asks for the channel where no plan knows it, and zooms over several panes at once',
    async () => {
      const console = await openSignals();
      const { page } = console;
      const item = (name: string) => page.locator(`[data-kind="signal"][data-name="${name}"]`);
      await page.locator('[data-kind="message"][data-name="Engine"]').click();
      await item('Speed').click();
      await console.says(
        'channel-question',
        'Engine is not decoded yet. Select the channel of Speed.',
      );
      await page.keyboard.press('Escape');
      await console.by('channel-question').waitFor({ state: 'detached' });
      await item('Speed').click();
      await console.by('channel-question').getByText('powertrain').click();
      await page.locator(`tr[${speed}]`).waitFor();
      await item('Gear').click();
      await page.locator('tr[data-signal="Gear"]').waitFor();
      await console.by('channel-question').waitFor({ state: 'detached' });
      await console.says('signals-status', 'Live');
      await console.send('100#4006030000000000');
      await console.cellSays(speed, 'value', /^400$/);
      await console.by('signal-pane').nth(1).waitFor();

      // Each trend has the colour of its line in the plot.
      const strokes = (part: string): Promise<string[]> =>
        page.locator(`tr[data-signal] .${part} path`).evaluateAll(strokesOf);
      const lines = await strokes('line-key');
      expect(new Set(lines).size).toBe(2);
      await expect(strokes('sparkline')).resolves.toEqual(lines);

      await console.says('signals-pause', 'Pause');
      const box = await page.locator('.u-over').first().boundingBox();
      if (!box) throw new Error('There is no plot to drag over');
      const { x, y, width, height } = box;
      await page.mouse.move(x + width / 4, y + height / 2);
      await page.mouse.down();
      for (const share of [0.3, 0.4, 0.5]) await page.mouse.move(x + width * share, y + height / 2);
      await page.mouse.up();
      await console.says('signals-pause', 'Resume');
      await page.mouse.move(x + width * 0.6, y + height / 2);
      await console.says('signals-cursor', /\d\d:\d\d:\d\d/);

      // The channel field returns the same error as the request itself.
      await page.locator('[data-kind="message"][data-name="Doors"]').click();
      await item('Driver').click();
      await console.by('channel-question').waitFor();
      await console.by('signal-channel').selectOption('SIM00001/1');
      await page.locator('tr[data-signal="Driver"]').waitFor();
      await console.by('channel-question').waitFor({ state: 'detached' });
      expect(console.errors).toEqual([]);
    },
  );

  itLong('finds signals by a part of their name, and ticks them with keys alone', async () => {
    const console = await openSignals();
    const { page } = console;
    await console.by('signal-channel').selectOption('SIM00001/0');
    await console.by('signal-search').fill('driv');
    await page.locator('[data-kind="signal"][data-name="Driver"]').waitFor();
    await page.locator('[data-kind="signal"][data-name="Speed"]').waitFor({ state: 'detached' });
    await console.by('signal-tree').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.locator('tr[data-signal="Driver"]').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('has a stream of its own, with a cursor, gaps with their count, and Stop', async () => {
    const console = await openSignals();
    const { page } = console;
    await choose(console, 'Engine', 'Speed', 4);
    await console.says('signals-status', 'Live');
    const before = await console.newestEvent();
    await console.send('100#4006030000000000');
    await console.cellSays(speed, 'value', /^400$/);
    await console.says('signals-figures', '#');
    await page.keyboard.press('Alt+2');
    await console.says('trace-status', 'Live');
    await console.by('trace-streams').locator('summary').click();
    await console.by('sse-toggle').click();
    await console.says('sse-status', 'Live');
    const streams = async (): Promise<string> => (await console.consumers('SIM00001/1')).join();
    await eventually(async () => (await streams()) === 'decode,sse,websocket');
    await page.keyboard.press('Alt+3');
    await console.by('signals-toggle').click();
    await console.says('signals-status', 'Stopped');
    await console.send('100#4106030000000000', '--count=10');
    await console.isHeard(before + 22);
    await page.keyboard.press('Alt+2');
    await console.says('trace-status', 'Live');
    await console.says('sse-status', 'Live');
    await console.says('ws-connections', '1');
    await page.keyboard.press('Alt+3');
    await console.by('signals-toggle').click();
    await console.says('signals-status', 'Live');
    await console.says('signals-gaps', /Missed up to \d+ samples, before sample \d+/);
    await expect(streams()).resolves.toBe('decode,sse,websocket');
    await page.keyboard.press('Alt+2');
    await console.says('trace-gaps', 'no gaps');
    await console.says('sse-gaps', 'no gaps');
    await page.keyboard.press('Alt+3');
    await console.by('signals-clear').click();
    await console.by('signals-gaps').waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  it('retains samples, marked stale while the service is gone and expired when it has lost the plan', async () => {
    const console = await openSignals();
    const { bench } = console;
    await choose(console, 'Engine', 'Speed', 64);
    await console.says('signals-status', 'Live');
    await console.send('100#4006030000000000');
    await console.cellSays(speed, 'value', /^400$/);
    const before = await bench.json<Plans>('signal', 'list');
    await console.stopService();
    await console.cellSays(speed, 'state', 'STALE');
    await console.cellSays(speed, 'value', /^400$/);
    await console.startService();
    await console.cellSays(speed, 'state', 'EXPIRED');
    await console.cellSays(speed, 'value', /^400$/);
    await console.says('signals-expired', '1 plan has expired: Engine');
    await expect(bench.json<Plans>('signal', 'list')).resolves.toMatchObject({ plans: [] });

    await console.by('rebuild-all').click();
    await console.by('signals-expired').waitFor({ state: 'detached' });
    await console.says('signals-status', 'Live');
    const after = await bench.json<Plans>('signal', 'list');
    expect(after.plans).toHaveLength(1);
    for (const field of ['selector', 'database', 'message', 'history']) {
      expect(after.plans[0]?.[field]).toEqual(before.plans[0]?.[field]);
    }
    expect(after.plans[0]?.history).toBe(64);
    await console.send('100#4106030000000000');
    await console.cellSays(speed, 'value', /^400\.25$/);
    await console.cellSays(speed, 'state', 'valid');
    expect(console.errors).toEqual([]);
  });

  itLong('rebuilds the plan of a channel that was closed, once it is open again', async () => {
    const console = await openSignals();
    const { bench, page } = console;
    await choose(console, 'Engine', 'Speed');
    await console.says('signals-status', 'Live');
    await console.send('100#4006030000000000');
    await console.cellSays(speed, 'state', 'valid');
    await bench.json('channel', 'close', 'SIM00001/1');
    await console.cellSays(speed, 'state', 'CHANNEL CLOSED');
    await console.by('refresh').click();
    await console.by('rebuild').waitFor({ state: 'detached' });
    await bench.json('channel', 'open', 'SIM00001/1', '--name=powertrain');
    await console.by('refresh').click();
    await console.by('rebuild').click();
    await console.says('signals-status', 'Live');
    await page.locator(`tr[${speed}][data-state=""]`).waitFor();
    await console.send('100#4106030000000000');
    await console.cellSays(speed, 'value', /^400\.25$/);
    expect(console.errors).toEqual([]);
  });

  itLong(
    'marks samples stale where a proxy answers in place of the service, also while stopped',
    async () => {
      const console = await openSignals();
      const { page } = console;
      await choose(console, 'Engine', 'Speed');
      await console.says('signals-status', 'Live');
      await console.send('100#4006030000000000');
      await console.cellSays(speed, 'state', 'valid');
      await console.by('signals-toggle').click();
      await console.says('signals-status', 'Stopped');
      console.watch.allow(502, /^\/api\/v1\//);
      await page.route('**/api/v1/**', (route) =>
        route.fulfill({ status: 502, body: 'Bad gateway' }),
      );
      await console.says('connection', 'Unreachable');
      await console.cellSays(speed, 'state', 'STALE');
      await console.cellSays(speed, 'value', /^400$/);
      await page.unroute('**/api/v1/**');
      await console.says('connection', 'Live');
      await console.by('signals-toggle').click();
      await console.cellSays(speed, 'state', 'valid');
      expect(console.errors).toEqual([]);
    },
  );

  itLong(
    'asks for no history of a signal without a frame, however often plans are listed',
    async () => {
      const console = await openSignals();
      const { page, requests } = console;
      await choose(console, 'Engine', 'Speed');
      await console.says('signals-status', 'Live');
      const lists = (): number => requests.filter((each) => each === 'GET /api/v1/signals').length;
      const histories = (): number =>
        requests.filter((each) => each === 'GET /api/v1/signals/history').length;
      const listed = lists();
      for (const count of [1, 2, 3]) {
        await page.locator('[data-testid="refresh"]:not([aria-disabled])').click();
        await eventually(() => lists() >= listed + count);
      }
      await page.keyboard.press('Alt+1');
      await eventually(() => lists() >= listed + 4);
      expect(histories()).toBe(0);
      await console.send('100#4006030000000000');
      await page.keyboard.press('Alt+3');
      await console.cellSays(speed, 'value', /^400$/);
      await page.reload();
      await console.cellSays(speed, 'value', /^400$/);
      expect(histories()).toBeGreaterThan(0);
      expect(console.errors).toEqual([]);
    },
  );

  itLong('begins anew where something else was remembered', async () => {
    const console = await openSignals();
    const { page } = console;
    await page.evaluate(rememberNonsense);
    await page.reload();
    await console.by('signals-empty').waitFor();
    await choose(console, 'Engine', 'Speed');
    expect(console.errors).toEqual([]);
  });

  itLong('says what to do first without a database', async () => {
    const console = await freshConsole();
    await console.open('signals');
    await console.says('catalog-empty', 'No databases');
    expect(console.errors).toEqual([]);
  });
});
