import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { hasBrowser, launchBrowser, patienceMs } from '../support/browser.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually, repository, Workbench } from '../support/workbench.ts';

const nginx = '/usr/sbin/nginx';
const caddy = '/usr/bin/caddy';
const token = 'a-token-for-the-proxy';
/** Less than two keep-alives of a WebSocket: a stream that says nothing for so long is cut off. */
const proxyPatienceS = 35;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const profile = join(repository, 'packaging', 'https');

interface ProxyPlace {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  /** Where the Web service listens. */
  readonly listen: string;
}

/** The profile as it is shipped, but for its ports and files, and what runs it. */
type Profile = (place: ProxyPlace) => readonly string[];

const nginxProfile: Profile = ({ folder, port, plainPort, listen }) => {
  const site = readFileSync(join(profile, 'nginx.conf'), 'utf8')
    .replaceAll('/etc/busbar/tls', join(folder, 'tls'))
    .replaceAll('/var/log/nginx', folder)
    .replaceAll('127.0.0.1:8080', listen)
    .replaceAll('90s', `${proxyPatienceS}s`)
    .replace(/listen \[::\]:.*/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/start.log;\n` +
      `events {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${site}\n}\n`,
  );
  return [nginx, '-p', folder, '-c', file];
};

const caddyProfile: Profile = ({ folder, port, plainPort, listen }) => {
  const site = readFileSync(join(profile, 'Caddyfile'), 'utf8')
    .replaceAll('/etc/busbar/tls', join(folder, 'tls'))
    .replaceAll('127.0.0.1:8080', listen)
    .replace(
      /^\{$/m,
      `{\nadmin off\nhttp_port ${plainPort}\nhttps_port ${port}\nstorage file_system ${folder}`,
    )
    .replace(/^:443 \{$/m, `https://127.0.0.1:${port} {`);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, site);
  return [caddy, 'run', '--adapter', 'caddyfile', '--config', file];
};

/** A reverse proxy of a profile, over real TLS. */
class TlsProxy {
  readonly #folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly certificate: string;
  #process: ReturnType<typeof spawn> | undefined;

  constructor(folder: string, ports: readonly [number, number]) {
    this.#folder = folder;
    [this.port, this.plainPort] = ports;
    mkdirSync(folder);
    const tls = join(folder, 'tls');
    execFileSync(join(profile, 'make-certificate'), [tls, 'localhost', '127.0.0.1']);
    this.certificate = readFileSync(join(tls, 'certificate.pem'), 'utf8');
  }

  async start(profileOf: Profile, listen: string): Promise<void> {
    const { port, plainPort } = this;
    const [program = '', ...args] = profileOf({ folder: this.#folder, port, plainPort, listen });
    const log = openSync(join(this.#folder, 'start.log'), 'a');
    this.#process = spawn(program, args, { stdio: ['ignore', 'inherit', log] });
    closeSync(log);
    await eventually(() => this.isUp());
  }

  async isUp(): Promise<boolean> {
    return this.ask('/').then(
      () => true,
      () => false,
    );
  }

  open(path: string, options: RequestOptions = {}, body?: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { port, certificate } = this;
      const sent = request({ host: '127.0.0.1', port, path, ca: certificate, ...options }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async ask(path: string, options: RequestOptions = {}, body?: Buffer) {
    const response = await this.open(path, options, body);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  }

  logs(): string {
    const names = ['busbar-access.log', 'busbar-error.log', 'start.log'];
    const written = names
      .map((name) => join(this.#folder, name))
      .filter((file) => existsSync(file));
    return written.map((file) => readFileSync(file, 'utf8')).join('\n');
  }

  async stop(): Promise<void> {
    if (!this.#process) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
  }
}

const bearer = { Authorization: `Bearer ${token}` };

describe.runIf(hasPeer(nginx, 'nginx-light') && hasBrowser())('nginx with the profile', () => {
  const bench = new Workbench();
  let proxy: TlsProxy;
  let listen: string;
  let browser: Browser;
  /** Open from the beginning to the end. */
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
    browser = await launchBrowser();

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
    await browser?.close();
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
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
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
    for (const { status, headers, text } of [missing, wrong]) {
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toContain('Bearer');
      const { error, request_id } = JSON.parse(text);
      expect(headers['x-request-id']).toBe(request_id);
      expect(error).toEqual({
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

  it.each([
    ['at once', (length: number) => ({ 'Content-Length': String(length) })],
    ['in pieces', () => ({ 'Transfer-Encoding': 'chunked' })],
  ])('refuses a large body that comes %s as the API does', async (_, headersFor) => {
    const body = Buffer.alloc(64 * 1024 + 1, ' ');
    const headers = {
      ...bearer,
      'Content-Type': 'application/json',
      ...headersFor(body.length),
    };
    const refused = await proxy.ask('/api/v1/channels', { method: 'POST', headers }, body);
    const direct = await fetch(`http://${listen}/api/v1/channels`, {
      method: 'POST',
      headers: { ...bearer, 'Content-Type': 'application/json' },
      body,
    });
    expect(refused.status).toBe(413);
    expect(refused.headers['content-type']).toContain('application/json');
    const own = (await direct.json()) as { error: unknown };
    expect(JSON.parse(refused.text).error).toEqual(own.error);
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

  it('keeps streams open for longer than a silent one may be', async () => {
    await pause(Math.max(0, (proxyPatienceS + 10) * 1000 - (performance.now() - openedAt)));
    await send('103#03');
    await hasComeLive('103', 3);
    expect(frames.readyState).toBe(WebSocket.OPEN);
  });

  it('logs neither tokens nor query strings, not even of what went wrong', async () => {
    await proxy.ask('/api/v1/health?secret=in-query', { headers: bearer });
    await bench.json('web', 'stop');
    const gone = await proxy.ask('/api/v1/health?secret=in-query', { headers: bearer });
    expect(gone.status).toBe(502);
    expect(JSON.parse(gone.text).error).toMatchObject({ code: 'web_not_running' });
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
    // The service is told at once, and not by the next sign of life, after 15 s, that cannot be sent.
    const ended = /"uri":"\/api\/v1\/messages\/stream".*"duration":([\d.]+)/;
    await eventually(() => ended.test(proxy.logs()));
    expect(Number(ended.exec(proxy.logs())?.[1]) - livedS).toBeLessThan(13);
  });

  it('wants a token, and sets HSTS', async () => {
    const { status, headers, text } = await proxy.ask('/api/v1/health');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('Bearer');
    expect(headers['content-type']).toContain('application/json');
    const direct = await fetch(`http://${listen}/api/v1/health`);
    const own = (await direct.json()) as { error: unknown };
    expect(JSON.parse(text).error).toEqual(own.error);
    const lowerCase = { Authorization: `bearer ${token}` };
    expect((await proxy.ask('/api/v1/health', { headers: lowerCase })).status).toBe(200);
    for (const path of ['/', '/api/v1/health', '/nowhere']) {
      const answer = await proxy.ask(path, { headers: bearer });
      expect(answer.status).toBe(path === '/nowhere' ? 404 : 200);
      expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d{8}$/);
    }
  });

  it.each([
    ['at once', (length: number) => ({ 'Content-Length': String(length) })],
    ['in pieces', () => ({ 'Transfer-Encoding': 'chunked' })],
  ])('refuses a large body that comes %s as the API does', async (_, headersFor) => {
    const body = Buffer.alloc(64 * 1024 + 1, ' ');
    const headers = { ...bearer, 'Content-Type': 'application/json', ...headersFor(body.length) };
    const refused = await proxy.ask('/api/v1/channels', { method: 'POST', headers }, body);
    const direct = await fetch(`http://${listen}/api/v1/channels`, {
      method: 'POST',
      headers: { ...bearer, 'Content-Type': 'application/json' },
      body,
    });
    expect(refused.status).toBe(413);
    const own = (await direct.json()) as { error: unknown };
    expect(JSON.parse(refused.text).error).toEqual(own.error);
  });

  it('logs neither tokens nor query strings, also of a service that is gone', async () => {
    await proxy.ask('/api/v1/health?secret=in-query', { headers: bearer });
    await bench.json('web', 'stop');
    const gone = await proxy.ask('/api/v1/health?secret=in-query', { headers: bearer });
    expect(gone.status).toBe(502);
    expect(JSON.parse(gone.text).error).toMatchObject({ code: 'web_not_running' });
    await eventually(() => proxy.logs().includes('"status":502'));
    for (const secret of [token, 'in-query', 'channel=']) {
      expect(proxy.logs()).not.toContain(secret);
    }
  });
});
