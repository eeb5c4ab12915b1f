import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { portOf } from '../support/modbus-rig.ts';
import { eventually } from '../support/workbench.ts';
import { type ConsolePage, reuseConsole, setUpConsole } from './support/console-page.ts';
import {
  pumpProject,
  runDegraded,
  waveProject,
  writeNetworks,
  writeProject,
} from './support/gateway-projects.ts';
import { decorationOf, nextPicture } from './support/in-page.js';

const lightsDatabase = `VERSION ""

BU_: Car

BO_ 768 Lights: 2 Car
 SG_ Beam : 0|2@1+ (1,0) [0|3] "" Car
 SG_ Fog : 2|1@1+ (1,0) [0|1] "" Car
`;

interface Counts {
  readonly messages: number;
  readonly signals: number;
}

const validated = async (console: ConsolePage, file: string): Promise<Counts> =>
  (await console.bench.json<{ counts: Counts }>('gateway', 'validate', `--file=${file}`)).counts;

interface Server {
  readonly address: string;
}

/**
 * A unit to which the project writes; returns how to stop it and to serve it again at the same
 * endpoint.
 */
const serveUnit = async ({ bench }: ConsolePage) => {
  const serve = (endpoint: string): Promise<Server> =>
    bench.json<Server & Record<string, unknown>>(
      ...['modbus', 'serve', `--endpoint=${endpoint}`, '--unit=1'],
    );
  const { address } = await serve('tcp:127.0.0.1:0');
  onTestFinished(async () => void (await bench.run(['modbus', 'stop', `--endpoint=${address}`])));
  return {
    port: portOf(address),
    again: () => serve(address),
    stop: () => bench.json('modbus', 'stop', `--endpoint=${address}`),
  };
};

/** Adds the project of CAN and Modbus and its unit to the bench of a console. */
const withGateway = async (console: ConsolePage) => {
  const unit = await serveUnit(console);
  writeNetworks(console, unit.port);
  writeProject(console, 'pump.gwproj', pumpProject());
  return { console, unit };
};

const cli = ({ bench }: ConsolePage, ...words: string[]) => bench.json('gateway', ...words);

const run = async (console: ConsolePage): Promise<void> => {
  await cli(console, 'load', '--file=pump.gwproj');
  await cli(console, 'start', '--instance=pump');
};

interface FaultRules {
  readonly faults: readonly { readonly id: string; readonly fired: number }[];
}

const signalRow = (id: string): string => `data-signal="${id}"`;

/** The two bytes of the next pump command on the bus. */
const nextCommand = async ({ bench }: ConsolePage): Promise<string> => {
  const wanted = ['--channel=SIM00001/0', '--id=200', '--direction=rx', '--count=1'];
  const { stdout } = await bench.run(['message', 'recv', ...wanted, '--format=jsonl']);
  return (JSON.parse(stdout) as { data: string }).data;
};

describe.runIf(hasBrowser())('gateway instances in the console', () => {
  const freshConsole = reuseConsole();

  it('are loaded from a list of files, validated, started, saved, stopped and unloaded', async () => {
    const { console } = await withGateway(await freshConsole());
    const { page } = console;
    const broken = pumpProject();
    broken.bindings[0].codec = 'none';
    writeProject(console, 'broken.gwproj', broken);
    console.watch.allow(422, /^\/api\/v1\/gateways\/validate$/);
    await console.open('instances');
    const project = (file: string) => page.locator(`tr[data-file="${file}"]`);
    await project('broken.gwproj').getByTestId('validate').click();
    await console.says('problems-table', 'bindings · speed.rx · codec');
    await project('pump.gwproj').getByTestId('validate').click();
    await console.says('valid', 'pump.gwproj is valid');
    await project('pump.gwproj').getByTestId('load').click();
    await console.says('instance-state', 'loaded');
    await console.by('instance-start').click();
    await console.says('instance-state', 'running');
    await console.cellSays('data-endpoint="plc"', 'connected', 'up');
    await console.cellSays('data-counter="sent"', 'rate', /[1-9]/);
    await console.by('instance-save').click();
    await console.by('save-file').fill('copy.gwproj');
    await console.by('save-submit').click();
    await console.says('saved', 'Saved as copy.gwproj');
    await project('copy.gwproj').waitFor();
    // An existing file is replaced only after confirmation.
    const written = (): number => statSync(join(console.bench.project, 'pump.gwproj')).ino;
    const before = written();
    symlinkSync('pump.gwproj', join(console.bench.project, 'link.gwproj'));
    console.watch.allow(409, /\/save$/);
    await console.by('instance-save').click();
    const offered = page.locator('form[data-testid="save-form"] datalist option');
    await offered.nth(2).waitFor({ state: 'attached' });
    await console.by('save-file').fill('link.gwproj');
    await console.by('save-submit').click();
    await console.says('replace-question', 'link.gwproj already exists');
    await console.by('save-file').fill('');
    await console.by('save-submit').click();
    await console.says('replace-question', 'pump.gwproj already exists');
    expect(written()).toBe(before);
    await console.by('replace').click();
    await console.says('saved', 'Saved as pump.gwproj');
    expect(written()).not.toBe(before);
    await console.by('instance-stop').click();
    await console.says('instance-state', 'stopped');
    await console.by('instance-unload').click();
    await console.says('instance-follow', 'Not loaded');
    expect(console.errors).toEqual([]);
  });

  it('are made of databases, and say where a start failed', async () => {
    const { console } = await withGateway(await freshConsole());
    const { page } = console;
    await console.loadDatabase();
    await console.open('instances');
    console.watch.allow(409, /\/start$/);
    await page.getByText('Import a database').click();
    await console.by('import-file').selectOption('car.dbc');
    await console.by('import-network').fill('nowhere');
    console.watch.allow(400, /^\/api\/v1\/gateways\/import$/);
    await console.by('import-submit').click();
    await console.says('import-form', /stale_after_ms/);
    await console.by('import-stale').fill('500');
    await console.by('import-instance').fill('car');
    await console.by('import-submit').click();
    await console.says('import-result', 'car.gwproj was written');
    await console.by('import-load').click();
    await console.says('instance-state', 'loaded');
    await console.by('instance-start').click();
    await console.says('instance-start-error', 'network_unbound');
    expect(console.errors).toEqual([]);
  });

  itLong('take in another database, and keep what they had', async () => {
    const { console } = await withGateway(await freshConsole());
    const { bench } = console;
    writeFileSync(join(bench.project, 'lights.dbc'), lightsDatabase);
    await console.open('instances');
    await console.page.getByText('Import a database').click();
    await console.by('import-file').selectOption('lights.dbc');
    await console.by('import-merge').selectOption('pump.gwproj');
    await console.by('import-network').fill('car');
    await console.by('import-stale').fill('500');
    await console.by('import-output').fill('both.gwproj');
    await console.by('import-submit').click();
    await console.says('import-result', 'both.gwproj was written');
    const before = await validated(console, 'pump.gwproj');
    const after = await validated(console, 'both.gwproj');
    expect([after.messages, after.signals]).toEqual([before.messages + 1, before.signals + 2]);
    await console.by('import-load').click();
    await console.says('instance-state', 'loaded');
    await console.page.goto(`http://${console.listen}/#gateway-signals?instance=pump`);
    const ids = console.page.locator('tr[data-signal] [data-field="id"]');
    for (const id of ['speed', 'Beam']) await ids.filter({ hasText: id }).first().waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong('are followed in any number, each in its own tab', async () => {
    const { console } = await withGateway(await freshConsole());
    const names = ['front', 'middle', 'rear', 'roof'];
    writeProject(console, 'waves.gwproj', waveProject(3));
    const tabs: ConsolePage[] = [];
    for (const name of names) {
      await cli(console, 'load', '--file=waves.gwproj', `--instance=${name}`);
      await cli(console, 'start', `--instance=${name}`);
      const tab = tabs.length === 0 ? console : await console.newTab();
      tabs.push(tab);
      await tab.open(`gateway-signals?instance=${name}`);
    }
    for (const tab of tabs) {
      await tab.says('instance-state', 'running');
      const value = tab.page.locator(`tr[${signalRow('wave.0')}] [data-field="value"]`);
      const values = new Set<string | null>();
      await eventually(async () => values.add(await value.textContent()).size > 2);
    }
    await cli(console, 'stop', '--instance=rear');
    await cli(console, 'unload', '--instance=rear');
    await tabs[2]?.says('instance-follow', 'Not loaded');
    await cli(console, 'stop', '--instance=roof');
    await tabs[3]?.says('instance-state', 'stopped');
    expect(tabs.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('show signals live, and are set by switch, number and label', async () => {
    const { console } = await withGateway(await freshConsole());
    const { page } = console;
    await run(console);
    await console.open('gateway-signals?instance=pump');
    await console.says('instance-state', 'running');
    await console.send('100#4006000000000000');
    await console.cellSays(signalRow('speed'), 'value', '400 rpm');
    await console.cellSays(signalRow('half_speed'), 'value', '200 rpm');
    await page.locator(`tr[${signalRow('pump')}]`).click();
    await console.by('set-value').fill('101');
    await console.says('set-control', 'Must be at most 100');
    await console.by('set-value').fill('55');
    await page.keyboard.press('Enter');
    await console.says('set-confirmed', 'Set to 55 %');
    await console.says('signal-bindings', /pump\.tx\s*55/);
    await page.locator(`tr[${signalRow('enable')}]`).click();
    // The focus does not move: a switch keeps it while it waits for its response.
    await console.by('set-switch').focus();
    for (const value of ['1', '0', '1']) {
      await page.keyboard.press('Space');
      await console.says('set-confirmed', `Set to ${value}`);
    }
    await cli(console, 'set', '--instance=pump', '--signal=enable', '--value=0');
    await eventually(async () => (await console.by('set-confirmed').textContent()) === '');
    await cli(console, 'set', '--instance=pump', '--signal=enable', '--value=1');
    await page.locator(`tr[${signalRow('mode')}]`).click();
    // Intermediate values are not sent.
    for (const value of ['2', '0', '2']) await console.by('set-choice').selectOption(value);
    await console.by('set-submit').click();
    await console.says('set-confirmed', 'Set to boost (2)');
    expect(console.requests.filter((each) => each.startsWith('PUT'))).toHaveLength(5);
    await eventually(async () => (await nextCommand(console)) === '3721');
    await page
      .locator(`tr[${signalRow('half_speed')}]`)
      .getByTestId('plot-signal')
      .click();
    await page
      .locator(`tr[${signalRow('pump')}]`)
      .getByTestId('plot-signal')
      .click();
    await page.goto(`http://${console.listen}/#signals`);
    await console.says('signals-status', 'Live');
    await console.send('100#8006000000000000');
    const plotted = console.by('signals-table').locator(`tr[${signalRow('half_speed')}]`);
    await plotted.locator('[data-field="value"]').getByText('208', { exact: true }).waitFor();
    // It was set long before, and has a line.
    const setBefore = console.by('signals-table').locator(`tr[${signalRow('pump')}]`);
    await setBefore.locator('[data-field="value"]').getByText('55', { exact: true }).waitFor();
    await console.by('signals-toggle').click();
    await console.says('signals-status', 'Stopped');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'tell of a task that fails and recovers, and of what others do to them meanwhile',
    async () => {
      const { console, unit } = await withGateway(await freshConsole());
      const { page } = console;
      await run(console);
      await console.open('gateway-signals?instance=pump');
      const task = page.locator('tr[data-task="register"]');
      await task.filter({ hasText: 'running' }).waitFor();
      await unit.stop();
      await page.locator('tr[data-task="register"][data-error]').waitFor();
      await console.says('instance-health', 'degraded');
      await unit.again();
      await page.locator('tr[data-task="register"]:not([data-error])').waitFor();
      await console.says('instance-health', 'ok');
      await console.cellSays(signalRow('pump'), 'quality', 'good');
      await cli(console, 'stop', '--instance=pump');
      await console.says('instance-state', 'stopped');
      await console.cellSays(`${signalRow('pump')}][data-stale`, 'quality', 'held since stop');
      await cli(console, 'unload', '--instance=pump');
      await console.says('instance-follow', 'Not loaded');
      writeProject(console, 'other.gwproj', waveProject(3));
      await cli(console, 'load', '--file=other.gwproj', '--instance=pump');
      await page.locator(`tr[${signalRow('wave.2')}]`).waitFor();
      expect(await page.locator(`tr[${signalRow('speed')}]`).count()).toBe(0);
      expect(console.errors).toEqual([]);
    },
  );

  itLong('have frames that fault rules changed or dropped marked in the trace', async () => {
    const console = await freshConsole();
    const { page } = console;
    writeNetworks(console, 1);
    const flip = { task: 'PumpCommand', kind: 'xor_byte', byte_offset: 1, mask: 0x0f };
    const drop = { task: 'PumpCommand', kind: 'drop', start: 2 };
    const fault_rules = [
      { id: 'flip_low', ...flip, every: 2, enabled: true },
      { id: 'lose_some', ...drop, every: 2, enabled: true },
    ];
    writeProject(console, 'pump.gwproj', { ...pumpProject(), fault_rules });
    await console.open('trace?id=200');
    await console.says('trace-status', 'Live');
    await run(console);
    const rows = (kind: string) => page.locator(`tr[data-row="${kind}"]:visible`);
    const changed = rows('frame').filter({ hasText: '▲ corrupted: xor_byte by flip_low' });
    await changed.filter({ hasText: 'powertrain' }).filter({ hasText: 'Tx' }).first().waitFor();
    // No database names it.
    await changed.filter({ hasText: 'PumpCommand' }).first().waitFor();
    // From here on the page follows the faults: the next dropped frame is shown.
    const dropCount = async (): Promise<number> => {
      const { faults } = await console.bench.json<FaultRules>(
        ...['gateway', 'faults', '--instance=pump'],
      );
      return faults.find(({ id }) => id === 'lose_some')?.fired ?? 0;
    };
    const before = await dropCount();
    await eventually(async () => (await dropCount()) > before);
    // On a slow machine, frames that are still being sent would push dropped ones out of the window.
    await cli(console, 'stop', '--instance=pump');
    const dropped = rows('dropped').filter({ hasText: '▲ not sent: drop by lose_some' });
    await dropped.filter({ hasText: 'powertrain' }).first().waitFor();
    await console.by('trace-pause').click();
    await console.says('trace-pause', 'Resume');
    // In order of time, each between the frames sent before and after it.
    await page.evaluate(nextPicture);
    const times = await page.locator('tr:visible > [data-field="time"]').allTextContents();
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual([...times].sort());
    await expect(
      dropped.first().locator('[data-field="data"]').evaluate(decorationOf),
    ).resolves.toBe('line-through');
    await dropped.first().click();
    await console.says(
      'trace-fault',
      '▲ dropped: drop by rule lose_some of pump, task PumpCommand',
    );
    await changed.first().click();
    await console.says('trace-fault', '▲ injected: xor_byte by rule flip_low of pump');
    expect(console.errors).toEqual([]);
  });

  itLong('lead from a degraded instance to what it lacks', async () => {
    const console = await freshConsole();
    const { page } = console;
    await runDegraded(console);
    await console.open('gateway-signals?instance=pump');
    await console.says('instance-health', 'degraded');
    await console.by('instance-health').click();
    await console.says('health-reasons', 'Endpoint plc');
    expect(new URL(page.url()).hash).toBe('#instances?instance=pump');
    await page.locator('[data-testid="health-reasons"] a[href="#modbus"]').click();
    await console.by('modbus-sessions').waitFor();
    expect(console.errors).toEqual([]);
  });

  itLong(
    'show constants without an age, and floats with the digits that they can have',
    async () => {
      const console = await freshConsole();
      const { page } = console;
      writeProject(console, 'tenth.gwproj', {
        format: 'gwproj',
        schema_version: 1,
        signals: [
          { id: 'tenth', type: 'float64', producer: 'constant', initial: '0.1' },
          { id: 'three_tenths', type: 'float64', producer: 'derived' },
        ],
        mappings: [
          {
            id: 'triple',
            inputs: ['tenth'],
            outputs: ['three_tenths'],
            transform: { kind: 'linear', k: 3, b: 0 },
          },
        ],
      });
      await cli(console, 'load', '--file=tenth.gwproj', '--instance=tenth');
      await cli(console, 'start', '--instance=tenth');
      await console.open('gateway-signals?instance=tenth');
      await console.cellSays(signalRow('tenth'), 'age', /^constant$/);
      await console.cellSays(signalRow('three_tenths'), 'value', /^0.3$/);
      await page.locator(`tr[${signalRow('three_tenths')}]`).click();
      await console.says('signal-detail', '0.30000000000000004');
      expect(console.errors).toEqual([]);
    },
  );

  it('have faults that a banner tells of on every page', async () => {
    const { console } = await withGateway(await freshConsole());
    const { page } = console;
    await run(console);
    await cli(console, 'set', '--instance=pump', '--signal=pump', '--value=7');
    await console.open('faults?instance=pump');
    await console.cellSays('data-rule="spoil_pump"', 'effect', 'Overwrites byte 0 with 0x63');
    await console.by('fault-switch').focus();
    // The banner may show a rule before the switch has its response; until then the switch
    // ignores keys.
    const settled = (isOn: boolean): Promise<void> =>
      page
        .locator(`[data-testid="fault-switch"][aria-checked="${isOn}"]:not([aria-disabled])`)
        .waitFor();
    await page.keyboard.press('Space');
    await console.says('fault-banner', '1 fault rule in pump');
    await settled(true);
    await page.keyboard.press('Space');
    await console.by('fault-banner').waitFor({ state: 'detached' });
    await settled(false);
    await page.keyboard.press('Space');
    await console.says('fault-banner', '1 fault rule in pump');
    await eventually(async () => (await nextCommand(console)) === '6300');
    await console.cellSays('data-rule="spoil_pump"', 'fired', /[1-9]/);
    await console.cellSays('data-task="PumpCommand"', 'injected', /[1-9]/);
    await console.by('fault-trace').getByText('200').click();
    await console.says('fault-banner', 'Fault injection is on');
    await console.frames('200').first().waitFor();
    await cli(console, 'fault', '--instance=pump', '--rule=spoil_pump', '--enabled=false');
    await console.by('fault-banner').waitFor({ state: 'detached' });
    await eventually(async () => (await nextCommand(console)) === '0700');
    // The stream shows the loss, not the health check.
    await console.page.route('**/api/v1/health', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), gateway: { instances: [] } } });
    });
    await cli(console, 'fault', '--instance=pump', '--rule=spoil_pump', '--enabled=true');
    await console.says('fault-banner', '1 fault rule in pump');
    expect(console.errors).toEqual([]);
  });

  itLong(
    'are shared by tabs, and come back after the service and the daemon were away',
    async () => {
      const token = 'right-token';
      const { console } = await withGateway(await setUpConsole(`--token=${token}`));
      const { page, bench } = console;
      await run(console);
      console.watch.allow(401, /^\/api\/v1\/health$/);
      await page.goto(`http://${console.listen}/#gateway-signals`);
      await page.locator('#token').fill(token);
      await page.keyboard.press('Enter');
      await console.says('instance-state', 'running');
      const second = await console.newTab();
      second.watch.allow(401, /^\/api\/v1\/health$/);
      await second.page.goto(`http://${console.listen}/#gateway-signals`);
      await second.page.locator('#token').fill(token);
      await second.page.keyboard.press('Enter');
      await second.says('instance-state', 'running');
      await cli(console, 'set', '--instance=pump', '--signal=pump', '--value=12');
      for (const tab of [console, second]) await tab.cellSays(signalRow('pump'), 'value', '12 %');
      await page.locator(`tr[${signalRow('pump')}]`).click();
      await console.by('set-value').fill('44');
      await console.stopService(second);
      await console.says('instance-follow', 'Stale');
      await console.startService(second);
      await console.by('instance-follow').waitFor({ state: 'detached' });
      // The typed text is kept and can be sent again.
      await console.by('set-submit').click();
      await console.says('set-confirmed', 'Set to 44 %');
      await cli(console, 'set', '--instance=pump', '--signal=pump', '--value=13');
      for (const tab of [console, second]) await tab.cellSays(signalRow('pump'), 'value', '13 %');
      for (const { watch } of [console, second]) watch.isServiceAway = true;
      await bench.json('daemon', 'stop');
      await console.says('connection', 'Unreachable');
      await bench.json('daemon', 'start', '--channel=SIM00001/0', '--channel=SIM00001/1');
      await console.startService(second);
      await console.says('instance-follow', 'Not loaded');
      await cli(console, 'load', '--file=pump.gwproj');
      for (const tab of [console, second]) await tab.says('instance-state', 'loaded');
      expect([...console.errors, ...second.errors]).toEqual([]);
    },
  );

  itLong(
    'show a thousand signals that change twenty times a second, and draw those in sight',
    async () => {
      const { console } = await withGateway(await freshConsole());
      const { page } = console;
      writeProject(console, 'waves.gwproj', waveProject(1000));
      await cli(console, 'load', '--file=waves.gwproj');
      await cli(console, 'start', '--instance=waves');
      await console.open('gateway-signals?instance=waves');
      await console.says('gateway-signal-count', '1,000');
      const rows = page.locator('tr[data-signal]');
      const first = page.locator(`tr[${signalRow('wave.0')}] [data-field="value"]`);
      const values = new Set<string | null>();
      await eventually(async () => values.add(await first.textContent()).size > 5);
      expect(await rows.count()).toBeLessThan(100);
      await console.by('gateway-signal-search').fill('wave.999');
      await console.says('gateway-signal-count', '1 of 1,000');
      await console.cellSays(signalRow('wave.999'), 'quality', 'good');
      expect(console.errors).toEqual([]);
    },
  );
});
