import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';
import { nameEcus, serveEngine } from './support/simulated-ecu.ts';

describe.runIf(hasBrowser())('the diagnostics page', () => {
  const freshConsole = reuseConsole();

  const withEngine = async (): Promise<ConsolePage> => {
    const console = await freshConsole();
    await serveEngine(console);
    await console.open('diagnostics');
    await console.page.locator('tr[data-ecu="engine"]').click();
    return console;
  };

  it('reads identifiers at once or live, and writes them', async () => {
    const console = await withEngine();
    const { page } = console;
    await console.cellSays('data-ecu="engine"', 'state', 'closed');
    await console.by('did-read-all').click();
    await console.cellSays('data-did="F190"', 'value', 'WBUSBAR0000000001');
    await console.cellSays('data-did="F190"', 'name', 'vin');
    await console.cellSays('data-did="0200"', 'value', '0x31 request out of range');
    await console.cellSays('data-ecu="engine"', 'state', 'open');

    const cycles = page.locator('tr[data-did="0100"]');
    await cycles.getByTestId('did-live').check();
    await console.says('did-live-count', '1 of at most 16 live');
    await console.cellSays('data-did="0100"', 'value', /^[2-9]$/);
    await cycles.getByTestId('did-live').uncheck();

    await page.locator('tr[data-did="F18C"] [data-field="name"]').click();
    await console.by('did-value').fill('00A');
    console.watch.allow(400, /\/write$/);
    await console.by('did-write').click();
    await page.locator('[data-testid="did-value"][aria-invalid="true"]').waitFor();
    await console.by('did-value').fill('00A6');
    await console.by('did-write').click();
    await console.cellSays('data-did="F18C"', 'value', '00A6');
    await page.locator('tr[data-did="F190"] [data-field="name"]').click();
    await console.by('did-write').click();
    await console.says('did-refusal', 'Negative response: 0x31 request out of range');

    await console.by('did-add').fill('F1');
    await console.by('did-add-submit').click();
    await console.cellSays('data-did="00F1"', 'value', '0x31');
    await page.locator('tr[data-did="00F1"] [data-field="name"]').click();
    await console.by('did-remove').click();
    await page.locator('tr[data-did="00F1"]').waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  it('lists trouble codes with their snapshots, and clears them once that is confirmed', async () => {
    const console = await withEngine();
    const { page } = console;
    await console.by('ecu-view').getByText('Trouble codes').click();
    await console.by('dtc-read').click();
    await console.cellSays('data-dtc="012345"', 'text', 'P0123-45');
    await console.cellSays('data-dtc="012345"', 'bits', 'confirmed');
    await page.locator('tr[data-dtc="012345"]').click();
    await console.says('dtc-snapshot', /F18C\s*serial\s*00A5/);
    await console.says('dtc-extended', '05');
    await console.by('dtc-report').selectOption('Confirmed');
    await console.by('dtc-clear').click();
    await console.says('dtc-clear-question', 'Clear all trouble codes of engine');
    await page.locator('tr[data-ecu="door"]').click();
    await console.by('dtc-clear-question').waitFor({ state: 'detached' });
    await page.locator('tr[data-ecu="engine"]').click();
    await console.by('dtc-clear-confirm').click();
    await console.says('dtc-cleared', 'Cleared.');
    await console.says('dtc-count', '0 codes');
    await console.says('uds-requests-table', /14 FF FF FF/);
    expect(console.errors).toEqual([]);
  });

  itLong('changes session and security, which last while tester present is sent', async () => {
    const console = await withEngine();
    const { page } = console;
    await page.getByRole('switch', { name: 'Tester present to engine' }).click();
    await page.locator('[role="switch"][aria-checked="true"]').waitFor();
    await console.by('ecu-view').getByText('Services').click();
    await console.by('session').fill('eternal');
    await console.by('session-submit').click();
    await page.locator('[data-testid="session"][aria-invalid="true"]').waitFor();
    await console.by('session').fill('extended');
    await console.by('session-submit').click();
    await console.says('session-answer', 'Session 3 extended');
    await console.cellSays('data-ecu="engine"', 'session', '3 extended');
    await console.by('security-submit').click();
    await console.says('security-answer', 'The seed is DE AD BE EF');
    await console.by('security-key').fill('CAFE');
    await console.by('security-submit').click();
    await console.says('security-answer', 'Level 1 is unlocked');
    await console.cellSays('data-ecu="engine"', 'security', 'level 1');
    await console.by('routine-id').fill('0203');
    await console.by('routine-submit').click();
    await console.says('routine-answer', 'Routine 0203 start: FF');
    await console.by('reset-submit').click();
    await console.says('reset-answer', 'The ECU resets');
    await console.cellSays('data-ecu="engine"', 'session', '1 default');
    expect(console.errors).toEqual([]);
  });

  itLong('flashes an image with progress and a report, and cancels', async () => {
    const console = await withEngine();
    const { page } = console;
    await console.by('ecu-view').getByText('Flash').click();
    await console.by('flash-file').fill('image.bin');
    await console.by('flash-sequence').fill('steps.json');
    await console.by('flash-start').click();
    await page.locator('[data-testid="flash-address"][aria-invalid="true"]').waitFor();
    await console.by('flash-address').fill('0x08000000');
    await console.by('flash-start').click();
    const job = page.locator('tr[data-job]').first();
    await job.filter({ hasText: 'succeeded' }).waitFor();
    await console.says('flash-report', /image.bin by steps.json: 4 KiB in 1 segment/);
    await console.says('flash-report', /session.*security.*download.*reset/);

    // So long that it does not end before it is cancelled.
    await console.by('flash-file').fill('long.bin');
    await console.by('flash-start').click();
    await console.says('flash-progress', /of 64 KiB, step/);
    await console.by('flash-cancel').click();
    await job.filter({ hasText: 'cancelled' }).waitFor();
    await console.by('flash-progress').waitFor({ state: 'detached' });
    await console.by('flash-file').fill('none.hex');
    await console.by('flash-start').click();
    await job.filter({ hasText: 'file_not_found' }).waitFor();
    expect(console.errors).toEqual([]);
  });

  it('sends any request, explains it while it is typed, and keeps a history in words', async () => {
    const console = await withEngine();
    const { page } = console;
    await console.by('uds-send').click();
    await page.locator('[data-testid="uds-data"][aria-invalid="true"]').waitFor();
    await console.by('uds-data').fill('22 f1 90');
    await console.by('uds-form').getByText('ReadDataByIdentifier F190').waitFor();
    await page.keyboard.press('Enter');
    await console.says('uds-answer', 'Positive response to ReadDataByIdentifier F190');
    await console.by('uds-data').fill('2E F1 90 00');
    await page.keyboard.press('Enter');
    await console.says('uds-answer', '0x31 request out of range');
    await page.locator('tr[data-outcome="negative"]').waitFor();
    await console.by('uds-data').fill('10 01');
    await console.by('uds-functional').check();
    await console.by('uds-send').click();
    await console.says('uds-answer', '7E8: Positive response to DiagnosticSessionControl');
    await page.locator('tr[data-outcome="positive"]').first().click();
    await expect(console.by('uds-data').inputValue()).resolves.toBe('22 f1 90');

    console.watch.allow(504, /\/requests$/);
    await page.locator('tr[data-ecu="door"]').click();
    await console.by('uds-send').click();
    await console.says('uds-error', 'no_response');
    await console.says('uds-error', 'Check that the ECU is powered');
    await console.by('uds-clear').click();
    await console.says('uds-requests', 'No requests yet');
    expect(console.errors).toEqual([]);
  });

  itLong('opens and closes links, and simulates an ECU for one', async () => {
    const console = await freshConsole();
    const { page } = console;
    nameEcus(console);
    await console.open('diagnostics');
    await console.by('link-open').click();
    await console.by('link-channel').selectOption('SIM00001/1');
    await console.by('link-name').fill('gearbox');
    await console.by('link-request-id').fill('7E2');
    await console.by('link-response-id').fill('7EX');
    await console.by('link-submit').click();
    await page.locator('[data-testid="link-response-id"][aria-invalid="true"]').waitFor();
    await console.by('link-response-id').fill('7EA');
    await console.by('link-submit').click();
    await console.cellSays('data-ecu="gearbox"', 'state', 'open');
    await console.says('link-facts', '7E2 → 7EA');

    await console.by('serve-open').click();
    await console.by('serve-file').fill('engine.json');
    await console.by('serve-channel').selectOption('SIM00001/0');
    await console.by('serve-request-id').fill('7E2');
    await console.by('serve-response-id').fill('7EA');
    await console.by('serve-submit').click();
    const simulated = page.locator('tr[data-simulated]');
    await simulated.waitFor();
    await console.by('did-add').fill('F190');
    await page.keyboard.press('Enter');
    await console.cellSays('data-did="F190"', 'value', /^5742/);
    await simulated.getByText('Stop').click();
    await simulated.waitFor({ state: 'detached' });

    await page.locator('tr[data-ecu="gearbox"]').click();
    await console.by('link-close').click();
    await page.locator('tr[data-ecu="gearbox"]').waitFor({ state: 'detached' });
    await console.says('ecu', 'There is no ECU gearbox now.');
    expect(console.errors).toEqual([]);
  });

  itLong('offers its views and ECUs in the palette', async () => {
    const console = await withEngine();
    const { page } = console;
    await console.open('overview');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').locator('input').fill('read trouble codes');
    await page.keyboard.press('Enter');
    await console.cellSays('data-dtc="C10055"', 'text', 'U0100-55');
    expect(console.errors).toEqual([]);
  });
});
