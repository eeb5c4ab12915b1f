import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/workbench.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';
import { droppedFile } from './support/in-page.js';

const first = 'data-channel="SIM00001/0"';
const second = 'data-channel="SIM00001/1"';

describe.runIf(hasBrowser())('the channels page', () => {
  const freshConsole = reuseConsole();

  it('shows the bench, the service and every channel with its rates', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await console.open('channels');
    await console.says('channel-count', '2 open');
    await console.cellSays(second, 'channel', 'powertrain');
    await console.cellSays(first, 'bus', 'CAN FD');
    await console.says('health-status', 'ok');
    const { version } = await bench.json<{ version: string }>('version');
    await console.says('versions', version);
    for (const thread of ['client', 'loader']) await console.says('threads', thread);
    await page.locator('[data-device="SIM00001"]').waitFor();
    const sending = bench.run([
      ...['message', 'send', 'SIM00001/0', '123#DEADBEEF'],
      ...['--count=1000000', '--cycle-us=5000'],
    ]);
    await console.cellSays(first, 'tx', /^[1-9]/);
    await console.cellSays(second, 'rx', /^[1-9]/);
    await console.cellSays(first, 'bus-state', 'active');
    await console.cellSays(first, 'retained', /^[1-9][\d,]* \/ [\d,]+$/);
    await console.says('broker', 'Retained');
    await bench.json('channel', 'close', 'SIM00001/0');
    await sending;
    await page.locator(`tr[${first}]`).waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  itLong.each(['channels', 'send', 'files'])(
    'asks for nothing over and over but whether the service is there: %s',
    async (place) => {
      const console = await freshConsole();
      await console.open(place);
      await console.isAllAnswered();
      const health = 'GET /api/v1/health';
      // The first requests may be repeated after the first event of the stream.
      await eventually(async () => {
        const latest = console.requests.slice(-2);
        return latest.length === 2 && latest.every((each) => each === health);
      });
      expect(console.errors).toEqual([]);
    },
  );

  const openThird = async (console: ConsolePage): Promise<void> => {
    await console.by('open-channel').click();
    await console.by('open-port').selectOption('SIM00001/2');
    await console.by('open-name').fill('body');
    await console.by('open-submit').click();
    await console.page.locator('tr[data-channel="SIM00001/2"]').waitFor();
  };

  it('opens, configures and closes a channel', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await console.open('channels');
    await openThird(console);
    await console.says('channel', 'body');
    await console.by('configure-channel').click();
    await console.by('configure-group').selectOption({ label: 'Bit rate' });
    await console.by('configure-bitrate').fill('250000');
    await console.by('configure-submit').click();
    await console.by('configure-done').waitFor();
    const { channels } = await bench.json<{ channels: { name: string; bitrate: number }[] }>(
      'channel',
      'list',
    );
    expect(channels.find(({ name }) => name === 'body')?.bitrate).toBe(250_000);
    await console.by('close-channel').click();
    await console.by('close-confirm').click();
    await page.locator('tr[data-channel="SIM00001/2"]').waitFor({ state: 'detached' });
    await console.says('channel-count', '2 open');
    expect(console.errors).toEqual([]);
  });

  it('attaches databases to a channel, in order, by name, by file and by dropping a file', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await console.loadDatabase();
    const text = 'VERSION ""\nBO_ 1 Wake: 1 Car\n';
    writeFileSync(join(bench.project, 'wake.dbc'), text);
    writeFileSync(join(bench.project, 'broken.ldf'), 'LIN_description_file;\nNodes { Master');
    await console.open('channels');
    const attached = console.by('attached-databases').locator('li');
    const areAttached = (...names: string[]) =>
      eventually(async () => {
        const shown = await attached.evaluateAll((items) =>
          items.map((item) => item.getAttribute('data-database')),
        );
        return shown.join() === names.join();
      });
    await console.by('attach-submit').click();
    await areAttached('car');
    console.watch.allow(422, /^\/api\/v1\/databases$/);
    await console.by('attach-file').fill('broken.ldf');
    await console.by('attach-file-submit').click();
    await console.says('attach-error', /line 2, column \d+/);
    const drop = async (name: string, content: string) => {
      const dataTransfer = await page.evaluateHandle(droppedFile, { name, content });
      await page.locator(`tr[${second}]`).dispatchEvent('drop', { dataTransfer });
    };
    await drop('absent.dbc', '');
    await console.says('drop-reason', 'absent.dbc is not in the project folder');
    await console.says('channel', 'powertrain');
    await drop('wake.dbc', text.replace('Wake', 'Rest'));
    await console.says('drop-reason', 'wake.dbc in the project folder differs');
    await drop('wake.dbc', text);
    await areAttached('wake');
    await console.by('attach-file').fill('car.dbc');
    await console.by('attach-file-submit').click();
    await areAttached('wake', 'car');
    const shown = await bench.json<{ databases: string[] }>('channel', 'show', 'powertrain');
    expect(shown.databases).toEqual(['wake', 'car']);
    await page.getByRole('button', { name: 'Detach wake' }).click();
    await areAttached('car');
    expect(console.errors).toEqual([]);
  });

  /**
   * Drives the first channel bus off through a neighbour with a wrong bit rate, which is then
   * corrected.
   */
  const goBusOff = async ({ bench, page }: ConsolePage): Promise<void> => {
    await bench.json('channel', 'configure', 'SIM00001/1', '--bitrate=250k');
    await bench.json('message', 'send', 'SIM00001/0', '123#00');
    await page.locator(`tr[${first}] [data-field="state"] [data-state="bus_off"]`).waitFor();
    await bench.json('channel', 'configure', 'SIM00001/1', '--bitrate=500k');
  };

  const isBack = async ({ bench, page }: ConsolePage): Promise<void> => {
    await page.locator(`tr[${first}] [data-state="open"]`).waitFor();
    expect(await bench.json('channel', 'show', 'SIM00001/0')).toMatchObject({ state: 'open' });
  };

  itLong('recovers a channel that is bus off, and keeps its events', async () => {
    const console = await freshConsole();
    await console.open('channels');
    await goBusOff(console);
    const stats = () => console.bench.json<{ broker: object }>('channel', 'stats', 'SIM00001/0');
    const { broker } = await stats();
    await console.says('bus-off-hint', 'The channel stays bus off until it is recovered.');
    await console.by('recover-channel').click();
    await console.by('bus-off-hint').waitFor({ state: 'detached' });
    await isBack(console);
    const { oldest_event_id } = broker as { oldest_event_id: number };
    expect((await stats()).broker).toMatchObject({ oldest_event_id });
    expect(console.errors).toEqual([]);
  });

  itLong('says of a channel that it went bus off again after a recovery', async () => {
    const console = await freshConsole();
    await console.open('channels');
    await goBusOff(console);
    await console.by('recover-channel').click();
    await console.by('bus-off-hint').waitFor({ state: 'detached' });
    await goBusOff(console);
    await console.says('bus-off-hint', /went bus off again after the recovery at \d\d:\d\d:\d\d\./);
    expect(console.errors).toEqual([]);
  });

  itLong('is where a degraded service leads to, with the channel that is concerned', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('channels');
    await goBusOff(console);
    await page.locator('tr[data-channel="SIM00001/1"]').click();
    await page.goto(`http://${console.listen}/#trace`);
    await console.says('connection', 'Degraded');
    await console.by('degraded-part').click();
    await page.locator(`tr[${first}][aria-selected="true"]`).waitFor();
    expect(new URL(page.url()).hash).toBe('#channels?channel=SIM00001%2F0');
    // Changes shown by the channel are not in the log.
    expect(await console.by('health-problems').textContent()).toMatch(/is bus off\.\s*$/);
    expect(console.errors).toEqual([]);
  });

  itLong('recovers a channel that is bus off by applying its settings again', async () => {
    const console = await freshConsole();
    await console.open('channels');
    await goBusOff(console);
    await console.by('configure-channel').click();
    await console.by('configure-group').selectOption({ label: 'Termination' });
    await console.by('configure-submit').click();
    await console.says('configure-done', 'The channel is still bus off.');
    await console.by('configure-group').selectOption({ label: 'Bit rate' });
    await console.by('configure-submit').click();
    await console.says('configure-done', 'Bit rate applied.');
    await isBack(console);
    expect(console.errors).toEqual([]);
  });

  itLong('has a channel restarted after bus off once that is set', async () => {
    const console = await freshConsole();
    await console.open('channels');
    await goBusOff(console);
    await console.by('configure-channel').click();
    await console.by('configure-group').selectOption({ label: 'Restart after bus-off' });
    await console.by('configure-restart').fill('soon');
    await console.by('configure-submit').click();
    await console.by('configure-form').getByText('Must be an integer').waitFor();
    await console.by('configure-restart').fill('100');
    await console.by('configure-submit').click();
    await console.says('configure-done', 'Restart after bus-off applied.');
    await isBack(console);
    await console.by('configure-channel').click();
    await console.says('channel', '100 ms');
    expect(console.errors).toEqual([]);
  });

  itLong('shows no error state of a CAN controller for LIN', async () => {
    const console = await freshConsole();
    await console.open('channels');
    await console.bench.json('channel', 'open', 'SIM00001/4');
    const lin = 'data-channel="SIM00001/4"';
    await console.cellSays(lin, 'load', '%');
    await console.cellSays(lin, 'bus-state', /^–$/);
    await console.cellSays(first, 'bus-state', 'error active');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'leaves the form of a channel that is closed meanwhile, and shows no other in its place',
    async () => {
      const console = await freshConsole();
      await console.open('channels');
      await console.by('configure-channel').click();
      await console.by('configure-form').waitFor();
      await console.bench.json('channel', 'close', 'SIM00001/0');
      await console.says('channel', 'powertrain');
      await console.by('configure-form').waitFor({ state: 'detached' });
      await console.by('configure-channel').click();
      await console.by('configure-form').waitFor();
      expect(console.errors).toEqual([]);
    },
  );

  itLong('opens no other port than the one in sight when that is taken meanwhile', async () => {
    const console = await freshConsole();
    await console.open('channels');
    await console.by('open-channel').click();
    await console.by('open-submit').getByText('Open SIM00001/2').waitFor();
    await console.bench.json('channel', 'open', 'SIM00001/2');
    await console.by('refresh').click();
    await console.says('open-form', 'SIM00001/2 is no longer available');
    await console.by('open-form').getByRole('button', { name: 'Choose another port' }).click();
    await console.by('open-submit').getByText('Open SIM00001/3').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('says what is wrong with a field where it is', async () => {
    const console = await freshConsole();
    await console.open('channels');
    await console.by('open-channel').click();
    await console.by('open-bitrate').fill('fast');
    console.requests.length = 0;
    await console.by('open-submit').click();
    await console.page.locator('[data-testid="open-bitrate"][aria-invalid="true"]').waitFor();
    expect(console.requests.filter((each) => each.startsWith('POST'))).toEqual([]);
    expect(console.errors).toEqual([]);
  });

  itLong('says what to do first where no channel is open', async () => {
    const console = await freshConsole();
    const { bench } = console;
    await bench.json('channel', 'close', 'SIM00001/0');
    await bench.json('channel', 'close', 'SIM00001/1');
    await console.open('channels');
    await console.by('channels').getByText('No open channels').waitFor();
    await console.by('channels-table').getByRole('button', { name: 'Open channel' }).click();
    await console.by('open-submit').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('moves through the channels with the arrow keys', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('channels');
    await page.locator(`tr[${first}][aria-selected="true"]`).waitFor();
    await console.by('channels-table').focus();
    await page.keyboard.press('ArrowDown');
    await page.locator(`tr[${second}][aria-selected="true"]`).waitFor();
    await console.says('channel', 'powertrain');
    await page.keyboard.press('ArrowUp');
    await page.locator(`tr[${first}][aria-selected="true"]`).waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong(
    'marks what it retains as stale while the service is gone, and goes on afterwards',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      await console.open('channels');
      await console.says('channel-count', '2 open');
      await console.stopService();
      await console.says('connection', 'Unreachable');
      for (const panel of ['channels', 'health', 'bench']) {
        await page.locator(`[data-testid="${panel}"][data-stale]`).waitFor();
        await console
          .by(panel)
          .getByText(/As of \d\d:\d\d:\d\d/)
          .waitFor();
      }
      await console.cellSays(second, 'channel', 'powertrain');
      await console.says('health-error', 'busbar web start');
      await console.startService();
      await console.says('connection', 'Live');
      await page.locator('[data-testid="channels"]:not([data-stale])').waitFor();
      await console.says('health-status', 'ok');
      expect(console.errors).toEqual([]);
    },
  );
});
