import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type ErrorCode, errorCodes, errorTable } from '../../base/errors/table.ts';
import { errorResponse } from './response.ts';

const respond = (code: ErrorCode, details = {}) =>
  errorResponse(new BusbarError(code, { message: 'This once', details }), 'request-1');

describe('errorResponse', () => {
  it.each(errorCodes)('wraps %s in the envelope at its status', (code) => {
    const { status, headers, body } = respond(code, { n: 1n });
    expect(status).toBe(errorTable[code].status);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'request-1',
    });
    expect(JSON.parse(body)).toEqual({
      error: {
        code,
        message: expect.any(String),
        details: { n: 1 },
        retryable: errorTable[code].retryable,
      },
      request_id: 'request-1',
    });
  });

  it('brings along what HTTP wants to be told', () => {
    expect(respond('unauthorized').headers['www-authenticate']).toBe('Bearer');
    expect(respond('method_not_allowed', { allow: ['GET', 'HEAD'] }).headers.allow).toBe(
      'GET, HEAD',
    );
    expect(respond('method_not_allowed', { allow: [] }).headers.allow).toBe('');
    expect(respond('too_many_clients').headers['retry-after']).toBe('1');
  });

  it('tells nothing that is not asked for', () => {
    expect(Object.keys(respond('job_not_found', { allow: ['GET'] }).headers)).toEqual([
      'content-type',
      'cache-control',
      'x-request-id',
    ]);
  });

  it('shows nothing of a cause', () => {
    const error = new BusbarError('internal_error', { cause: new Error('secret') });
    expect(errorResponse(error, 'r').body).not.toContain('secret');
  });
});
