import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Client from '../../clients/typescript/src/index.ts';
import { hasBrowser, sharedBrowser } from '../support/browser.ts';
import { repository, Workbench } from '../support/workbench.ts';

declare global {
  // Global name of the client's bundle in the page.
  var busbarClient: typeof Client;
  var location: { readonly origin: string };
}

const token = 'letmein-9';

/** The client as one script, as in a user's own page. */
const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(repository, 'clients', 'typescript', 'src', 'index.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'busbarClient',
    platform: 'browser',
  });
  return outputFiles[0]?.text ?? '';
};

/** Two streams of a channel; the test reads identifiers from either at any time. */
const follow = (page: Page): Promise<void> =>
  page.evaluate(async (key) => {
    const { Bench, isGap } = busbarClient;
    const bench = new Bench(location.origin, { token: key });
    await bench.call('channel.open', { channel: 'SIM00001/0', name: 'tester' });
    await bench.call('channel.open', { channel: 'SIM00001/1', name: 'monitor' });
    const chosen = { channel: ['monitor'] };
    const streams = [await bench.frames(chosen), await bench.binaryFrames(chosen)];
    const next = async (): Promise<(number | string)[]> => {
      const items = await Promise.all(streams.map((stream) => stream.next()));
      return items.map(({ done, value }) => (done ? 'end' : isGap(value) ? value.gap : value.id));
    };
    Object.assign(globalThis, { benchOfPage: bench, nextOfBoth: next });
  }, token);

const nextOfBoth = (page: Page): Promise<(number | string)[]> =>
  page.evaluate('nextOfBoth()') as Promise<(number | string)[]>;

describe.runIf(hasBrowser())('the TypeScript client in a browser', () => {
  const service = new Workbench();
  let page: Page;
  let port = 0;

  const startWeb = async (): Promise<void> => {
    const options = [`--listen=127.0.0.1:${port}`, `--token=${token}`];
    const { listen } = await service.json<{ listen: string }>('web', 'start', ...options);
    port = Number(listen.split(':')[1]);
  };

  beforeAll(async () => {
    await startWeb();
    // The console allows no other scripts; this is a page of another server.
    const context = await (await sharedBrowser()).newContext({ bypassCSP: true });
    page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/docs/`);
    await page.addScriptTag({ content: await bundle() });
    return () => context.close();
  });
  afterAll(() => service.dispose());

  it('carries out operations, and follows both streams over a stop of the Web service', async () => {
    await follow(page);
    await service.json('message', 'send', 'tester', '200#01');
    expect(await nextOfBoth(page)).toEqual([0x200, 0x200]);
    await service.json('web', 'stop');
    await service.json('message', 'send', 'tester', '201#01');
    await startWeb();
    expect(await nextOfBoth(page)).toEqual([0x201, 0x201]);
  });

  it('tells refusals by their code, also of a wrong token', async () => {
    const refused = await page.evaluate(async (key) => {
      const { Bench, BusbarError } = busbarClient;
      const codeOf = (error: unknown): string =>
        error instanceof BusbarError ? error.code : String(error);
      const known = new Bench(location.origin, { token: key });
      const stranger = new Bench(location.origin, { token: 'another' });
      return Promise.all([
        known.call('channel.open', { channel: 'NOBODY/0' }).catch(codeOf),
        stranger.call('info').catch(codeOf),
        stranger.frames().catch(codeOf),
      ]);
    }, token);
    expect(refused).toEqual(['channel_not_found', 'unauthorized', 'unauthorized']);
  });
});
