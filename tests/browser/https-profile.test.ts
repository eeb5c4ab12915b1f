import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { hasBrowser, patienceMs, sharedBrowser } from '../support/browser.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually, Workbench } from '../support/workbench.ts';
import {
  caddy,
  caddyProfile,
  freePort,
  nginx,
  nginxProfile,
  proxyPatienceS,
  TlsProxy,
} from './support/tls-proxy.ts';

const token = 'a-token-for-the-proxy';
const bearer = { Authorization: `Bearer ${token}` };
const tooLarge = Buffer.alloc(64 * 1024 + 1, ' ');

type Answer = Awaited<ReturnType<TlsProxy['ask']>>;

/** Error of the proxy itself, whose id is in the header exactly once. */
const errorOf = ({ headers, text }: Answer): unknown => {
  const { error, request_id } = JSON.parse(text);
  expect(request_id).toMatch(/^[\da-f-]{32,36}$/);
  expect(headers['x-request-id']).toBe(request_id);
  return error;
};

/** Responses of the proxy and of the service to a body that is too large. */
const sendTooLarge = async (
  proxy: TlsProxy,
  listen: string,
  authorization: object,
  framing: object = {},
) => {
  const headers = { ...authorization, 'Content-Type': 'application/json' };
  const refused = await proxy.ask(
    '/api/v1/channels',
    { method: 'POST', headers: { ...headers, ...framing } },
    tooLarge,
  );
  const direct = await fetch(`http://${listen}/api/v1/channels`, {
    method: 'POST',
    headers,
    body: tooLarge,
  });
  const own = (await direct.json()) as { error: unknown };
  return { refused, direct: { status: direct.status, error: own.error } };
};

const framings = [
  ['at once', { 'Content-Length': String(tooLarge.length) }],
  ['in pieces', { 'Transfer-Encoding': 'chunked' }],
] as const;

describe.runIf(hasPeer(nginx, 'nginx-light') && hasBrowser())('nginx with the profile', () => {
  const bench = new Workbench();
  let proxy: TlsProxy;
  let listen: string;
  /** Open during the whole test. */
  let events: IncomingMessage;
  let eventText = '';
  let frames: WebSocket;
  let frameCount = 0;
  let openedAt: number;

  beforeAll(async () => {
    ({ listen } = await bench.startWeb(`--token=${token}`));
    for (const port of [0, 1]) await bench.json('channel', 'open', `SIM00001/${port}`);
    proxy = new TlsProxy(join(bench.project, 'proxy'), [await freePort(), await freePort()]);
    await proxy.start(nginxProfile, listen);

    openedAt = performance.now();
    const path = '/api/v1/messages/stream?channel=SIM00001/1';
    events = await proxy.open(path, { headers: bearer });
    events.setEncoding('utf8').on('data', (text: string) => {
      eventText += text;
    });
    frames = new WebSocket(
      `wss://127.0.0.1:${proxy.port}/api/v1/messages/ws?channel=SIM00001/1`,
      ['svc.frames.v2', `svc.token.${token}`],
      { ca: proxy.certificate, perMessageDeflate: false },
    );
    frames.on('message', () => {
      frameCount++;
    });
    await once(frames, 'open');
  });
  afterAll(async () => {
    events?.destroy();
    frames?.terminate();
    await proxy?.stop();
    await bench.dispose();
  });

  const send = (frame: string): Promise<unknown> =>
    bench.json('message', 'send', 'SIM00001/0', frame);
  const hasComeLive = (id: string, count: number): Promise<void> =>
    eventually(() => eventText.includes(`"id":${Number.parseInt(id, 16)},`) && frameCount >= count);

  it('passes events and frames on as they come', async () => {
    expect(events.statusCode).toBe(200);
    expect(events.headers['content-type']).toContain('text/event-stream');
    await send('101#01');
    await hasComeLive('101', 1);
  });

  it('serves the console, with its streams', async () => {
    const context = await (await sharedBrowser()).newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(`https://127.0.0.1:${proxy.port}/#channels`);
    const says = (id: string, text: string): Promise<void> =>
      page
        .locator(`[data-testid="${id}"]`, { hasText: text })
        .first()
        .waitFor({ timeout: patienceMs });
    await says('connection', 'Token needed');
    await page.locator('#token').fill(token);
    await page.keyboard.press('Enter');
    await says('connection', 'Live');
    await page.goto(`https://127.0.0.1:${proxy.port}/#trace`);
    await says('trace-status', 'Live');
    await send('102#02');
    await says('trace-rows', 'row');
    await context.close();
  });

  it('wants a token, which the daemon compares', async () => {
    const missing = await proxy.ask('/api/v1/health');
    const wrong = await proxy.ask('/api/v1/health', { headers: { Authorization: 'Bearer no' } });
    for (const answer of [missing, wrong]) {
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
      expect(errorOf(answer)).toEqual({
        code: 'unauthorized',
        message: 'A valid bearer token is required',
        details: {},
        retryable: false,
      });
    }
    expect((await proxy.ask('/metrics')).status).toBe(401);
    expect((await proxy.ask('/metrics', { headers: bearer })).status).toBe(200);
    expect((await proxy.ask('/api/v1/health', { headers: bearer })).status).toBe(200);
  });

  it.each(framings)('refuses a large body that comes %s as the API does', async (_, framing) => {
    const { refused, direct } = await sendTooLarge(proxy, listen, bearer, framing);
    expect(refused.status).toBe(413);
    expect(refused.headers['content-type']).toContain('application/json');
    expect({ status: refused.status, error: errorOf(refused) }).toEqual(direct);
  });

  it.each(framings)('wants a token before it looks at a body that comes %s', async (_, framing) => {
    const { refused, direct } = await sendTooLarge(proxy, listen, {}, framing);
    expect(refused.status).toBe(401);
    expect({ status: refused.status, error: errorOf(refused) }).toEqual(direct);
  });

  it('gives every answer one id, also where it refuses what it cannot read', async () => {
    const served = await proxy.ask('/api/v1/health', { headers: bearer });
    expect(served.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    const refused = await proxy.ask(`/${'x'.repeat(10_000)}`);
    expect(refused.status).toBe(414);
    expect(refused.headers['x-request-id']).toMatch(/^[\da-f]{32}$/);
  });

  it('sets HSTS on every answer, and leads from HTTP to HTTPS', async () => {
    for (const path of ['/', '/api/v1/health', '/nowhere']) {
      const { headers } = await proxy.ask(path);
      expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}$/);
    }
    const plain = await fetch(`http://127.0.0.1:${proxy.plainPort}/x?y=1`, { redirect: 'manual' });
    expect(plain.status).toBe(308);
    expect(plain.headers.get('location')).toBe('https://127.0.0.1/x?y=1');
  });

  // This silent period cannot be shortened further.
  itLong('keeps streams open for longer than a silent one may be', async () => {
    await pause(Math.max(0, (proxyPatienceS + 10) * 1000 - (performance.now() - openedAt)));
    const before = frameCount;
    await send('103#03');
    await hasComeLive('103', before + 1);
    expect(frames.readyState).toBe(WebSocket.OPEN);
  });

  it('logs neither tokens nor query strings, not even of what went wrong', async () => {
    await proxy.ask('/api/v1/health?secret=in-query', { headers: bearer });
    await bench.json('web', 'stop');
    const gone = await proxy.ask('/api/v1/health?secret=in-query', { headers: bearer });
    expect(gone.status).toBe(502);
    expect(errorOf(gone)).toMatchObject({ code: 'web_not_running' });
    await eventually(() => proxy.logs().includes('GET /api/v1/health 502'));
    const logs = proxy.logs();
    for (const secret of [token, 'secret', 'in-query', 'channel=']) {
      expect(logs).not.toContain(secret);
    }
  });
});

describe.runIf(hasPeer(caddy, 'caddy'))('Caddy with the profile', () => {
  const bench = new Workbench();
  let proxy: TlsProxy;
  let listen: string;

  beforeAll(async () => {
    ({ listen } = await bench.startWeb(`--token=${token}`));
    for (const port of [0, 1]) await bench.json('channel', 'open', `SIM00001/${port}`);
    proxy = new TlsProxy(join(bench.project, 'proxy'), [await freePort(), await freePort()]);
    await proxy.start(caddyProfile, listen);
  });
  afterAll(async () => {
    await proxy?.stop();
    await bench.dispose();
  });

  it('passes events and frames on as they come', async () => {
    const path = '/api/v1/messages/stream?channel=SIM00001/1';
    const openedAt = performance.now();
    const events = await proxy.open(path, { headers: bearer });
    let text = '';
    events.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    const frames = new WebSocket(
      `wss://127.0.0.1:${proxy.port}/api/v1/messages/ws?channel=SIM00001/1`,
      ['svc.frames.v2', `svc.token.${token}`],
      { ca: proxy.certificate, perMessageDeflate: false },
    );
    let count = 0;
    frames.on('message', () => {
      count++;
    });
    await once(frames, 'open');
    for (const id of [0x101, 0x102]) {
      await bench.json('message', 'send', 'SIM00001/0', `${id.toString(16)}#01`);
      await eventually(() => text.includes(`"id":${id},`) && count === id - 0x100);
    }
    frames.terminate();
    const livedS = (performance.now() - openedAt) / 1000;
    events.destroy();
    // The service is notified immediately, not by a failed keep-alive after 15 s.
    const ended = /"uri":"\/api\/v1\/messages\/stream".*"duration":([\d.]+)/;
    await eventually(() => ended.test(proxy.logs()));
    expect(Number(ended.exec(proxy.logs())?.[1]) - livedS).toBeLessThan(13);
  });

  it('wants a token, and sets HSTS', async () => {
    const missing = await proxy.ask('/api/v1/health');
    expect(missing.status).toBe(401);
    expect(missing.headers['www-authenticate']).toContain('Bearer');
    expect(missing.headers['content-type']).toContain('application/json');
    const direct = await fetch(`http://${listen}/api/v1/health`);
    const own = (await direct.json()) as { error: unknown };
    expect(errorOf(missing)).toEqual(own.error);
    const lowerCase = { Authorization: `bearer ${token}` };
    expect((await proxy.ask('/api/v1/health', { headers: lowerCase })).status).toBe(200);
    for (const path of ['/', '/api/v1/health', '/nowhere']) {
      const answer = await proxy.ask(path, { headers: bearer });
      expect(answer.status).toBe(path === '/nowhere' ? 404 : 200);
      expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d{8}$/);
    }
  });

  it.each(framings)('refuses a large body that comes %s as the API does', async (_, framing) => {
    const { refused, direct } = await sendTooLarge(proxy, listen, bearer, framing);
    expect(refused.status).toBe(413);
    expect(refused.headers['content-type']).toContain('application/json');
    expect({ status: refused.status, error: errorOf(refused) }).toEqual(direct);
  });

  it.each(framings)('wants a token before it looks at a body that comes %s', async (_, framing) => {
    const { refused, direct } = await sendTooLarge(proxy, listen, {}, framing);
    expect(refused.status).toBe(401);
    expect({ status: refused.status, error: errorOf(refused) }).toEqual(direct);
  });

  it('logs neither tokens nor query strings, also of a service that is gone', async () => {
    await proxy.ask('/api/v1/health?secret=in-query', { headers: bearer });
    await bench.json('web', 'stop');
    const gone = await proxy.ask('/api/v1/health?secret=in-query', { headers: bearer });
    expect(gone.status).toBe(502);
    expect(errorOf(gone)).toMatchObject({ code: 'web_not_running' });
    await eventually(() => proxy.logs().includes('"status":502'));
    for (const secret of [token, 'in-query', 'channel=']) {
      expect(proxy.logs()).not.toContain(secret);
    }
  });
});
