import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { patiently } from '../support/modbus-rig.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';

/** Serves all of unit 1 on a free port; returns the endpoint. */
const serve = async (console: ConsolePage): Promise<string> => {
  const server = await console.bench.json<{ address: string }>(
    ...['modbus', 'serve', '--endpoint=tcp:127.0.0.1:0', '--unit=1'],
  );
  return server.address;
};

describe.runIf(hasBrowser())('the Modbus page', () => {
  const freshConsole = reuseConsole();

  it('serves registers, shows them as they change in any type, and stops with its server', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await console.open('modbus');
    await console.says('modbus-servers', 'No servers');
    await console.by('modbus-serve').click();
    await console.by('modbus-serve-place').fill('tcp:127.0.0.1:0');
    await console.by('modbus-serve-unit').fill('seven');
    await console.by('modbus-serve-submit').click();
    await page.locator('[data-testid="modbus-serve-unit"][aria-invalid="true"]').waitFor();
    await console.by('modbus-serve-unit').fill('0x07');
    await console.by('modbus-serve-submit').click();
    const row = page.locator('tr[data-server]');
    await row.filter({ hasText: 'listening' }).waitFor();
    const endpoint = (await row.getAttribute('data-server')) ?? '';

    await console.cellSays('data-address="3"', 'reference', '40004');
    await console.cellSays('data-address="3"', 'value', /^0$/);
    const write = (...items: string[]) =>
      bench.json('modbus', 'write', `--endpoint=${endpoint}`, '--unit=7', patiently, ...items);
    await write('--table=holding', '--address=3', '--value=4242');
    await console.cellSays('data-address="3"', 'value', '4242');
    await console.cellSays('data-address="3"', 'registers', '1092');
    await console.by('registers-hex').check();
    await console.cellSays('data-address="3"', 'value', '0x1092');
    await console.by('registers-hex').uncheck();

    await write('--table=holding', '--address=2', '--type=f32', '--order=CDAB', '--value=-1.5');
    await console.by('registers-type').selectOption('f32');
    await console.by('registers-order').selectOption('CDAB');
    await console.cellSays('data-address="2"', 'value', /^-1.5$/);
    await write('--table=holding', '--address=4', '--type=f64', '--value=0.30000000000000004');
    await console.by('registers-count').fill('4');
    await console.by('registers-type').selectOption('f64');
    await console.by('registers-order').selectOption('ABCD');
    await console.cellSays('data-address="4"', 'value', /^0.3$/);
    await page.getByTitle('0.30000000000000004').waitFor();
    await console.by('registers-table').getByText('Coils').click();
    await write('--table=coil', '--address=1', '--value=true');
    await console.cellSays('data-address="1"', 'value', 'true');
    await console.by('registers-count').fill('0');
    await page.locator('[data-testid="registers-count"][aria-invalid="true"]').waitFor();
    await console.by('registers-count').fill('4');
    await console.by('registers-address').fill('65535');
    await console.says('registers-error', 'invalid_argument');
    await console.by('registers-address').fill('0');
    await console.by('registers-error').waitFor({ state: 'detached' });

    // Another client stops it.
    await bench.json('modbus', 'stop', `--endpoint=${endpoint}`);
    await row.waitFor({ state: 'detached' });
    await console.says('registers', 'No server is running');
    expect(console.errors).toEqual([]);
  });

  it('reads, writes and scans any endpoint, and tells what it was answered', async () => {
    const console = await freshConsole();
    const { page } = console;
    const endpoint = await serve(console);
    await console.open('modbus');
    console.watch.allow(502, /^\/api\/v1\/modbus\/write$/);
    console.watch.allow(504, /^\/api\/v1\/modbus\/read$/);
    await console.by('modbus-endpoint').fill(endpoint);
    await console.by('modbus-mode').getByText('Write').click();
    await console.by('modbus-address').fill('0x10');
    await console.by('modbus-type').selectOption('s32');
    await console.by('modbus-values').fill('-2, 100000');
    await console.by('modbus-line').locator('summary').click();
    await console.by('modbus-trace').check();
    await console.by('modbus-send').click();
    await console.says('modbus-answer', '2 values written to unit 1');
    await console.says('modbus-answer-values', 'FFFF FFFE');
    await console.says('modbus-wire', '00 01 86 A0');

    await console.by('modbus-mode').getByText('Read').click();
    await console.by('modbus-naming').getByText('Reference').click();
    await console.by('modbus-reference').fill('40019');
    await console.by('modbus-send').click();
    await console.says('modbus-answer-values', '100000');
    const session = `data-session="${endpoint}"`;
    await console.cellSays(session, 'state', 'open');
    await console.cellSays(session, 'requests', /^[2-9]/);
    await console.cellSays(session, 'p50', /µs|ms/);

    // The form for a table value is filled in with its type and address.
    await console.by('registers-address').fill('18');
    await page.locator('tr[data-address="0"]').waitFor({ state: 'detached' });
    await page.locator('tr[data-address="19"]').click();
    await expect(console.by('modbus-values').inputValue()).resolves.toBe('34464');
    await console.by('modbus-writes').getByText('Register bits').click();
    await console.by('modbus-bits').fill('0=1 16=1');
    await console.by('modbus-send').click();
    await page.locator('[data-testid="modbus-bits"][aria-invalid="true"]').waitFor();
    await console.by('modbus-bits').fill('0=1');
    await console.by('modbus-send').click();
    await console.says('modbus-answer', '1 value written to unit 1');
    await console.cellSays('data-address="19"', 'value', '34465');

    await console.by('modbus-mode').getByText('Scan').click();
    await console.by('modbus-units').fill('1-2');
    await console.by('modbus-timeout').fill('1000');
    await console.by('modbus-send').click();
    await console.says('modbus-scanned', '1 unit found at');
    await page.locator('tr[data-unit="1"]').filter({ hasText: 'answering' }).waitFor();
    await console.says('modbus-silent', 'No answer: 2');

    await console.by('modbus-mode').getByText('Read').click();
    await console.by('modbus-unit').fill('9');
    await console.by('modbus-send').click();
    await console.says('modbus-request-error', 'modbus_timeout');
    await console.says('modbus-units', 'silent');
    expect(console.errors).toEqual([]);
  });

  itLong('scans with progress, shows what was found meanwhile, and can be cancelled', async () => {
    const console = await freshConsole();
    const endpoint = await serve(console);
    await console.open('modbus');
    await console.by('modbus-endpoint').fill(endpoint);
    await console.by('modbus-mode').getByText('Scan').click();
    await console.by('modbus-line').locator('summary').click();
    // The second unit is silent for the maximum delay.
    await console.by('modbus-timeout').fill('60000');
    await console.by('modbus-send').click();
    await console.says('modbus-scan-progress', '1 of 247 units');
    await console.says('modbus-scanned', '1 unit found at');
    await console.by('modbus-scan-cancel').click();
    await console.says('modbus-scanned', 'Stopped after 1 of 247 units.');
    await console.by('modbus-scan-progress').waitFor({ state: 'detached' });
    expect(await console.by('modbus-request-error').count()).toBe(0);
    expect(console.errors).toEqual([]);
  });

  itLong('marks what it knows as old while the service is away, and needs its token', async () => {
    const token = 'a-token-of-some-length';
    const console = await freshConsole(`--token=${token}`);
    const { page } = console;
    console.watch.allow(401, /^\/api\/v1\//);
    const endpoint = await serve(console);
    await page.goto(`http://${console.listen}/#modbus`);
    await page.locator('#token').fill(token);
    await page.keyboard.press('Enter');
    await console.says('connection', 'Live');
    const row = page.locator(`tr[data-server="${endpoint}"]`);
    await row.waitFor();
    const stale = console.by('registers').locator('> header [data-state="stale"]');
    await console.stopService();
    await stale.waitFor();
    await row.waitFor();
    await console.startService();
    await stale.waitFor({ state: 'detached' });
    await console.bench.json(
      ...['modbus', 'write', `--endpoint=${endpoint}`, '--unit=1', '--table=holding'],
      ...['--address=0', '--value=77', patiently],
    );
    await console.cellSays('data-address="0"', 'value', '77');
    expect(console.errors).toEqual([]);
  });
});
