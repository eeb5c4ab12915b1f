import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/http.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually, Workbench } from '../support/workbench.ts';
import { range, StreamBench } from './support/stream-bench.ts';

const v2 = 'svc.frames.v2';

interface Handshake {
  readonly line?: string;
  readonly headers?: Record<string, string | null>;
  readonly body?: string;
}

const handshake = (port: number, { line, headers, body = '' }: Handshake): string => {
  const all: Record<string, string | null> = {
    Host: `127.0.0.1:${port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': v2,
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return `${[line ?? 'GET /api/v1/messages/ws HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n${body}`;
};

describe('a handshake for the frame stream', () => {
  const workbench = new Workbench();
  let bench: StreamBench;

  beforeAll(async () => {
    bench = await StreamBench.start({}, workbench);
  });
  afterAll(() => workbench.dispose());

  it.each([
    ['no subprotocol', null],
    ['an empty list', ''],
    ['the first version', 'svc.frames.v1'],
    ['an unknown one', 'chat'],
    ['several without the right one', 'svc.frames.v1, chat, svc.frames.v3'],
    ['a token only', 'svc.token.secret'],
    ['another spelling', 'SVC.FRAMES.V2'],
    ['the name in quotes', '"svc.frames.v2"'],
    ['a prefix of it', 'svc.frames'],
    ['more than it', 'svc.frames.v2x'],
  ])('that offers %s is refused before the upgrade', async (_, protocols) => {
    const headers = { 'Sec-WebSocket-Protocol': protocols };
    const answer = await sendRaw(bench.port, handshake(bench.port, { headers }));
    expect(answer.status).toBe(400);
    const { error, request_id } = answer.json();
    expect(error).toMatchObject({
      code: 'unsupported_websocket_subprotocol',
      retryable: false,
      details: { required: v2 },
    });
    expect(answer.headers['x-request-id']).toBe(request_id);
    expect(answer.headers.upgrade).toBeUndefined();
    expect(JSON.stringify(answer.headers) + answer.text).not.toContain('secret');
  });

  it.each([
    [[v2]],
    [['svc.frames.v1', v2]],
    [[v2, 'svc.frames.v1']],
    [['chat', v2, 'svc.token.whatever']],
  ])('that offers %j gets version 2, which it is told', async (protocols) => {
    const client = await FrameClient.open({ port: bench.port, protocols });
    expect(client.socket.protocol).toBe(v2);
  });

  it('is answered with what a WebSocket needs and no more', async () => {
    const socket = createConnection(bench.port, '127.0.0.1');
    const headers = {
      'Sec-WebSocket-Protocol': `svc.frames.v1,  ${v2},,svc.token.hush`,
      'Sec-WebSocket-Extensions': 'permessage-deflate',
    };
    socket.write(handshake(bench.port, { headers }));
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    await eventually(() => text.includes('\r\n\r\n'));
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 101 /);
    expect(text).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(text).toMatch(/Sec-WebSocket-Protocol: svc\.frames\.v2\r\n/);
    expect(text).toMatch(/x-request-id: [0-9a-f-]{36}/);
    expect(text).not.toMatch(/hush|v1|extensions/i);
  });

  const refusals: [name: string, request: Handshake, status: number, code: string][] = [
    ['no key', { headers: { 'Sec-WebSocket-Key': null } }, 400, 'invalid_argument'],
    ['a short key', { headers: { 'Sec-WebSocket-Key': 'c2hvcnQ=' } }, 400, 'invalid_argument'],
    ['no version', { headers: { 'Sec-WebSocket-Version': null } }, 400, 'invalid_argument'],
    ['version 8', { headers: { 'Sec-WebSocket-Version': '8' } }, 400, 'invalid_argument'],
    ['POST', { line: 'POST /api/v1/messages/ws HTTP/1.1' }, 405, 'method_not_allowed'],
    ['HEAD', { line: 'HEAD /api/v1/messages/ws HTTP/1.1' }, 405, 'method_not_allowed'],
    ['another path', { line: 'GET /api/v1/messages/wsx HTTP/1.1' }, 404, 'endpoint_not_found'],
    ['a longer path', { line: 'GET /api/v1/messages/ws/ HTTP/1.1' }, 404, 'endpoint_not_found'],
    ['the event stream', { line: 'GET /api/v1/messages/stream HTTP/1.1' }, 400, 'invalid_argument'],
    ['a console file', { line: 'GET / HTTP/1.1' }, 404, 'endpoint_not_found'],
    ['a foreign origin', { headers: { Origin: 'http://evil.example' } }, 403, 'origin_not_allowed'],
    ['a null origin', { headers: { Origin: 'null' } }, 403, 'origin_not_allowed'],
    ['a foreign host', { headers: { Host: 'rebound.example' } }, 403, 'origin_not_allowed'],
    ['no channel', { line: 'GET /api/v1/messages/ws?channel= HTTP/1.1' }, 400, 'invalid_argument'],
    [
      'a channel that is not there',
      { line: 'GET /api/v1/messages/ws?channel=nobody HTTP/1.1' },
      404,
      'channel_not_found',
    ],
    [
      'a channel that is not open',
      { line: 'GET /api/v1/messages/ws?channel=SIM00001/2 HTTP/1.1' },
      409,
      'channel_not_open',
    ],
    [
      'a malformed channel',
      { line: 'GET /api/v1/messages/ws?channel=SIM00001/ HTTP/1.1' },
      400,
      'invalid_channel_selector',
    ],
    ['NUL', { line: 'GET /api/v1/messages/ws?channel=%00 HTTP/1.1' }, 400, 'invalid_argument'],
    ['after=-1', { line: 'GET /api/v1/messages/ws?after=-1 HTTP/1.1' }, 400, 'invalid_argument'],
    ['after=1e3', { line: 'GET /api/v1/messages/ws?after=1e3 HTTP/1.1' }, 400, 'invalid_argument'],
    [
      'an id beyond all numbers',
      { line: 'GET /api/v1/messages/ws?after=9007199254740993 HTTP/1.1' },
      400,
      'invalid_argument',
    ],
    ['an unknown field', { line: 'GET /api/v1/messages/ws?x=1 HTTP/1.1' }, 400, 'invalid_argument'],
    [
      'too many channels',
      {
        line: `GET /api/v1/messages/ws?${range(1, 65)
          .map(() => 'channel=0')
          .join('&')} HTTP/1.1`,
      },
      400,
      'invalid_argument',
    ],
    [
      'a query beyond all headers',
      { line: `GET /api/v1/messages/ws?channel=${'x'.repeat(17_000)} HTTP/1.1` },
      431,
      'headers_too_large',
    ],
    ['a body', { headers: { 'Content-Length': '5' }, body: 'hello' }, 400, 'invalid_argument'],
    [
      'a body in chunks',
      { headers: { 'Transfer-Encoding': 'chunked' }, body: '0\r\n\r\n' },
      400,
      'invalid_argument',
    ],
  ];

  it.each(refusals)('with %s is refused', async (_, request, status, code) => {
    const answer = await sendRaw(bench.port, handshake(bench.port, request));
    expect(answer.status, answer.text).toBe(status);
    if (!request.line?.startsWith('HEAD')) expect(answer.json().error.code).toBe(code);
  });

  it('without an upgrade is told that the path speaks WebSocket only', async () => {
    const plain = await bench.get('/messages/ws');
    expect(plain.status).toBe(400);
    expect(plain.json().error.code).toBe('unsupported_websocket_subprotocol');
    const offered = await bench.get('/messages/ws', { 'sec-websocket-protocol': v2 });
    expect(offered.json().error).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'upgrade' },
    });
  });

  it('that comes a byte at a time is served like any other', async () => {
    const socket = createConnection(bench.port, '127.0.0.1');
    socket.setNoDelay(true);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    const bytes = handshake(bench.port, {});
    for (const byte of bytes.slice(0, -1)) {
      await new Promise<void>((resolve) => socket.write(byte, () => resolve()));
    }
    expect(text).toBe('');
    socket.write(bytes.slice(-1));
    await eventually(() => text.startsWith('HTTP/1.1 101 '));
    socket.destroy();
  });

  it('that breaks off costs nothing', async () => {
    const bytes = handshake(bench.port, {});
    for (const length of [1, 20, bytes.length - 1, bytes.length]) {
      await new Promise<void>((resolve) => {
        const socket = createConnection(bench.port, '127.0.0.1', () => {
          socket.write(bytes.slice(0, length), () => {
            socket.destroy();
            resolve();
          });
        });
      });
    }
    await eventually(async () => (await bench.broker(0)).consumers.length === 0);
    expect((await bench.get('/health')).json().status).toBe('ok');
  });
});

describe('a frame stream behind a token', () => {
  const token = 'let-me-in';
  const authorization = `Bearer ${token}`;
  const workbench = new Workbench();
  let bench: StreamBench;

  beforeAll(async () => {
    const headers = { authorization };
    bench = await StreamBench.start({ web: [`--token=${token}`], headers }, workbench);
  });
  afterAll(() => workbench.dispose());

  it.each([
    ['a subprotocol beside it', { protocols: [v2, `svc.token.${token}`] }],
    ['a subprotocol before it', { protocols: [`svc.token.${token}`, v2] }],
    ['a header', { headers: { authorization } }],
    ['a header, with a foreign origin', { headers: { authorization, origin: 'http://a.example' } }],
  ])('opens to the token in %s, which is never echoed', async (_, options) => {
    const client = await FrameClient.open({ port: bench.port, ...options });
    expect(client.socket.protocol).toBe(v2);
  });

  it.each([
    ['none', { protocols: [v2] }],
    ['a wrong one', { protocols: [v2, 'svc.token.let-me-out'] }],
    ['an empty one', { protocols: [v2, 'svc.token.'] }],
    [
      'a wrong header beside the right subprotocol',
      {
        protocols: [v2, `svc.token.${token}`],
        headers: { authorization: 'Bearer let-me-out' },
      },
    ],
    ['a wrong one and a wrong subprotocol', { protocols: ['svc.frames.v1', 'svc.token.x'] }],
    ['a wrong one and a wrong query', { path: '/api/v1/messages/ws?after=x' }],
    ['one in the query', { path: `/api/v1/messages/ws?token=${token}` }],
  ])('stays shut to %s with 401, whatever else is wrong', async (_, options) => {
    const { status, body } = await FrameClient.refusal({ port: bench.port, ...options });
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'unauthorized' });
  });

  it('tells who has the token what else is wrong', async () => {
    const protocols = ['svc.frames.v1', `svc.token.${token}`];
    const { status, body } = await FrameClient.refusal({ port: bench.port, protocols });
    expect(status).toBe(400);
    expect(body.error.code).toBe('unsupported_websocket_subprotocol');
    expect(JSON.stringify(body)).not.toContain(token);
  });

  it('leaves no trace of the token in the log', () => {
    expect(workbench.log).not.toContain(token);
  });
});
