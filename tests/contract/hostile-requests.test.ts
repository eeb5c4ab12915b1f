import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '../../src/base/errors/table.ts';
import { ask, type HttpAnswer, sendRaw } from '../support/http.ts';
import { Workbench } from '../support/workbench.ts';

const bench = new Workbench();
let port = 0;

beforeAll(async () => {
  ({ port } = await bench.startWeb('--log-level=debug'));
});
afterAll(() => bench.dispose());

type Code = keyof typeof errorTable;

const expectRefusal = (answer: HttpAnswer, code: Code): void => {
  const { error, request_id } = answer.json();
  expect(error).toMatchObject({ code, retryable: errorTable[code].retryable });
  expect(answer.status).toBe(errorTable[code].status);
  expect(Object.keys(error).sort()).toEqual(['code', 'details', 'message', 'retryable']);
  expect(answer.headers['x-request-id']).toBe(request_id);
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
};

const execute = '/api/v1/execute';
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Bodies sent to execute as application/json. */
const bodies: [name: string, body: string | Buffer, code: Code, field?: string][] = [
  ['no body at all', '', 'invalid_argument'],
  ['white space only', '  \n', 'invalid_argument'],
  ['not JSON', 'operation=version', 'invalid_argument'],
  ['single quotes', "{'operation':'version'}", 'invalid_argument'],
  ['a trailing comma', '{"operation":"version",}', 'invalid_argument'],
  ['a comment', '{"operation":"version"/**/}', 'invalid_argument'],
  ['trailing data', '{"operation":"version"} x', 'invalid_argument'],
  ['two documents', '{"operation":"version"}{"operation":"version"}', 'invalid_argument'],
  ['a truncated document', '{"operation":"vers', 'invalid_argument'],
  ['a byte order mark', '\uFEFF{"operation":"version"}', 'invalid_argument'],
  ['NaN', '{"operation":NaN}', 'invalid_argument'],
  ['an array', '["version"]', 'invalid_argument'],
  ['a string', '"version"', 'invalid_argument'],
  ['null', 'null', 'invalid_argument'],
  ['a number', '7', 'invalid_argument'],
  ['an empty object', '{}', 'invalid_argument', 'operation'],
  ['an unknown field', '{"operation":"version","x":1}', 'invalid_argument', 'x'],
  ['a field in other case', '{"Operation":"version"}', 'invalid_argument'],
  [
    'a duplicate field',
    '{"operation":"version","operation":"version"}',
    'invalid_argument',
    'operation',
  ],
  [
    'a duplicate field, escaped',
    '{"operation":"version","\\u006fperation":"version"}',
    'invalid_argument',
    'operation',
  ],
  ['a nested duplicate', '{"operation":{"a":1,"a":2}}', 'invalid_argument', 'operation.a'],
  ['a number for a string', '{"operation":1}', 'invalid_argument', 'operation'],
  ['null for a string', '{"operation":null}', 'invalid_argument', 'operation'],
  ['a boolean for a string', '{"operation":true}', 'invalid_argument', 'operation'],
  ['an array for a string', '{"operation":["version"]}', 'invalid_argument', 'operation'],
  ['an object for a string', '{"operation":{}}', 'invalid_argument', 'operation'],
  ['an empty string', '{"operation":""}', 'invalid_argument', 'operation'],
  [
    'a string that is too long',
    `{"operation":"${'v'.repeat(257)}"}`,
    'invalid_argument',
    'operation',
  ],
  ['an escaped NUL', '{"operation":"version\\u0000"}', 'invalid_argument', 'operation'],
  ['a raw NUL', '{"operation":"version\0"}', 'invalid_argument', 'operation'],
  ['an escaped NUL in a key', '{"operation\\u0000":"version"}', 'invalid_argument'],
  ['a raw newline in a string', '{"operation":"ver\nsion"}', 'invalid_argument', 'operation'],
  ['a lone surrogate', '{"operation":"\\ud800"}', 'invalid_argument', 'operation'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'invalid_argument'],
  ['overlong UTF-8', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'invalid_argument'],
  ['UTF-16', Buffer.from('{"operation":"version"}', 'utf16le'), 'invalid_argument'],
  ['nesting beyond the limit', deep(65), 'invalid_argument'],
  ['absurd nesting', deep(30_000), 'invalid_argument'],
  ['a prototype as a field', '{"__proto__":{"operation":"version"}}', 'invalid_argument'],
  [
    'a constructor as a field',
    '{"operation":"version","constructor":{}}',
    'invalid_argument',
    'constructor',
  ],
  ['another operation', '{"operation":"daemon.stop"}', 'operation_not_allowed', 'operation'],
  ['a command line', '{"operation":"version --format=json"}', 'operation_not_allowed', 'operation'],
  ['a shell command', '{"operation":"version; reboot"}', 'operation_not_allowed', 'operation'],
  ['version in capitals', '{"operation":"VERSION"}', 'operation_not_allowed', 'operation'],
  ['a body one byte over the limit', `"${'x'.repeat(64 * 1024 - 1)}"`, 'payload_too_large'],
  ['a body far over the limit', `"${'x'.repeat(1024 * 1024)}"`, 'payload_too_large'],
];

describe('a hostile body', () => {
  it.each(bodies)('is refused: %s', async (_, body, code, field) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    };
    const answer = await ask({ port, method: 'POST', path: execute, headers, body });
    expectRefusal(answer, code);
    if (field !== undefined) expect(answer.json().error.details.field).toBe(field);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/jsonp',
    'application/vnd.api+json',
    'nonsense',
  ])('is refused as %s', async (type) => {
    const body = '{"operation":"version"}';
    const headers = { 'content-type': type, 'content-length': String(body.length) };
    const answer = await ask({ port, method: 'POST', path: execute, headers, body });
    expectRefusal(answer, 'unsupported_media_type');
  });

  it('is refused without a type', async () => {
    const body = '{"operation":"version"}';
    const headers = { 'content-length': String(body.length) };
    expectRefusal(
      await ask({ port, method: 'POST', path: execute, headers, body }),
      'unsupported_media_type',
    );
  });
});

/** Requests without a body: method, target, code, field. */
const targets: [method: string, target: string, code: Code, field?: string][] = [
  ['GET', '/api', 'endpoint_not_found'],
  ['GET', '/api/', 'endpoint_not_found'],
  ['GET', '/api/v1', 'endpoint_not_found'],
  ['GET', '/api/v2/info', 'endpoint_not_found'],
  ['GET', '/api/v1/gateway', 'endpoint_not_found'],
  ['GET', '/api/v1/info/', 'endpoint_not_found'],
  ['GET', '/API/v1/info', 'endpoint_not_found'],
  ['GET', '//api/v1/info', 'endpoint_not_found'],
  ['GET', '/api/v1/../v1/info', 'endpoint_not_found'],
  ['GET', '/api/v1/%2e%2e/v1/info', 'endpoint_not_found'],
  ['GET', '/api/v1/jobs/', 'invalid_argument', 'job_id'],
  ['GET', '/api/v1/jobs/unknown', 'job_not_found'],
  ['GET', '/api/v1/jobs/%00', 'invalid_argument', 'job_id'],
  ['GET', `/api/v1/jobs/${'x'.repeat(129)}`, 'invalid_argument', 'job_id'],
  ['GET', '/api/v1/jobs/%zz', 'invalid_argument'],
  ['GET', '/api/v1/jobs/%', 'invalid_argument'],
  ['GET', '/api/v1/jobs/%c0%af', 'invalid_argument'],
  ['GET', '/api/v1/operations/nope', 'operation_not_found'],
  ['GET', '/api/v1/operations/__proto__', 'operation_not_found'],
  ['GET', '/api/v1/info?x=1', 'invalid_argument', 'x'],
  ['GET', '/api/v1/info?x', 'invalid_argument', 'x'],
  ['GET', '/api/v1/info?%zz=1', 'invalid_argument', 'query'],
  ['GET', '/api/v1/info?__proto__=1', 'invalid_argument', '__proto__'],
  ['GET', '/api/v1/jobs/x?job_id=y', 'invalid_argument', 'job_id'],
  ['POST', '/api/v1/info', 'method_not_allowed'],
  ['PUT', '/api/v1/jobs', 'method_not_allowed'],
  ['PATCH', '/api/v1/jobs/x', 'method_not_allowed'],
  ['DELETE', '/api/v1/health', 'method_not_allowed'],
  ['OPTIONS', '/api/v1/info', 'method_not_allowed'],
  ['TRACE', '/api/v1/info', 'method_not_allowed'],
  ['PROPFIND', '/api/v1/info', 'method_not_allowed'],
  ['GET', '/api/v1/execute', 'method_not_allowed'],
  ['HEAD', '/metrics/', 'endpoint_not_found'],
  ['HEAD', '/api/v1/messages/stream', 'method_not_allowed'],
  ['HEAD', '/api/v1/messages/ws', 'method_not_allowed'],
  ['PUT', '/api/v1/messages/history', 'method_not_allowed'],
  ['GET', '/api/v1/messages/stream/', 'endpoint_not_found'],
  ['GET', '/api/v1/messages/stream?x=1', 'invalid_argument', 'x'],
  ['GET', '/api/v1/messages/stream?after=-1', 'invalid_argument', 'after'],
  ['GET', '/api/v1/messages/stream?after=1e3', 'invalid_argument', 'after'],
  ['GET', '/api/v1/messages/stream?after=9007199254740993', 'invalid_argument', 'after'],
  ['GET', '/api/v1/messages/stream?after=%30%00', 'invalid_argument', 'after'],
  ['GET', '/api/v1/messages/stream?channel=a%00b', 'invalid_argument', 'channel'],
  ['GET', '/api/v1/messages/stream?channel=%ff', 'invalid_argument', 'query'],
  ['GET', `/api/v1/messages/stream?channel=${'x'.repeat(201)}`, 'invalid_argument', 'channel[0]'],
  [
    'GET',
    `/api/v1/messages/stream?${'channel=0&'.repeat(64)}channel=0`,
    'invalid_argument',
    'channel',
  ],
  ['GET', '/api/v1/messages/stream?channel=../../etc/passwd', 'invalid_channel_selector'],
  ['GET', '/api/v1/messages/stream?channel=__proto__', 'channel_not_found'],
  ['GET', '/api/v1/messages/history?after=18446744073709551616', 'invalid_argument', 'after'],
  ['GET', '/api/v1/messages/history?limit=0', 'invalid_argument', 'limit'],
  ['GET', '/api/v1/messages/history?limit=4097', 'invalid_argument', 'limit'],
  ['GET', '/api/v1/messages/history?channel[]=0', 'invalid_argument', 'channel[]'],
  ['GET', '/api/v1/messages/ws', 'unsupported_websocket_subprotocol'],
  ['POST', '/metrics', 'method_not_allowed'],
  ['POST', '/', 'method_not_allowed'],
  ['DELETE', '/index.html', 'method_not_allowed'],
  ['GET', '/nothing.html', 'endpoint_not_found'],
  ['GET', '/../package.json', 'endpoint_not_found'],
  ['GET', '/%2e%2e/%2e%2e/package.json', 'endpoint_not_found'],
  ['GET', '/..%2fpackage.json', 'endpoint_not_found'],
  ['GET', '/..%5cpackage.json', 'invalid_argument'],
  ['GET', '/%252e%252e/package.json', 'endpoint_not_found'],
  ['GET', '/%c0%ae%c0%ae/package.json', 'invalid_argument'],
  ['GET', '/%00', 'invalid_argument'],
  ['GET', '/index.html%00.png', 'invalid_argument'],
  ['GET', '/.git/config', 'endpoint_not_found'],
  ['GET', '*', 'endpoint_not_found'],
  ['GET', 'http://evil.example/api/v1/info', 'invalid_argument'],
  ['QUERY', '/', 'method_not_allowed'],
  ['QUERY', '/api/v1/info', 'method_not_allowed'],
  ['PUT', '/%61pi/v1/info', 'method_not_allowed'],
];

describe('a hostile target', () => {
  it.each(targets)('is refused: %s %s', async (method, target, code, field) => {
    const lines = [`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close'];
    const answer = await sendRaw(port, `${lines.join('\r\n')}\r\n\r\n`);
    if (method === 'HEAD') {
      expect(answer.status).toBe(errorTable[code].status);
      expect(answer.text).toBe('');
      return;
    }
    expectRefusal(answer, code);
    if (field !== undefined) expect(answer.json().error.details.field).toBe(field);
    if (code === 'method_not_allowed') expect(answer.headers.allow).toMatch(/GET|POST/);
  });
});

/** Bytes that are not a valid HTTP request. */
const wires: [name: string, bytes: () => string, code: Code][] = [
  ['nonsense', () => 'hello\r\n\r\n', 'invalid_argument'],
  ['a TLS greeting', () => '\u0016\u0003\u0001\u0002\u0000\u0001', 'invalid_argument'],
  ['an unknown protocol version', () => 'GET / HTTP/9.9\r\n\r\n', 'invalid_argument'],
  ['a header without a colon', () => 'GET / HTTP/1.1\r\nbroken\r\n\r\n', 'invalid_argument'],
  [
    'a control character in a header',
    () => 'GET / HTTP/1.1\r\nx: a\u0001\u0000b\r\n\r\n',
    'invalid_argument',
  ],
  [
    'two content lengths',
    () =>
      `POST ${execute} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'invalid_argument',
  ],
  [
    'length and chunks at once',
    () =>
      `POST ${execute} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'invalid_argument',
  ],
  [
    'a negative length',
    () => `POST ${execute} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: -1\r\n\r\n`,
    'invalid_argument',
  ],
  [
    'headers beyond the limit',
    () => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`,
    'headers_too_large',
  ],
  [
    'a target beyond the limit',
    () => `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
    'headers_too_large',
  ],
  [
    'a tunnel',
    () => `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n`,
    'method_not_allowed',
  ],
  ['no host', () => 'GET /api/v1/info HTTP/1.0\r\n\r\n', 'origin_not_allowed'],
  [
    'a foreign host',
    () => `GET /api/v1/info HTTP/1.1\r\nHost: rebound.example:${port}\r\nConnection: close\r\n\r\n`,
    'origin_not_allowed',
  ],
  [
    'a foreign origin',
    () =>
      `GET /api/v1/info HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n`,
    'origin_not_allowed',
  ],
  [
    'a foreign origin on a console file',
    () => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: null\r\nConnection: close\r\n\r\n`,
    'origin_not_allowed',
  ],
  [
    'an upgrade of a plain resource',
    () =>
      `GET /api/v1/info HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'invalid_argument',
  ],
  [
    'an upgrade of nothing',
    () =>
      `GET /api/v1/nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'endpoint_not_found',
  ],
  [
    'a query of the event stream beyond the limit',
    () =>
      `GET /api/v1/messages/stream?channel=${'x'.repeat(17_000)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
    'headers_too_large',
  ],
  [
    'an event id that is none',
    () =>
      `GET /api/v1/messages/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nLast-Event-ID: 1\r\nLast-Event-ID: 2\r\nConnection: close\r\n\r\n`,
    'invalid_argument',
  ],
  [
    'an upgrade of the event stream',
    () =>
      `GET /api/v1/messages/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'invalid_argument',
  ],
  [
    'a WebSocket without a key',
    () =>
      `GET /api/v1/messages/ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: svc.frames.v2\r\n\r\n`,
    'invalid_argument',
  ],
  [
    'an upgrade from a foreign origin',
    () =>
      `GET /api/v1/info HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'origin_not_allowed',
  ],
];

/** Headers that announce a body or an upgrade, on a path that supports neither. */
const heads: [line: string, headers: Record<string, string>, code: Code][] = [
  [
    'POST /api/v1/info',
    { 'content-type': 'text/plain', 'content-length': '1' },
    'method_not_allowed',
  ],
  [
    'POST /api/v1/nope',
    { 'content-type': 'text/plain', 'content-length': '1' },
    'endpoint_not_found',
  ],
  ['POST /', { 'content-type': 'text/plain', 'content-length': '1' }, 'method_not_allowed'],
  ['GET /api/v1/info', { 'content-length': '5' }, 'invalid_argument'],
  ['GET /api/v1/info', { 'content-length': '70000' }, 'payload_too_large'],
  ['GET /api/v1/info', { 'transfer-encoding': 'chunked' }, 'invalid_argument'],
  [
    `POST ${execute}`,
    { 'content-encoding': 'gzip', 'content-length': '5' },
    'unsupported_media_type',
  ],
  [
    `POST ${execute}`,
    { expect: '100-continue', 'content-length': '99000000' },
    'payload_too_large',
  ],
  [
    `POST ${execute}`,
    { upgrade: 'h2c', connection: 'upgrade', 'content-length': '2' },
    'invalid_argument',
  ],
  ['GET /api/v1/info', { Host: 'second.example' }, 'invalid_argument'],
];

describe('a hostile head', () => {
  it.each(heads)('is refused before a body is read: %s %j', async (line, headers, code) => {
    const own = { host: `127.0.0.1:${port}`, connection: 'close', ...headers };
    const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`);
    expectRefusal(
      await sendRaw(port, `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\nx`),
      code,
    );
  });

  it('that offers HTTP/2 is answered as if it did not', async () => {
    const lines = [
      'GET /api/v1/info HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    ];
    const answer = await sendRaw(port, `${lines.join('\r\n')}\r\n\r\n`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"product":"Busbar"');
  });

  it('with the whole address as its target is answered', async () => {
    const host = `127.0.0.1:${port}`;
    const lines = [`GET http://${host}/api/v1/info HTTP/1.1`, `Host: ${host}`, 'Connection: close'];
    expect((await sendRaw(port, `${lines.join('\r\n')}\r\n\r\n`)).status).toBe(200);
  });
});

describe('hostile bytes', () => {
  it.each(wires)('are refused: %s', async (_, bytes, code) => {
    expectRefusal(await sendRaw(port, bytes()), code);
  });

  it('of a request that breaks off are dropped', async () => {
    const body = `POST ${execute} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100\r\n\r\n{"op`;
    const { createConnection } = await import('node:net');
    await new Promise<void>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => {
        socket.write(body, () => {
          socket.destroy();
          resolve();
        });
      });
    });
  });
});

describe('after all that', () => {
  it('the service is healthy and kept its one log record per event', async () => {
    const health = await ask({ port, path: '/api/v1/health' });
    expect(health.status).toBe(200);
    expect(health.json()).toMatchObject({ status: 'ok', web: { log_records_dropped: 0 } });
    for (const line of bench.log.trimEnd().split('\n')) {
      expect(JSON.parse(line)).toHaveProperty('event');
    }
    const defects = bench.log.split('\n').filter((line) => /runtime_error|"defect"/.test(line));
    expect(defects).toEqual([]);
  });
});
