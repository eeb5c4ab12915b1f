import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, securityHeaders } from './response.ts';

const directives = new Map(
  contentSecurityPolicy.split('; ').map((text) => {
    const [name = '', ...sources] = text.split(' ');
    return [name, sources] as const;
  }),
);

describe('the content security policy', () => {
  it('forbids everything that is not allowed by name', () => {
    expect(directives.get('default-src')).toEqual(["'none'"]);
  });

  it('runs scripts of its own files only', () => {
    expect(directives.get('script-src')).toEqual(["'self'"]);
    expect(contentSecurityPolicy).not.toContain('unsafe-eval');
  });

  it('allows inline style, and inline nothing else', () => {
    expect(directives.get('style-src')).toEqual(["'self'", "'unsafe-inline'"]);
    expect(contentSecurityPolicy.match(/unsafe-/g)).toHaveLength(1);
  });

  it('loads nothing from anywhere else', () => {
    const sources = new Set([...directives.values()].flat());
    expect([...sources].sort()).toEqual(["'none'", "'self'", "'unsafe-inline'", 'data:']);
  });

  it('names every directive once', () => {
    expect(directives.size).toBe(contentSecurityPolicy.split('; ').length);
  });
});

describe('the security headers', () => {
  it('hold the policy and keep browsers from guessing, framing and telling', () => {
    expect(securityHeaders).toMatchObject({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  });

  it('open nothing to other origins', () => {
    const names = Object.keys(securityHeaders);
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(names).toEqual(names.map((name) => name.toLowerCase()));
  });

  it('promise no encryption that the server does not have', () => {
    expect(securityHeaders).not.toHaveProperty('strict-transport-security');
    expect(contentSecurityPolicy).not.toContain('upgrade-insecure-requests');
  });
});
