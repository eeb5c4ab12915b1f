import { describe, expect, it } from 'vitest';
import { bearerToken, Guard, subprotocolToken, Token } from './guard.ts';

const listener = { host: '127.0.0.1', port: 8080 };
const api = { needsToken: true, upgrade: false };

const outcome = (check: () => void): string => {
  try {
    check();
    return 'served';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('Guard without a token', () => {
  const guard = new Guard(null, listener);

  it.each([
    [{ host: '127.0.0.1:8080' }, 'served'],
    [{ host: 'localhost:8080' }, 'served'],
    [{ host: 'LOCALHOST:8080' }, 'served'],
    [{ host: '[::1]:8080' }, 'served'],
    [{ host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }, 'served'],
    [{}, 'origin_not_allowed'],
    [{ host: '127.0.0.1' }, 'origin_not_allowed'],
    [{ host: '127.0.0.1:80' }, 'origin_not_allowed'],
    [{ host: 'rebound.example:8080' }, 'origin_not_allowed'],
    [{ host: '127.0.0.1.evil.example:8080' }, 'origin_not_allowed'],
    [{ host: '127.0.0.1:8080', origin: 'http://evil.example' }, 'origin_not_allowed'],
    [{ host: '127.0.0.1:8080', origin: 'http://localhost:8080' }, 'origin_not_allowed'],
    [{ host: '127.0.0.1:8080', origin: 'https://127.0.0.1:8080' }, 'origin_not_allowed'],
    [{ host: '127.0.0.1:8080', origin: 'null' }, 'origin_not_allowed'],
    [{ host: '127.0.0.1:8080', origin: '' }, 'origin_not_allowed'],
  ])('judges %j as %s', (headers, expected) => {
    expect(outcome(() => guard.check({ headers, ...api }))).toBe(expected);
  });

  it('takes the plain host name on the default port only', () => {
    const onDefault = new Guard(null, { host: '127.0.0.1', port: 80 });
    expect(outcome(() => onDefault.check({ headers: { host: 'localhost' }, ...api }))).toBe(
      'served',
    );
  });
});

describe('Guard with a token', () => {
  const guard = new Guard(new Token('s3cret'), { host: '0.0.0.0', port: 8080 });

  it.each([
    [{ authorization: 'Bearer s3cret' }, 'served'],
    [{ authorization: 'bearer s3cret' }, 'served'],
    [{ authorization: 'Bearer s3cre' }, 'unauthorized'],
    [{ authorization: 'Bearer s3cret2' }, 'unauthorized'],
    [{ authorization: 'Basic s3cret' }, 'unauthorized'],
    [{ authorization: 's3cret' }, 'unauthorized'],
    [{ authorization: 'Bearer ' }, 'unauthorized'],
    [{}, 'unauthorized'],
    [{ 'sec-websocket-protocol': 'svc.token.s3cret' }, 'unauthorized'],
  ])('judges %j as %s', (headers, expected) => {
    expect(outcome(() => guard.check({ headers, ...api }))).toBe(expected);
  });

  it('takes the token as a subprotocol of an upgrade', () => {
    const upgrade = (offer: string) => ({
      headers: { 'sec-websocket-protocol': offer },
      needsToken: true,
      upgrade: true,
    });
    expect(outcome(() => guard.check(upgrade('svc.frames.v2, svc.token.s3cret')))).toBe('served');
    expect(outcome(() => guard.check(upgrade('svc.frames.v2, svc.token.x')))).toBe('unauthorized');
    expect(outcome(() => guard.check(upgrade('svc.token.x, svc.token.s3cret')))).toBe(
      'unauthorized',
    );
  });

  it('serves console files to everyone', () => {
    expect(outcome(() => guard.check({ headers: {}, needsToken: false, upgrade: false }))).toBe(
      'served',
    );
  });
});

describe('tokens in headers', () => {
  it('are found where the scheme is Bearer', () => {
    expect(bearerToken('Bearer abc')).toBe('abc');
    expect(bearerToken('Bearer a b')).toBeNull();
    expect(bearerToken(undefined)).toBeNull();
  });

  it('are found among subprotocols', () => {
    expect(subprotocolToken('svc.frames.v2,svc.token.abc')).toBe('abc');
    expect(subprotocolToken('svc.frames.v2')).toBeNull();
    expect(subprotocolToken(undefined)).toBeNull();
  });
});
