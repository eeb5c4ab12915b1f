import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { reuseConsole } from './support/console-page.ts';
import { clipboardText } from './support/in-page.js';

interface Document {
  readonly paths: Record<string, Record<string, Record<string, unknown>>>;
}

const token = 'right-token';

const newOperation = {
  operationId: 'lamp.set',
  summary: 'Set the lamp',
  requestBody: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['brightness'],
          properties: { brightness: { type: 'integer', minimum: 7 }, colour: { type: 'string' } },
        },
      },
    },
  },
};

describe.runIf(hasBrowser())('the API page', () => {
  const freshConsole = reuseConsole();

  it('offers the operations and body templates that the running service publishes', async () => {
    const console = await freshConsole();
    const { page } = console;
    await page.route('**/api/v1/openapi.json', async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as Document;
      document.paths['/api/v1/lamp'] = { post: newOperation };
      delete document.paths['/api/v1/bench'];
      await route.fulfill({ response, json: document });
    });
    await console.open('api');
    await console.by('picker-search').fill('lamp');
    await console.says('picker-count', /^1 of/);
    await page.locator('tr[data-operation="lamp.set"]').click();
    await console.says('request-line', 'POST /api/v1/lamp');
    await console.by('template-short').click();
    const body = JSON.parse(await console.by('request-body').inputValue());
    expect(Object.keys(body)).toEqual(['brightness']);
    await console.by('template-full').click();
    const full = JSON.parse(await console.by('request-body').inputValue());
    expect(Object.keys(full)).toEqual(['brightness', 'colour']);
    await console.by('request-body').fill('{"brightness": 3}');
    await console.by('send-request').click();
    await console.says('body-problems', 'Must be at least 7');
    expect(console.requests).not.toContain('POST /api/v1/lamp');
    await console.by('picker-search').fill('bench.show');
    await console.says('picker-count', /^0 of/);

    await page.unroute('**/api/v1/openapi.json');
    await console.by('refresh').click();
    await console.says('picker-count', /^1 of/);
    await console.by('picker-search').fill('lamp');
    await console.says('picker-count', /^0 of/);
    expect(console.errors).toEqual([]);
  });

  it('carries out an operation and shows the answer, or why it was refused', async () => {
    const console = await freshConsole();
    await console.open('api?operation=channel.show');
    await console.by('parameter-selector').fill('powertrain');
    await console.by('send-request').click();
    await console.says('answer-status', '200');
    await console.says('answer-body', '"selector": "SIM00001/1"');
    console.watch.allow(404, /^\/api\/v1\/channels\/nobody$/);
    await console.by('parameter-selector').fill('nobody');
    await console.by('send-request').click();
    await console.by('answer-error').waitFor();
    await console.says('answer-status', /4\d\d/);
    expect(console.errors).toEqual([]);
  });

  itLong('copies a request as a curl command for this very service', async () => {
    const console = await freshConsole();
    const { page } = console;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await console.open('api?operation=channel.show');
    await console.by('parameter-selector').fill('powertrain');
    await console.by('copy-curl').click();
    await page.getByText('Copied').waitFor();
    const text = await page.evaluate(clipboardText);
    expect(text).toContain('curl');
    expect(text).toContain(`http://${console.listen}/api/v1/channels/powertrain`);
    expect(console.errors).toEqual([]);
  });

  const runsAsCopied = async (options: readonly string[], wanted: string | null): Promise<void> => {
    const console = await freshConsole(...options);
    const { bench, page } = console;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    if (wanted !== null) console.watch.allow(401, /^\/api\/v1\/health$/);
    await page.goto(`http://${console.listen}/#api?operation=database.load`);
    if (wanted !== null) {
      await page.locator('#token').fill(wanted);
      await page.keyboard.press('Enter');
    }
    const file = `driver's "door" $HOME.dbc`;
    writeFileSync(join(bench.project, file), 'VERSION ""\n\nBU_: Car\n');
    const body = { file, name: 'doors' };
    await console.by('request-body').fill(JSON.stringify(body));
    await console.by('copy-curl').click();
    await page.getByText('Copied').waitFor();
    const command = await page.evaluate(clipboardText);
    expect(command).not.toContain(token);
    await expect(console.by('curl-hint').count()).resolves.toBe(wanted === null ? 0 : 1);
    const { stdout } = await promisify(execFile)('bash', ['-c', command], {
      env: { PATH: process.env.PATH, BUSBAR_TOKEN: wanted ?? '' },
    });
    expect(JSON.parse(stdout)).toMatchObject({ file, name: 'doors' });
    expect(console.errors).toEqual([]);
  };

  it('copies a curl command that bash runs as it is, with a token', () =>
    runsAsCopied([`--token=${token}`], token));
  itLong('copies a curl command that bash runs as it is, without a token', () =>
    runsAsCopied([], null),
  );

  it('lists every operation with its contract, and the metrics', async () => {
    const console = await freshConsole();
    const { bench, page } = console;
    await console.open('api?view=operations');
    const { operations } = await bench.json<{ operations: object[] }>('operation', 'list');
    await console.says('operations-count', `${operations.length} of ${operations.length}`);
    await console.by('operations-search').fill('web start');
    await page.locator('tr[data-operation="web.start"]').click();
    await console.says('operation-detail', 'history_capacity');
    await page.locator('a[href="#api?view=metrics"]').click();
    await console.says('metrics-count', /[1-9]\d* of [1-9]\d*/);
    await console.by('refresh-metrics').click();
    await console.by('metrics-search').fill('no_such_metric');
    await console.says('metrics-count', /^0 of/);
    expect(console.errors).toEqual([]);
  });
});
