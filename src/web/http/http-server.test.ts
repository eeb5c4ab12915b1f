import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type ErrorCode, errorTable } from '../../base/errors/table.ts';
import { eventually } from '../../base/testing/eventually.ts';
import type { HttpBinding, Operation } from '../../operations/define.ts';
import { httpErrorsOf } from '../../operations/face-errors.ts';
import { limits } from '../../operations/limits.ts';
import {
  partDrop,
  partList,
  partMove,
  partShow,
} from '../../operations/testing/sample-operations.ts';
import { securityHeaders } from './response.ts';
import { codeOf, type RawResponse } from './testing/raw-client.ts';
import { ping, SampleService } from './testing/sample-service.ts';
import { TestServer } from './testing/test-server.ts';

describe('HttpServer', () => {
  const service = new SampleService();
  let http: TestServer;

  beforeAll(async () => {
    http = await TestServer.start(service);
  });
  afterAll(() => http.close());
  beforeEach(() => {
    http.log.length = 0;
  });

  /** One request on its own connection. */
  const ask = async (line: string, body?: unknown): Promise<RawResponse> => {
    const client = http.connect();
    const headers = {
      Connection: 'close',
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    };
    client.request(line, headers, body === undefined ? '' : JSON.stringify(body));
    const response = await client.response(line.split(' ')[0]);
    expect(await client.dismissed()).toBe('');
    return response;
  };

  const parsed = async (line: string, body?: unknown) => {
    const response = await ask(line, body);
    return { status: response.status, json: JSON.parse(response.body) };
  };

  describe('an answer', () => {
    it('is the bare result, never cached, with all security headers and an id', async () => {
      const { status, headers, body } = await ask('GET /api/v1/parts?limit=3');
      expect(status).toBe(200);
      expect(body).toBe('{"limit":3,"spare":false}');
      expect(headers).toMatchObject({
        ...securityHeaders,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(body.length),
        'cache-control': 'no-store',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    });

    it('has an id of its own, whatever id the client sends', async () => {
      const client = http.connect();
      const ids: (string | undefined)[] = [];
      for (const mark of ['1', '1']) {
        client.request('GET /api/v1/parts', { 'X-Request-Id': mark, 'Request-Id': mark });
        ids.push((await client.response()).headers['x-request-id']);
      }
      expect(new Set([...ids, '1']).size).toBe(3);
    });

    it('has the status and the media type that the operation declares', async () => {
      expect((await ask('POST /api/v1/ping')).status).toBe(202);
      const report = await ask('GET /report');
      expect(report.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(report.body).toBe('Bestände: ✓\n');
    });

    it('to HEAD is that to GET without the content', async () => {
      for (const target of ['/api/v1/parts?limit=3', '/report', '/', '/api/v1/parts?limit=x']) {
        const get = await ask(`GET ${target}`);
        const head = await ask(`HEAD ${target}`);
        expect(head.status).toBe(get.status);
        expect(head.body).toBe('');
        const { date: _, 'x-request-id': __, ...same } = get.headers;
        expect(head.headers).toMatchObject(same);
      }
    });

    it.each([
      ['fills the limit', limits.responseBytes - 2, 200],
      ['is a byte too long', limits.responseBytes - 1, 500],
    ])('that %s', async (_, size, expected) => {
      const { status, headers, body } = await ask(`GET /api/v1/fill?size=${size}`);
      expect(status).toBe(expected);
      if (expected === 200) {
        expect(Number(headers['content-length'])).toBe(limits.responseBytes);
        return;
      }
      expect(JSON.parse(body).error).toMatchObject({
        code: 'response_too_large',
        details: { limit: limits.responseBytes },
      });
    });

    it('goes to a caller that is known as one of HTTP and has chosen no project', async () => {
      expect((await parsed('POST /api/v1/ping')).json).toEqual({ face: 'http', project: null });
    });
  });

  describe('arguments', () => {
    it.each<[line: string, values: object]>([
      ['GET /api/v1/parts?tag=a&tag=b%20c&tag=d+e', { tag: ['a', 'b c', 'd e'] }],
      ['GET /api/v1/parts?level=3', { level: [3] }],
      ['GET /api/v1/parts?spare=true&min_mass=1e-1', { spare: true, min_mass: 0.1 }],
      ['GET /api/v1/parts/p1', { part_id: 'p1' }],
      ['GET /api/v1/parts/a%2Fb', { part_id: 'a/b' }],
      ['GET /api/v1/parts/a%2fb%2F..%2Fc', { part_id: 'a/b/../c' }],
      ['GET /api/v1/parts/a%252Fb', { part_id: 'a%2Fb' }],
      ['GET /api/v1/parts/%C3%BC%20x+y', { part_id: 'ü x+y' }],
      ['GET /api/v1/parts/a%3Fb%23c', { part_id: 'a?b#c' }],
      ['GET /api/v1/parts/a;b=c', { part_id: 'a;b=c' }],
      ['DELETE /api/v1/parts/p1?force=true', { part_id: 'p1', force: true }],
    ])('of %s', async (line, values) => {
      const { status, json } = await parsed(line);
      expect(status).toBe(200);
      expect(json).toMatchObject(values);
    });

    it('come from path and body together', async () => {
      const body = { store: 'left', note: 'ü' };
      expect(await parsed('POST /api/v1/parts/a%2Fb/moves', body)).toEqual({
        status: 201,
        json: { part_id: 'a/b', ...body },
      });
    });
  });

  describe('a refusal', () => {
    const tooLarge = 'x'.repeat(65_535);
    const tooLong = 'x'.repeat(5000);

    it.each<[code: ErrorCode, why: string, operation: Operation, line: string, body?: unknown]>([
      ['invalid_argument', 'a number out of range', partList, 'GET /api/v1/parts?limit=0'],
      ['invalid_argument', 'a text for a number', partList, 'GET /api/v1/parts?limit=x'],
      ['invalid_argument', 'an item that is too short', partList, 'GET /api/v1/parts?tag='],
      ['invalid_argument', 'an unknown parameter', partList, 'GET /api/v1/parts?other=1'],
      ['invalid_argument', 'NUL in the path', partShow, 'GET /api/v1/parts/%00'],
      ['invalid_argument', 'a path that is no percent-encoding', partShow, 'GET /api/v1/parts/%zz'],
      ['invalid_argument', 'no body', partMove, 'POST /api/v1/parts/p1/moves'],
      [
        'invalid_argument',
        'a value that is not in the list',
        partMove,
        'POST /api/v1/parts/p1/moves',
        { store: 'up' },
      ],
      [
        'invalid_argument',
        'a body that repeats the path',
        partMove,
        'POST /api/v1/parts/p1/moves',
        { store: 'left', part_id: 'p2' },
      ],
      [
        'invalid_argument',
        'a query beside a body',
        partMove,
        'POST /api/v1/parts/p1/moves?note=x',
        { store: 'left' },
      ],
      ['invalid_argument', 'a body where none is taken', partDrop, 'DELETE /api/v1/parts/p1', {}],
      [
        'payload_too_large',
        'a body that is too large',
        partMove,
        'POST /api/v1/parts/p1/moves',
        tooLarge,
      ],
      [
        'payload_too_large',
        'a large body where none is taken',
        ping,
        'POST /api/v1/ping',
        tooLarge,
      ],
      ['endpoint_not_found', 'a path that is too long', partShow, `GET /api/v1/parts/${tooLong}`],
    ])('is %s, which the operation publishes, for %s', async (code, _, operation, line, body) => {
      const { status, json } = await parsed(line, body);
      expect(json.error).toMatchObject({ code, retryable: errorTable[code].retryable });
      expect(status).toBe(errorTable[code].status);
      expect(httpErrorsOf(operation, operation.http as HttpBinding)).toContain(code);
    });

    it('has the id of the request in envelope and header, and in the log', async () => {
      const { headers, body } = await ask('GET /api/v1/parts?limit=0');
      const id = headers['x-request-id'];
      expect(JSON.parse(body).request_id).toBe(id);
      expect(headers).toMatchObject(securityHeaders);
      await eventually(() => http.logged('request').length === 1);
      expect(http.log.map(({ event, request_id }) => [event, request_id])).toEqual([
        ['route', id],
        ['error_detail', id],
        ['request', id],
      ]);
    });

    it('tells which methods a path takes', async () => {
      const { headers } = await ask('PUT /api/v1/parts/a%2Fb');
      expect(headers.allow).toBe('GET, HEAD, DELETE');
    });

    it('tells so also where the router takes a letter for itself percent-encoded', async () => {
      expect((await ask('GET /api/v1/%70arts')).status).toBe(200);
      expect((await ask('PUT /api/v1/%70arts')).headers.allow).toBe('GET, HEAD');
    });

    it.each([
      ['without a host', 'GET /api/v1/parts HTTP/1.1\r\n\r\n'],
      ['with an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n'],
      ['that is no HTTP', 'hello\r\n\r\n'],
      ['for a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
    ])('of a request %s has the common envelope too', async (_, bytes) => {
      const client = http.connect();
      client.send(bytes);
      const { status, headers, body } = await client.response();
      expect(Math.floor(status / 100)).toBe(4);
      expect(headers).toMatchObject(securityHeaders);
      expect(JSON.parse(body).request_id).toBe(headers['x-request-id']);
      client.leave();
    });

    it('of a path that is no percent-encoding goes only to who may ask', async () => {
      const client = http.connect();
      client.request('GET /api/v1/parts/%zz', { Host: 'rebound.example' });
      expect(codeOf(await client.response())).toBe('origin_not_allowed');
    });
  });

  describe('a defect', () => {
    it.each<[kind: string, thrown: unknown]>([
      ['an error', new TypeError('secret at /etc/passwd')],
      ['an error of the system', Object.assign(new Error('secret'), { code: 'ENOENT' })],
      ['a text', 'secret'],
      ['nothing', undefined],
      [
        'one of ours',
        new BusbarError('internal_error', { message: 'secret', details: { path: 'secret' } }),
      ],
    ])('never shows what was thrown: %s', async (_, thrown) => {
      service.thrown = thrown;
      const { status, headers, body } = await ask('GET /api/v1/fail');
      expect(status).toBe(500);
      expect(JSON.parse(body)).toEqual({
        error: {
          code: 'internal_error',
          message: errorTable.internal_error.message,
          details: {},
          retryable: false,
        },
        request_id: headers['x-request-id'],
      });
      await eventually(() => http.logged('request').length === 1);
      expect(http.logged('runtime_error')).toHaveLength(1);
    });

    it('is also an answer that has no JSON form', async () => {
      const client = http.connect().request('GET /api/v1/hold');
      await eventually(() => service.held.length === 1);
      service.held.shift()?.resolve(undefined);
      const response = await client.response();
      expect([response.status, codeOf(response)]).toEqual([500, 'internal_error']);
    });

    it('is not what an operation fails with on purpose', async () => {
      service.thrown = new BusbarError('job_not_found', {
        message: 'No such part',
        details: { part_id: 'p1' },
      });
      const { status, json } = await parsed('GET /api/v1/fail');
      expect(status).toBe(404);
      expect(json.error).toMatchObject({ message: 'No such part', details: { part_id: 'p1' } });
      expect(http.logged('runtime_error')).toEqual([]);
    });
  });

  describe('every request', () => {
    it.each<[line: string, counted: string]>([
      ['GET /api/v1/parts', 'GET /api/v1/parts 200'],
      ['HEAD /api/v1/parts/p1', 'HEAD /api/v1/parts/{part_id} 200'],
      ['GET /api/v1/parts/p1?x=1', 'GET /api/v1/parts/{part_id} 400'],
      ['GET /', 'GET none 200'],
      ['GET /nothing', 'GET none 404'],
      ['PUT /api/v1/parts', 'PUT none 405'],
      ['GET /api/v1/parts/%zz', 'GET none 400'],
    ])('is counted and logged once: %s', async (line, counted) => {
      const before = http.counted;
      const { status } = await ask(line);
      await eventually(() => http.counted.length > before.length);
      const added = http.counted.filter(
        (entry) =>
          http.counted.filter((other) => other === entry).length >
          before.filter((other) => other === entry).length,
      );
      expect([...new Set(added)]).toEqual([counted]);
      expect(http.counted).toHaveLength(before.length + 1);
      const [method, target = ''] = line.split(' ');
      const path = target.split('?')[0];
      expect(http.logged('request')).toMatchObject([{ method, path, status }]);
    });
  });

  describe('a connection', () => {
    it('serves one request after the other until the client has enough', async () => {
      const client = http.connect();
      for (const limit of [1, 2, 3]) {
        const { body, headers } = await client
          .request(`GET /api/v1/parts?limit=${limit}`)
          .response();
        expect(JSON.parse(body)).toMatchObject({ limit });
        expect(headers.connection).toBe('keep-alive');
      }
      client.request('GET /api/v1/parts', { Connection: 'close' });
      expect((await client.response()).headers.connection).toBe('close');
      expect(await client.dismissed()).toBe('');
    });

    it('answers requests that are sent ahead in their order', async () => {
      const client = http.connect();
      client.request('GET /api/v1/hold').request('GET /api/v1/parts?limit=7');
      await eventually(() => service.held.length === 1);
      service.held.shift()?.resolve('first');
      expect((await client.response()).body).toBe('"first"');
      expect(JSON.parse((await client.response()).body)).toMatchObject({ limit: 7 });
    });

    it('survives a refusal', async () => {
      const client = http.connect();
      expect((await client.request('GET /api/v1/parts?limit=0').response()).status).toBe(400);
      expect((await client.request('GET /api/v1/parts').response()).status).toBe(200);
    });
  });
});

describe('HttpServer with a token', () => {
  const service = new SampleService();
  let http: TestServer;

  beforeAll(async () => {
    http = await TestServer.start({ ...service, token: 'the-token' });
  });
  afterAll(() => http.close());

  const statusOf = async (target: string, authorization?: string): Promise<number> => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    return (await http.connect().request(`GET ${target}`, headers).response()).status;
  };

  it.each<[target: string, authorization: string | undefined, status: number]>([
    ['/api/v1/parts', undefined, 401],
    ['/api/v1/parts', 'Bearer wrong', 401],
    ['/api/v1/parts', 'Bearer the-token', 200],
    ['/report', undefined, 401],
    ['/api/v1/nothing', undefined, 401],
    ['/api/v1/nothing', 'Bearer the-token', 404],
    ['/API/v1/parts', undefined, 401],
    ['/%61pi/v1/nothing', undefined, 401],
    ['/api/v1/parts/%zz', undefined, 401],
    ['/', undefined, 200],
    ['/nothing', undefined, 404],
  ])('answers %s with %s by %d', async (target, authorization, status) => {
    expect(await statusOf(target, authorization)).toBe(status);
  });

  it('says how to authenticate', async () => {
    const { headers } = await http.connect().request('GET /api/v1/parts').response();
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it('writes the token into no log', async () => {
    await statusOf('/api/v1/parts?tag=the-token', 'Bearer the-token');
    await eventually(() => http.logged('request').length > 0);
    expect(JSON.stringify(http.log)).not.toContain('the-token');
  });
});
