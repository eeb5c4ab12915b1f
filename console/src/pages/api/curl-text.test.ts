import { describe, expect, it } from 'vitest';
import { curlText } from './curl-text.ts';

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
