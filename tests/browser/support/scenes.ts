import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { driveLog } from '../../support/drive-log.ts';
import { repository } from '../../support/workbench.ts';
import type { ConsolePage } from './console-page.ts';
import { runDegraded } from './gateway-projects.ts';
import { serveEngine } from './simulated-ecu.ts';

/** A page in a certain state, which must fit into every window. */
export interface Scene {
  readonly name: string;
  /** Its address, if it differs from the name. */
  readonly place?: string;
  /** Elements that show when it is ready. */
  readonly ready: string;
  readonly prepare?: (console: ConsolePage) => Promise<void>;
}

/** Gives the bench long names, identifiers and payloads, as real benches have. */
export const fillBench = async (console: ConsolePage): Promise<void> => {
  const { bench } = console;
  await console.loadDatabase();
  await bench.json('channel', 'open', 'SIM00001/2', '--name=body-controller');
  // Differs from the identifier that the API page sends: nodes that send the same one drive each
  // other bus off.
  const frame = '18FF50E4##1000102030405060708090A0B0C0D0E0F1011121314151617';
  // Enough that frames are still sent when the last page is opened, on any machine.
  await bench.json('tx-task', 'add', 'powertrain', frame, '--period=100ms', '--count=5000000');
  await bench.json(
    ...['route', 'add', '--extended', '--source-channel=powertrain', '--source-id=0x18FF50E4'],
    ...['--target-channel=body-controller', '--target-id=0x18FF50E6'],
  );
  const peers = ['--peer=127.0.0.1:20011', '--peer=127.0.0.1:20012'];
  await bench.json(
    ...['remote', 'start', '--listen=127.0.0.1:0'],
    ...peers,
    '--channel=powertrain',
  );
};

const chooseSignals = async (console: ConsolePage): Promise<void> => {
  await console.by('signal-channel').selectOption('SIM00001/1');
  await console.by('signal-search').fill('engine');
  for (const name of ['Speed', 'Gear']) {
    await console.page.locator(`[data-kind="signal"][data-name="${name}"]`).click();
    await console.page.locator(`tr[data-signal="${name}"]`).waitFor();
  }
};

/** Every page, with content that makes it long or crowded. */
export const scenes: readonly Scene[] = [
  { name: 'overview', ready: 'bus-load' },
  { name: 'channels', ready: 'channel-counters' },
  {
    name: 'channels, one being opened',
    place: 'channels',
    ready: 'open-submit',
    prepare: (console) => console.by('open-channel').click(),
  },
  {
    name: 'channels, one being configured',
    place: 'channels',
    ready: 'configure-channel',
    prepare: async (console) => {
      await console.by('channels-table').locator('tr[data-channel]').first().click();
      await console.by('configure-channel').click();
    },
  },
  {
    name: 'trace, with a row that was found and a note',
    place: 'trace',
    ready: 'trace-notes',
    prepare: async (console) => {
      await console.frames('18FF50E4').first().waitFor();
      await console.by('trace-find').fill('frame 18FF50E4 on powertrain');
      await console.page.keyboard.press('Enter');
      await console.by('trace-selected').getByText('1 row selected').waitFor();
      await console.by('trace-table').focus();
      await console.page.keyboard.press('n');
      await console.by('trace-note').fill('checksum is wrong here');
      await console.page.keyboard.press('Enter');
    },
  },
  {
    name: 'trace by id, with details and streams',
    place: 'trace?view=by-id',
    ready: 'ws-diagnostics',
    prepare: async (console) => {
      await console.by('trace-table').locator('tr[data-row="frame"]:visible').first().click();
      await console.by('trace-detail').waitFor();
      await console.by('trace-streams').locator('summary').click();
    },
  },
  {
    name: 'trace of a log with wrong checksums, selected and with notes',
    place: 'trace',
    ready: 'trace-notes',
    prepare: async (console) => {
      const buffer = driveLog({ seconds: 20, corruptAtS: [3, 9, 12] });
      await console.by('trace-file').setInputFiles({ name: 'drive.blf', buffer, mimeType: '' });
      const state = console.by('trace-file-state');
      await state.and(console.page.locator('[data-state="present"]')).waitFor();
      await console.by('trace-find-checksums').click();
      await console.by('trace-find-rules').waitFor();
      await console.by('trace-find-select').click();
      await console.by('trace-selected').getByText('3 rows selected').waitFor();
      await console.by('trace-mark').click();
      await console.by('trace-note').fill('wrong checksum');
      await console.page.keyboard.press('Enter');
    },
  },
  {
    name: 'trace of a damaged file',
    place: 'trace',
    ready: 'trace-file-faults',
    prepare: async (console) => {
      const lines = Array.from({ length: 100 }, (_, at) => `(${at}.000000) can0 123#0${at % 10}`);
      const buffer = Buffer.from(`${lines.join('\n')}\n(100.000000) can0 123#0\n${lines[0]}\n`);
      const name = `${'long-name-of-a-drive-'.repeat(4)}.log`;
      await console.by('trace-file').setInputFiles({ name, buffer, mimeType: '' });
    },
  },
  {
    name: 'trace of changes, with the bits of an ID',
    place: 'trace?view=changes',
    ready: 'changes-bits',
    prepare: (console) => console.by('changes-table').locator('tr[data-id]').first().click(),
  },
  { name: 'trace of statistics', place: 'trace?view=statistics', ready: 'statistics-save' },
  { name: 'trace of payloads', place: 'trace?view=pdus', ready: 'pdus-table' },
  { name: 'signals', ready: 'signals-table', prepare: chooseSignals },
  {
    name: 'signals, measured',
    place: 'signals',
    ready: 'cursor-b',
    prepare: async (console) => {
      await console.by('signals-panes').selectOption('one');
      await console.by('signals-cursors').click();
    },
  },
  { name: 'send', ready: 'send-submit' },
  {
    name: 'send, a task from a database',
    place: 'send',
    ready: 'compose-preview',
    prepare: async (console) => {
      await console.by('send-source').getByText('From database').click();
      await console.by('send-mode').getByText('As TX task').click();
      await console.by('compose-database').selectOption('car');
      await console.by('compose-message').selectOption('Engine');
    },
  },
  {
    name: 'layout, of pages and their parts',
    place: 'layout',
    ready: 'changes-table',
    prepare: async (console) => {
      const example = join(repository, 'examples', 'bench.layout.json');
      await console.by('layout-file').setInputFiles(example);
      await console.by('layout-link').click();
      await console.by('layout-link-text').waitFor();
      await console.by('trace-filter-clear').click();
    },
  },
  { name: 'files', ready: 'remote-peer' },
  {
    name: 'files, a log being written and a trace to be replayed',
    place: 'files',
    ready: 'logging-figures',
    prepare: async (console) => {
      const lines = ['SIM00001/0', 'powertrain (SIM00001/1)', 'body-controller (SIM00001/2)'].map(
        (name, at) => `// channel ${at + 1} = ${name}\n 0.1 ${at + 1} 123 Rx d 1 01\n`,
      );
      const head = 'date Thu Jan 1 00:00:00 2026\nbase hex timestamps absolute\n';
      writeFileSync(join(console.bench.project, 'drive.asc'), head + lines.join(''));
      await console.bench.json('logging', 'start', 'log.asc');
      await console.by('replay-file').fill('drive.asc');
      await console.page.keyboard.press('Tab');
      await console.by('map-row').nth(2).waitFor();
    },
  },
  {
    name: 'recorders, one that has a trigger and files',
    place: 'recorders',
    ready: 'recorder-facts',
    prepare: async (console) => {
      await console.bench.json(
        ...['recorder', 'add', 'night-of-the-powertrain', '--split=max_bytes=65536'],
        ...['--file={bench}-{name}-{date}-{time}-{n}.asc', '--keep=max_files=24'],
        ...['--trigger=stop=silence 18FF50E4 10s,post_ms=60000'],
      );
      await console.bench.json('recorder', 'start', 'night-of-the-powertrain');
      await console.page.locator('tr[data-recorder]').click();
      await console.page.locator('tr[data-file]').first().waitFor();
    },
  },
  {
    name: 'recorders, one being added',
    place: 'recorders',
    ready: 'recorder-trigger-stop-note',
    prepare: async (console) => {
      console.watch.allow(400, /^\/api\/v1\/conditions$/);
      await console.by('recorder-add').click();
      await console.by('recorder-file').fill('night-{n}.mf4');
      await console.by('recorder-trigger-start').fill('frame 18FF50E4 on powertrain');
      await console.by('recorder-trigger-start-note').waitFor();
      await console.by('recorder-trigger-stop').fill('silence 18FF50E4 or');
    },
  },
  {
    name: 'checks, with a violation',
    place: 'checks',
    ready: 'check-violation',
    prepare: async (console) => {
      const times = [0, 0.02, 0.04, 0.066, 0.08, 0.1];
      const lines = times.map(
        (time) => ` ${time.toFixed(6)} 1 18FF50E4x Rx d 8 10 00 00 00 00 00 00 00\n`,
      );
      const head = 'date Thu Jan 1 00:00:00 2026\nbase hex timestamps absolute\n';
      writeFileSync(join(console.bench.project, 'late.asc'), head + lines.join(''));
      await console.by('check-trace').fill('late.asc');
      await console.by('check-lines').fill('never gap\ncycle 18FF50E4 20ms +-10%\nload < 60%');
      await console.by('check-bitrate').fill('500k');
      await console.by('check-start').click();
    },
  },
  { name: 'instances', ready: 'gateway-counters-table', prepare: runDegraded },
  {
    name: 'instances, a database being imported',
    place: 'instances',
    ready: 'import-result',
    prepare: async (console) => {
      await console.page.getByText('Import a database').click();
      await console.by('import-file').selectOption('car.dbc');
      await console.by('import-network').fill('car');
      await console.by('import-stale').fill('500');
      await console.by('import-submit').click();
    },
  },
  {
    name: 'flow, with a signal selected',
    place: 'flow?instance=pump&node=signal:pump',
    ready: 'flow-value',
  },
  {
    name: 'flow, as a table',
    place: 'flow?instance=pump',
    ready: 'flow-table',
    prepare: (console) => console.by('flow-face').getByText('Table').click(),
  },
  {
    name: 'tasks and signals',
    place: 'gateway-signals?instance=pump',
    ready: 'set-control',
    prepare: (console) => console.page.locator('tr[data-signal="pump"]').first().click(),
  },
  { name: 'editor', ready: 'editor-create' },
  {
    name: 'editor, a row with a problem',
    place: 'editor?file=pump.gwproj',
    ready: 'editor-problems',
    prepare: async ({ page }) => {
      await page.locator('[data-table="bindings"]').click();
      await page.locator('tr[data-row="speed.rx"] [data-cell="signal"]').click();
      await page.keyboard.press('Enter');
      await page.keyboard.type('s');
      await page.keyboard.press('Enter');
    },
  },
  {
    name: 'editor, the flow',
    place: 'editor?file=pump.gwproj',
    ready: 'flow-filter',
    prepare: (console) => console.by('editor-view').getByText('Flow').click(),
  },
  {
    name: 'editor, the changes',
    place: 'editor?file=pump.gwproj',
    ready: 'editor-changes',
    prepare: (console) => console.by('editor-view').getByText('Changes').click(),
  },
  {
    name: 'editor, cells that another program changed too',
    place: 'editor?file=pump.gwproj',
    ready: 'editor-merge',
    prepare: async (console) => {
      console.watch.allow(409, /^\/api\/v1\/files\/pump\.gwproj$/);
      const path = join(console.bench.project, 'pump.gwproj');
      const other = readFileSync(path, 'utf8').replace('"signal":"speed"', '"signal":"pump"');
      writeFileSync(path, other);
      await console.by('editor-save').click();
    },
  },
  {
    name: 'faults',
    place: 'faults?instance=pump',
    ready: 'fault-banner',
    prepare: (console) => console.by('fault-switch').click(),
  },
  {
    name: 'modbus, with a server and what it answered',
    place: 'modbus',
    ready: 'modbus-wire',
    prepare: async (console) => {
      const { address } = await console.bench.json<{ address: string }>(
        ...['modbus', 'serve', '--endpoint=tcp:127.0.0.1:0', '--unit=1'],
      );
      await console.page.locator(`tr[data-server="${address}"]`).waitFor();
      await console.by('modbus-serve').click();
      await console.by('modbus-endpoint').fill(address);
      await console.by('modbus-line').locator('summary').click();
      await console.by('modbus-trace').check();
      await console.by('modbus-send').click();
    },
  },
  {
    name: 'diagnostics, with values and a selected identifier',
    place: 'diagnostics',
    ready: 'did-write',
    prepare: async (console) => {
      await serveEngine(console);
      await console.by('refresh').click();
      await console.page.locator('tr[data-ecu="engine"]').click();
      await console.by('did-read-all').click();
      await console.cellSays('data-did="F190"', 'value', 'WBUSBAR');
      await console.page.locator('tr[data-did="0200"] [data-field="name"]').click();
      await console.by('uds-data').fill('22 F1 90');
      await console.by('uds-send').click();
      await console.by('uds-answer').waitFor();
    },
  },
  {
    name: 'diagnostics, trouble codes with a snapshot',
    place: 'diagnostics',
    ready: 'dtc-snapshot',
    prepare: async (console) => {
      await console.by('ecu-view').getByText('Trouble codes').click();
      await console.by('dtc-read').click();
      await console.page.locator('tr[data-dtc="012345"]').click();
      await console.by('dtc-clear').click();
    },
  },
  {
    name: 'diagnostics, services and the forms of links and simulated ECUs',
    place: 'diagnostics',
    ready: 'session-answer',
    prepare: async (console) => {
      await console.by('ecu-view').getByText('Services').click();
      await console.by('session-submit').click();
      await console.by('link-open').click();
      await console.by('link-more').check();
      await console.by('serve-open').click();
    },
  },
  {
    name: 'diagnostics, an ECU that was flashed',
    place: 'diagnostics',
    ready: 'flash-report',
    prepare: async (console) => {
      await console.by('ecu-view').getByText('Flash').click();
      await console.by('flash-file').fill('image.bin');
      await console.by('flash-sequence').fill('steps.json');
      await console.by('flash-address').fill('0x08000000');
      await console.by('flash-start').click();
    },
  },
  {
    name: 'typed API',
    place: 'api?operation=message.send',
    ready: 'answer-body',
    prepare: async (console) => {
      await console.by('template-full').click();
      await console.by('send-request').click();
    },
  },
  { name: 'operations', place: 'api?view=operations', ready: 'operation-detail' },
  { name: 'metrics', place: 'api?view=metrics', ready: 'metrics-table' },
  { name: 'capabilities', place: 'api?view=capabilities', ready: 'limits' },
];
