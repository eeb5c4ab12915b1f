import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { ask } from '../support/http.ts';
import { reuseWorkbench, setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { listenersOf } from './support/processes.ts';
import { neverStarted, runningOn } from './support/web-records.ts';

const token = 'correct-horse-battery-staple';
const reuse = reuseWorkbench();

const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

/** Starts the Web service for the whole network, which takes all three options. */
const startForEveryone = async (bench: Workbench): Promise<number> => {
  const { listen, ...record } = await bench.json<{ listen: string }>(
    'web',
    'start',
    '--listen=0.0.0.0:0',
    `--token=${token}`,
    '--allow-insecure-http',
  );
  const port = Number(listen.split(':')[1]);
  expect({ listen, ...record }).toEqual({
    ...runningOn(`0.0.0.0:${port}`),
    url: `http://127.0.0.1:${port}/`,
    authentication: 'token',
  });
  return port;
};

describe('a listener that only this machine can reach', () => {
  it('takes an IPv6 address in brackets', async () => {
    const bench = await reuse();
    const record = await bench.json<{ listen: string; url: string }>(
      'web',
      'start',
      '--listen=[::1]:0',
    );
    expect(record.listen).toMatch(/^\[::1\]:[1-9][0-9]*$/);
    expect(record).toEqual(runningOn(record.listen));
    const answer = await fetch(`${record.url}api/v1/health`);
    expect(await answer.json()).toMatchObject({ web: { listen: record.listen } });
  });

  itLong('takes a name that means this machine, and reports the address behind it', async () => {
    const bench = setUpWorkbench();
    const { listen } = await bench.json<{ listen: string }>('web', 'start', '--listen=localhost:0');
    expect(listen).toMatch(/^127\.0\.0\.1:[1-9][0-9]*$/);
  });

  itLong('is not changed by the acknowledgement of insecure HTTP', async () => {
    const bench = setUpWorkbench();
    const record = await bench.json<{ listen: string }>(
      'web',
      'start',
      '--listen=127.0.0.1:0',
      '--allow-insecure-http',
    );
    expect(record).toEqual(runningOn(record.listen));
    const port = Number(record.listen.split(':')[1]);
    expect((await ask({ port, path: '/api/v1/health' })).status).toBe(200);
    const rebound = { host: `bench.example:${port}` };
    expect((await ask({ port, path: '/api/v1/health', headers: rebound })).status).toBe(403);
    const foreign = { origin: 'http://bench.example' };
    const refused = await ask({ port, path: '/api/v1/health', headers: foreign });
    expect(refused.json().error.code).toBe('origin_not_allowed');
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('asks for the token where one was given', async () => {
    const bench = await reuse();
    const { port } = await bench.startWeb(`--token=${token}`);
    expect(await bench.json('web', 'status')).toMatchObject({ authentication: 'token' });
    expect((await ask({ port, path: '/api/v1/health' })).status).toBe(401);
    const answer = await ask({ port, path: '/api/v1/health', headers: bearer(token) });
    expect(answer.status).toBe(200);
  });
});

describe('a listener that others can reach', () => {
  it('is refused without a token, or without the acknowledgement', async () => {
    const bench = setUpWorkbench();
    // Otherwise each attempt starts one and ends it.
    await bench.json('daemon', 'start');
    const attempts: [field: string, option: string, given: string[]][] = [
      ['token', 'requires a token', ['--listen=0.0.0.0:0']],
      ['token', 'requires a token', ['--listen=0.0.0.0:0', '--allow-insecure-http']],
      ['token', 'requires a token', ['--listen=[::]:0']],
      ['token', 'requires a token', ['--listen=192.0.2.1:0']],
      ['allow_insecure_http', '--allow-insecure-http', ['--listen=0.0.0.0:0', `--token=${token}`]],
    ];
    for (const [field, option, given] of attempts) {
      const { exit, code, message, details } = await bench.failure('web', 'start', ...given);
      expect({ given, exit, code, field: details.field }).toEqual({
        given,
        exit: 2,
        code: 'invalid_argument',
        field,
      });
      expect(message).toContain(option);
    }
    expect(await bench.json('web', 'status')).toEqual(neverStarted);
  });

  it('serves the API to clients with the token, and the console to all', async () => {
    const bench = await reuse();
    const port = await startForEveryone(bench);
    const get = (path: string, headers: Record<string, string> = {}) =>
      ask({ port, path, headers });

    for (const path of ['/api/v1/health', '/api/v1/openapi.json', '/metrics']) {
      const refused = await get(path);
      expect([path, refused.status, refused.headers['www-authenticate']]).toEqual([
        path,
        401,
        'Bearer',
      ]);
      expect(refused.json().error).toMatchObject({ code: 'unauthorized', retryable: false });
      expect((await get(path, bearer(token))).status).toBe(200);
    }
    const front = await get('/');
    expect(front.status).toBe(200);
    const [, script = ''] = /src="\.(\/assets\/[^"]+\.js)"/.exec(front.text) ?? [];
    expect((await get(script)).status).toBe(200);
    expect((await get('/', bearer('wrong'))).status).toBe(200);
  });

  const attempts: readonly [what: string, query: string, headers: Record<string, string>][] = [
    ['another token', '', bearer('wrong')],
    ['a part of the token', '', bearer(token.slice(0, -1))],
    ['more than the token', '', bearer(`${token}s`)],
    ['the token in another scheme', '', { authorization: `Basic ${token}` }],
    ['the token in a header of its own', '', { 'x-token': token }],
    ['the token in a cookie', '', { cookie: `token=${token}` }],
    ['the token as the query', `?token=${token}`, {}],
    ['the token as a standard query', `?access_token=${token}`, {}],
  ];

  it('takes the token nowhere but in the header for it', async () => {
    const bench = await reuse();
    const { length } = bench.log;
    const port = await startForEveryone(bench);
    for (const [what, query, headers] of attempts) {
      const { status, text } = await ask({ port, path: `/api/v1/health${query}`, headers });
      expect([what, status]).toEqual([what, 401]);
      expect(text).not.toContain(token);
    }
    // A response may arrive before its record is in the log.
    await bench.json('web', 'stop');
    expect(bench.log.slice(length).match(/"status":401/g)).toHaveLength(attempts.length);
    expect(bench.log).not.toContain(token);
  });

  it('takes foreign hosts and origins from clients with the token, without CORS', async () => {
    const bench = await reuse();
    const port = await startForEveryone(bench);
    const headers = { ...bearer(token), host: 'bench.example', origin: 'https://bench.example' };
    const answer = await ask({ port, path: '/api/v1/health', headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('a listener that cannot be', () => {
  itLong.each([
    ['a host that nobody knows', 'no-such-host.invalid:0', 'no-such-host.invalid'],
    ['an address of another machine', '192.0.2.1:0', '192.0.2.1:0'],
  ])('fails on %s and leaves the daemon fine', async (_, listen, named) => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start');
    const { exit, code, message, details } = await bench.failure(
      'web',
      'start',
      `--listen=${listen}`,
      `--token=${token}`,
      '--allow-insecure-http',
    );
    expect({ exit, code, field: details.field }).toEqual({
      exit: 1,
      code: 'listen_failed',
      field: 'listen',
    });
    expect(message).toContain(named);
    expect(await bench.json('web', 'status')).toEqual(neverStarted);
    expect(listenersOf(bench.daemonPid ?? -1)).toEqual([]);
    await bench.startWeb();
  });
});
