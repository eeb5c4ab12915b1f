import { describe, expect, it } from 'vitest';
import type { ApiOperation } from './api-operations.ts';
import { checkRequest, curlText, firstParameters } from './request-draft.ts';

const origin = 'http://127.0.0.1:8080';

describe('a request as a command line', () => {
  it('is short where there is nothing to say', () => {
    expect(
      curlText(
        { method: 'GET', path: '/api/v1/health', body: undefined },
        { origin, needsToken: false },
      ),
    ).toBe("curl 'http://127.0.0.1:8080/api/v1/health'");
  });

  it('carries method, type and body, safe from the shell', () => {
    expect(
      curlText(
        { method: 'POST', path: '/api/v1/channels', body: '{\n  "name": "driver\'s"\n}' },
        { origin, needsToken: false },
      ),
    ).toBe(
      `curl -X POST 'http://127.0.0.1:8080/api/v1/channels' -H 'Content-Type: application/json' --data '{"name":"driver'\\''s"}'`,
    );
  });

  it('takes the token from the environment where one is needed', () => {
    expect(
      curlText({ method: 'GET', path: '/metrics', body: undefined }, { origin, needsToken: true }),
    ).toContain('-H "Authorization: Bearer $BUSBAR_TOKEN"');
  });

  it('follows a stream without holding anything back', () => {
    expect(
      curlText(
        { method: 'GET', path: '/s', body: undefined },
        { origin, needsToken: false, isStream: true },
      ),
    ).toBe("curl -N 'http://127.0.0.1:8080/s'");
  });
});

const operation: ApiOperation = {
  id: 'channel.configure',
  method: 'PATCH',
  path: '/api/v1/channels/{selector}',
  summary: '',
  description: null,
  permission: 'operate',
  parameters: [
    { name: 'selector', in: 'path', required: true, schema: { type: 'string', examples: ['a/0'] } },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 10 } },
    { name: 'channel', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
  ],
  body: {
    schema: {
      type: 'object',
      required: ['mode'],
      properties: { mode: { enum: ['normal', 'loopback'] } },
      additionalProperties: false,
    },
  },
  stream: null,
};
const check = (parameters: Record<string, string>, body = '{"mode":"normal"}') =>
  checkRequest(operation, { parameters, body }, {});

describe('a request that is typed', () => {
  it('puts its parameters in their places', () => {
    expect(check({ selector: 'SIM00001/0', limit: '5', channel: 'a/0, b/1' }).request).toEqual({
      method: 'PATCH',
      path: '/api/v1/channels/SIM00001%2F0?limit=5&channel=a%2F0&channel=b%2F1',
      body: '{"mode":"normal"}',
    });
  });

  it('leaves out what is empty', () => {
    expect(check({ selector: 'x', limit: ' ', channel: '' }).request?.path).toBe(
      '/api/v1/channels/x',
    );
  });

  it('is refused at each field that does not fit the contract', () => {
    expect(check({ limit: '11' }, '{"mode":"warp","x":1}').problems).toEqual([
      { field: 'selector', message: 'Required' },
      { field: 'limit', message: 'Must be at most 10' },
      { field: 'x', message: 'Unknown field' },
      { field: 'mode', message: 'Must be one of normal, loopback' },
    ]);
  });

  it('is refused where its body is no JSON', () => {
    const [problem] = check({ selector: 'x' }, '{').problems;
    expect(problem?.field).toBe('');
    expect(problem?.message).toContain('Invalid JSON');
  });

  it('begins with the examples of what is required', () => {
    expect(firstParameters(operation)).toEqual({ selector: 'a/0' });
  });
});
