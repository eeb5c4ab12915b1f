import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errorOfParser } from './http-server.ts';
import { answerBareSocket, errorResponse, securityHeaders } from './response.ts';

class Wire extends Duplex {
  sent = '';

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.sent += chunk;
    done();
  }
}

const response = errorResponse(
  new BusbarError('request_timeout', { message: 'Zu spät' }),
  'request-1',
);

describe('answerBareSocket', () => {
  it('writes a whole response and hangs up', () => {
    const wire = new Wire();
    answerBareSocket(wire, response);
    const [head = '', body] = wire.sent.split('\r\n\r\n');
    const [status, ...lines] = head.split('\r\n');
    expect(status).toBe('HTTP/1.1 408 Request Timeout');
    expect(Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))).toEqual({
      ...securityHeaders,
      ...response.headers,
      'content-length': String(Buffer.byteLength(response.body)),
      connection: 'close',
    });
    expect(body).toBe(response.body);
    expect(wire.writableEnded).toBe(true);
  });

  it('only lets go of a socket that cannot be written to', () => {
    const wire = new Wire();
    wire.end();
    answerBareSocket(wire, response);
    expect(wire.sent).toBe('');
    expect(wire.destroyed).toBe(true);
  });
});

describe('errorOfParser', () => {
  it.each([
    ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
    ['HPE_INVALID_METHOD', 'invalid_argument'],
    ['HPE_INVALID_CONTENT_LENGTH', 'invalid_argument'],
    [undefined, 'invalid_argument'],
  ])('reads %s as %s', (theirs, ours) => {
    expect(errorOfParser(theirs)?.code).toBe(ours);
  });

  it.each(['ECONNRESET', 'EPIPE'])('has no client to tell about %s', (code) => {
    expect(errorOfParser(code)).toBeNull();
  });
});
