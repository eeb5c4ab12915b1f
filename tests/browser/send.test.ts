import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/workbench.ts';
import { type ConsolePage, reuseConsole, setUpConsole } from './support/console-page.ts';

interface History {
  readonly newest_available: number;
  readonly events: readonly { readonly kind: string; readonly id: number; readonly data: string }[];
}

const posts = ({ requests }: ConsolePage): readonly string[] =>
  requests.filter((each) => each.startsWith('POST'));

/** Waits until a field is marked as wrong and shows the reason next to it. */
const isRefused = async (console: ConsolePage, field: string, why: string): Promise<void> => {
  await console.page.locator(`[data-testid="${field}"][aria-invalid="true"]`).waitFor();
  await console.by('send-form').getByText(why).waitFor();
};

describe.runIf(hasBrowser())('the send page', () => {
  const freshConsole = reuseConsole();

  it('sends a raw frame, shows what came of it, and sends it again, also after a reload', async () => {
    const console = await freshConsole();
    const { page } = console;
    const { newest_available: before } = await console.bench.json<History>('message', 'history');
    await console.open('send');
    await console.by('send-channel').selectOption('SIM00001/1');
    await console.by('send-id').fill('18FF50E5');
    expect(await console.by('send-extended').isChecked()).toBe(true);
    await console.by('send-data').fill('DE AD BE EF');
    await page.keyboard.press('Enter');
    await console.says('send-result', '1 frame accepted on SIM00001/1');
    await page.reload();
    await console.by('sent-table').getByText('Resend').click();
    await eventually(async () => {
      const { events } = await console.bench.json<History>(
        'message',
        'history',
        `--after=${before}`,
      );
      const received = events.filter((event) => event.kind === 'rx_frame');
      const isMeant = ({ id, data }: (typeof received)[number]) =>
        id === 0x18ff50e5 && data === 'DEADBEEF';
      return received.length === 2 && received.every(isMeant);
    });
    expect(console.errors).toEqual([]);
  });

  itLong('checks every visible field before any request is made', async () => {
    const console = await freshConsole();
    await console.open('send');
    // Until the channels are known, none can be selected.
    await console.isAnswered('message-send');
    const wrong = [
      ['send-id', '20000000', '123', 'Must be at most 1FFFFFFF'],
      ['send-id', 'engine', '123', 'or hex'],
      ['send-data', 'ABC', '', 'Must be hex bytes of two digits each'],
      ['send-data', '00 11 22 33 44 55 66 77 88', '', 'A classic frame has at most 8 bytes'],
      ['send-dlc', '3', '', 'DLC 3 means 3 bytes, but the data has 0'],
      ['send-count', '0', '1', 'Must be at least 1'],
      ['send-cycle', 'soon', '', 'Must be a number of milliseconds'],
      ['send-cycle', '0.0005', '', 'Must be a multiple of 0.001'],
      ['send-timeout', '-1', '', 'Must be at least'],
    ] as const;
    for (const [field, bad, good, why] of wrong) {
      await console.by(field).fill(bad);
      await console.by('send-submit').click();
      await isRefused(console, field, why);
      await console.by(field).fill(good);
    }
    expect(posts(console)).toEqual([]);
    await console.by('send-submit').click();
    await console.says('send-result', '1 frame accepted');
    expect(posts(console)).toEqual(['POST /api/v1/messages']);
    expect(console.errors).toEqual([]);
  });

  itLong(
    'takes any channel selector with Advanced, and checks everything else all the same',
    async () => {
      const console = await setUpConsole();
      await console.open('send');
      await console.by('send-channel').waitFor();
      await console.by('send-advanced').check();
      console.watch.allow(409, /^\/api\/v1\/messages$/);
      await console.by('send-channel').fill('nobody');
      await console.by('send-advanced').uncheck();
      await console.by('send-submit').click();
      await isRefused(console, 'send-channel', 'No such open channel or bound network');
      await console.by('send-advanced').check();
      await console.by('send-data').fill('XY');
      await console.by('send-submit').click();
      await isRefused(console, 'send-data', 'Must be hex bytes of two digits each');
      expect(posts(console)).toEqual([]);
      await console.by('send-data').fill('00');
      await console.by('send-submit').click();
      await console
        .by('send-form')
        .getByText(/nobody/)
        .first()
        .waitFor();
      expect(posts(console)).toHaveLength(1);
      await console.by('send-channel').fill('0');
      await console.by('send-submit').click();
      await console.says('send-result', 'slot 0');
      expect(posts(console)).toHaveLength(2);
      expect(console.errors).toEqual([]);
    },
  );

  it('sends a message by name with values and labels, and shows refusals at their field', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await console.loadDatabase();
    await bench.json('database', 'attach', 'car', '--channel=SIM00001/0');
    await console.open('send');
    await console.by('send-source').getByText('From database').click();
    await console.by('compose-message').selectOption('Engine');
    await console.by('signal-value-Speed').fill('400.25');
    await console.by('signal-label-Gear').selectOption({ label: 'third' });
    await console.says('compose-preview', '4106030000000000');
    await console.by('signal-value-Speed').fill('fast');
    await console.by('send-submit').click();
    await console.by('compose').getByText('Some signals cannot be encoded').waitFor();
    expect(posts(console)).toEqual([]);
    console.watch.allow(400, /^\/api\/v1\/messages$/);
    await console.by('signal-value-Speed').fill('9000');
    await console.by('send-submit').click();
    await page.locator('[id="signal-note-Speed"]').getByText('from 0 to 8000 rpm').waitFor();
    await console.by('signal-value-Speed').fill('400.25');
    await console.by('send-submit').click();
    await console.says('send-result', '1 frame accepted');
    await console.says('sent-frame', 'Engine 100 41 06 03 00 00 00 00 00');
    const sent = console.by('sent-signals');
    await sent.locator('tr', { hasText: 'Gear' }).getByText('third').waitFor();
    await sent.locator('tr', { hasText: 'Speed' }).getByText('1601').waitFor();
    await console.by('signal-value-Speed').fill('1');
    await console.by('sent-table').getByText('Engine').click();
    await eventually(
      async () => (await console.by('signal-value-Speed').inputValue()) === '400.25',
    );
    expect(console.errors).toEqual([]);
  });

  const restBus = `VERSION ""

BU_: Engine Brake

BO_ 512 Status: 8 Engine
 SG_ Alive : 0|4@1+ (1,0) [0|15] "" Brake
 SG_ Speed : 8|16@1+ (0.25,0) [0|8000] "rpm" Brake
 SG_ Mode : 24|2@1+ (1,0) [0|3] "" Brake

BO_ 513 Fault: 1 Engine

BO_ 514 Pedal: 1 Brake

BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 512 20;
BA_ "GenMsgCycleTime" BO_ 514 20;
VAL_ 512 Mode 0 "off" 1 "on" ;
`;

  interface Tasks {
    readonly tx_tasks: readonly {
      readonly state: string;
      readonly message: string;
      readonly signals: readonly { readonly signal: string; readonly raw: string }[];
    }[];
  }

  itLong('sends the rest bus of a node, and changes its signals while it runs', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    writeFileSync(join(bench.project, 'rest.dbc'), restBus);
    await bench.json('database', 'load', 'rest.dbc');
    await bench.json('database', 'attach', 'rest', '--channel=powertrain');
    await console.open('send');
    await console.by('import-tasks').click();
    await console.by('import-channel').selectOption('SIM00001/1');
    await console.by('import-node').selectOption('Engine');
    await console.by('import-submit').click();
    await console.says('import-result', '1 task added, 1 message skipped');
    await console.by('import-result').locator('summary').click();
    await console.says('import-skipped', /Fault\s*not sent cyclically/);
    const task = page.locator('tr[data-task]');
    await task.getByText('Status').click();
    const isSent = (signal: string, raw: string) =>
      page
        .locator(`[data-testid="signal-controls"] tr[data-signal="${signal}"] [data-field="raw"]`)
        .getByText(raw, { exact: true })
        .waitFor();
    await console.by('set-slider-Speed').fill('500');
    await isSent('Speed', '16000');
    await console.by('set-label-Mode').selectOption('on');
    await isSent('Mode', '1');
    console.watch.allow(400, /^\/api\/v1\/tx-tasks\//);
    await console.by('set-value-Speed').fill('9000');
    // The list of tasks is read again meanwhile.
    await bench.json('tx-task', 'set', (await task.getAttribute('data-task')) ?? '', 'Alive=3');
    await isSent('Alive', '3');
    await page.keyboard.press('Enter');
    await page.locator('[id="set-note-Speed"]').getByText('from 0 to 8000 rpm').waitFor();
    await console.by('set-value-Speed').fill('100');
    await page.keyboard.press('Enter');
    await isSent('Speed', '400');
    const { tx_tasks } = await bench.json<Tasks>('tx-task', 'list');
    expect(tx_tasks).toMatchObject([
      { message: 'Status', signals: [{ raw: '3' }, { raw: '400' }, { raw: '1' }] },
    ]);

    // The task keeps its layout: half of the range is still 4000 rpm.
    writeFileSync(join(bench.project, 'rest.dbc'), restBus.replace('[0|8000]', '[0|4000]'));
    await bench.json('database', 'reload', 'rest');
    await page.reload();
    await task.getByText('Status').click();
    await console.by('set-slider-Speed').fill('500');
    await isSent('Speed', '16000');
    for (const [button, state] of [
      ['Pause', 'paused'],
      ['Resume', 'running'],
    ] as const) {
      await task.getByRole('button', { name: button }).click();
      await task.locator('[data-field="state"]').getByText(state).waitFor();
    }
    expect(console.errors).toEqual([]);
  });

  itLong('adds a task by name with the cycle time of the database and a counter', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    writeFileSync(join(bench.project, 'rest.dbc'), restBus);
    await bench.json('database', 'load', 'rest.dbc');
    await console.open('send');
    await console.by('send-source').getByText('From database').click();
    await console.by('compose-message').selectOption('Status');
    await console.by('send-mode').getByText('As TX task').click();
    expect(await console.by('task-period').inputValue()).toBe('20');
    await console.by('task-counter').selectOption('Alive');
    await console.by('signal-value-Alive').fill('3');
    console.watch.allow(409, /^\/api\/v1\/tx-tasks$/);
    await console.by('send-submit').click();
    await page.locator('[id="signal-note-Alive"] [data-tone="bad"]').waitFor();
    await console.by('compose-message').selectOption('Pedal');
    await console.by('compose-message').selectOption('Status');
    await console.by('task-counter').selectOption('Alive');
    await console.by('send-submit').click();
    await page.locator('tr[data-task]').getByText('Status').click();
    await page
      .locator('tr[data-signal="Alive"] [data-field="raw"]')
      .filter({ hasText: /^[1-9]/ })
      .waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong(
    'sends on no other channel and no other message than those in sight, whatever goes away',
    async () => {
      const console = await freshConsole();
      const { bench, page } = console;
      await console.loadDatabase();
      await bench.json('database', 'load', 'car.dbc', '--name=zoo');
      await console.open('send');
      // From then on the first channel is the selected one.
      await console.isAnswered('message-send');
      await console.by('send-source').getByText('From database').click();
      await console.by('compose-database').selectOption('zoo');
      await console.by('signal-value-Speed').fill('400');
      await bench.json('channel', 'close', 'SIM00001/0');
      // The console may be reading the databases again.
      console.watch.allow(404, /^\/api\/v1\/databases\/zoo/);
      await bench.json('database', 'unload', 'zoo');
      await console.by('refresh').click();
      await console
        .by('send-channel')
        .getByText('SIM00001/0 · not open')
        .waitFor({ state: 'attached' });
      await console
        .by('compose-database')
        .getByText('zoo · not loaded')
        .waitFor({ state: 'attached' });
      await console.by('send-submit').click();
      await isRefused(console, 'send-channel', 'No such open channel or bound network');
      await console.by('compose').getByText('No message selected').waitFor();
      expect(posts(console)).toEqual([]);
      await console.by('send-channel').selectOption('SIM00001/1');
      await console.by('compose-database').selectOption('car');
      await page.locator('[data-signal="Speed"]').waitFor();
      await console.by('send-submit').click();
      await console.says('send-result', '1 frame accepted on SIM00001/1');
      expect(console.errors).toEqual([]);
    },
  );

  itLong('shows the response to a LIN header', async () => {
    const console = await freshConsole();
    const { bench } = console;
    await bench.json('channel', 'open', 'SIM00001/4', '--name=master');
    await bench.json('channel', 'open', 'SIM00001/5', '--name=slave');
    await bench.json('tx-task', 'add', 'slave', '21#0102', '--kind=lin_response');
    await console.open('send');
    await console.by('send-channel').selectOption('SIM00001/4');
    await console.by('send-type').selectOption('master-read');
    await console.by('send-id').fill('21');
    await console.by('send-submit').click();
    await console.says('lin-response', '01 02');
    await console.says('lin-response', 'enhanced');
    expect(console.errors).toEqual([]);
  });

  itLong('offers a LIN slave responses, and no headers', async () => {
    const console = await freshConsole();
    await console.bench.json('channel', 'open', 'SIM00001/5', '--name=slave');
    await console.open('send');
    await console.by('send-channel').selectOption('SIM00001/5');
    await console.says('send-slave-hint', 'only transmits in response to a master header');
    for (const part of ['send-type', 'send-submit']) {
      await console.by(part).waitFor({ state: 'detached' });
    }
    await console.by('send-id').fill('0x21');
    await console.by('send-data').fill('01 02');
    await console.by('send-as-response').click();
    const kinds = console.by('task-kind').locator('option');
    await expect(kinds.allTextContents()).resolves.toEqual(['LIN response']);
    await console.by('send-submit').click();
    const task = console.page.locator('tr[data-task]');
    await task.locator('[data-field="channel"]').getByText('slave', { exact: true }).waitFor();
    const { tx_tasks } = await console.bench.json<{ tx_tasks: object[] }>('tx-task', 'list');
    expect(tx_tasks).toMatchObject([{ kind: 'lin_response', id: 0x21, data: '0102' }]);
    expect(posts(console)).toEqual(['POST /api/v1/tx-tasks']);
    expect(console.errors).toEqual([]);
  });

  const doors = `LIN_description_file;
LIN_protocol_version = "2.1";
LIN_language_version = "2.1";
LIN_speed = 19.2 kbps;
Nodes { Master: Master, 5 ms, 0.1 ms; Slaves: Door; }
Signals { Lamp: 8, 0, Master, Door; }
Frames { Command: 16, Master, 2 { Lamp, 0; } }
Node_attributes { Door { LIN_protocol = "2.1"; configured_NAD = 1; } }
Schedule_tables {
  Normal { Command delay 20 ms; }
  Slow { Command delay 100 ms; }
}
`;

  it('runs a LIN schedule, switches its table and sets its signals', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    writeFileSync(join(bench.project, 'doors.ldf'), doors);
    await bench.json('channel', 'open', 'SIM00001/4', '--name=master');
    await bench.json('database', 'load', 'doors.ldf');
    await bench.json('database', 'attach', 'doors', '--channel=master');
    await console.open('send');
    await console.by('schedule-channel').selectOption('SIM00001/4');
    await console.by('schedule-start').click();
    const schedule = page.locator('tr[data-schedule]');
    await schedule.locator('[data-field="table"]').getByText('Normal', { exact: true }).waitFor();
    await schedule
      .locator('[data-field="cycles"]')
      .filter({ hasText: /^[1-9]/ })
      .waitFor();
    await schedule.getByText('Normal').click();
    await console.by('set-value-Lamp').fill('7');
    await page.keyboard.press('Enter');
    await page
      .locator('tr[data-signal="Lamp"] [data-field="raw"]')
      .getByText('7', { exact: true })
      .waitFor();
    await console.by('schedule-switch').selectOption('Slow');
    await schedule.locator('[data-field="table"]').getByText('Slow', { exact: true }).waitFor();
    await schedule.getByRole('button', { name: 'Stop' }).click();
    await schedule.waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  itLong('shows tasks by the names of their channels and messages', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await console.loadDatabase();
    const { slot } = await bench.json<{ slot: number }>('channel', 'show', 'powertrain');
    await bench.json('tx-task', 'add', String(slot), '100#00', '--period-us=1500');
    await console.open('send');
    const task = page.locator('tr[data-task]');
    for (const [field, text] of [
      ['channel', 'powertrain'],
      ['message', 'Engine'],
      ['period', '1.5 ms'],
    ] as const) {
      await task.locator(`[data-field="${field}"]`).getByText(text, { exact: true }).waitFor();
    }
    expect(console.errors).toEqual([]);
  });

  it('runs tasks and routes, with their figures, until they are removed', async () => {
    const console = await freshConsole();
    const { page } = console;
    await console.open('send');
    await console.isAnswered('message-send');
    await console.by('send-mode').getByText('As TX task').click();
    await console.by('send-data').fill('01');
    await console.by('task-period').fill('0.01');
    await console.by('send-submit').click();
    await isRefused(console, 'task-period', 'Must be at least 0.1');
    await console.by('task-period').fill('10');
    await console.by('send-submit').click();
    const task = page.locator('tr[data-task]');
    await task.locator('[data-field="period"]').getByText('10 ms', { exact: true }).waitFor();
    await task.locator('[data-field="state"]').filter({ hasText: 'running' }).waitFor();
    await task
      .locator('[data-field="sent"]')
      .filter({ hasText: /^[1-9]/ })
      .waitFor();
    await console.by('route-from').selectOption('SIM00001/1');
    await console.by('route-id').fill('123');
    await console.by('route-to').selectOption('SIM00001/0');
    await console.by('route-as').fill('456');
    await console.by('route-add').click();
    const route = page.locator('tr[data-route]');
    await route.filter({ hasText: '456' }).waitFor();
    await task.getByRole('button', { name: 'Remove' }).click();
    await task.waitFor({ state: 'detached' });
    await route.getByRole('button', { name: 'Remove' }).click();
    await route.waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });
});
