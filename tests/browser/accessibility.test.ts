import { describe, expect, it } from 'vitest';
import { isLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { type ConsolePage, setUpConsole } from './support/console-page.ts';
import { focusStops } from './support/focus-stops.ts';
import { runDegraded } from './support/gateway-projects.ts';
import { serveEngine } from './support/simulated-ecu.ts';

/**
 * The pages, with the elements that show when they are ready and those that the tab key must
 * reach.
 */
const pages = [
  ['overview', 'bus-load', ['overview-plot']],
  ['channels', 'channel-counters', ['open-channel', 'channels-table', 'configure-channel']],
  ['trace', 'trace-table', ['trace-toggle', 'trace-pause', 'trace-filter-id', 'trace-table']],
  ['signals', 'signal-tree', ['signal-channel', 'signal-search', 'signal-tree', 'signals-toggle']],
  ['send', 'raw-frame', ['send-channel', 'send-id', 'send-data', 'send-submit', 'route-add']],
  ['files', 'databases-table', ['database-file', 'database-load', 'logging-start', 'replay-start']],
  ['recorders', 'recorders-table', ['recorder-add', 'recorders-table']],
  ['checks', 'check-start', ['check-trace', 'check-lines', 'check-start', 'check-jobs-table']],
  ['instances', 'gateway-counters-table', ['instances-table', 'load-name', 'projects-table']],
  [
    'flow?instance=pump',
    'flow-drawing',
    ['instance-choice', 'flow-search', 'flow-fold-all', 'flow-drawing', 'flow-fit'],
  ],
  [
    'gateway-signals?instance=pump',
    'task-timings',
    ['instance-choice', 'gateway-signal-search', 'gateway-signals-table', 'gateway-tasks-table'],
  ],
  ['faults?instance=pump', 'faults-table', ['instance-choice', 'fault-switch']],
  ['modbus', 'modbus-request', ['modbus-endpoint', 'modbus-unit', 'modbus-send', 'modbus-serve']],
  [
    'diagnostics',
    'did-read-all',
    ['ecus-table', 'link-open', 'did-add', 'did-read-all', 'uds-data', 'uds-send'],
  ],
  ['api', 'picker-table', ['picker-search', 'picker-table', 'send-request', 'copy-curl']],
] as const;

describe.runIf(isLong && hasBrowser())('every page of the console', () => {
  const setUp = async (): Promise<ConsolePage> => {
    const console = await setUpConsole();
    await console.loadDatabase();
    await console.send('100#4006030000000000', '--count=5');
    await runDegraded(console);
    await serveEngine(console);
    await console.open();
    return console;
  };

  it('leads the tab key to its controls in the order in which they stand, each marked', async () => {
    const console = await setUp();
    const { page } = console;
    for (const [name, ready, wanted] of pages) {
      await page.goto(`http://${console.listen}/#${name}`);
      await console.by(ready).waitFor();
      // Later responses would move the elements.
      await console.isAllAnswered();
      const stops = await focusStops(page);
      const names = stops.map((stop) => stop.name);
      expect(names[0], name).toBe('Skip to content');
      expect(
        wanted.map((each) => names.indexOf(each)),
        `${name}: ${names.join(', ')}`,
      ).not.toContain(-1);
      const places = stops.map(({ place }) => place);
      expect(places, name).toEqual([...places].sort((one, other) => one - other));
      expect(
        stops.filter(({ isMarked }) => !isMarked).map((stop) => `${name}: ${stop.name}`),
      ).toEqual([]);
    }
    expect(console.errors).toEqual([]);
  });
});
