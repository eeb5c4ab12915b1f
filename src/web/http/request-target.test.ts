import { describe, expect, it } from 'vitest';
import { pathnameOf, queryFields } from './request.ts';
import { isProtectedPath } from './router.ts';

describe('pathnameOf', () => {
  it.each([
    ['/a/b', '/a/b'],
    ['/a?x=1', '/a'],
    ['/a?x=1?y', '/a'],
    ['/a#part', '/a'],
    ['/a#part?x', '/a'],
    ['/a%3Fb', '/a%3Fb'],
    ['*', '*'],
    ['', ''],
  ])('of %j is %j', (target, path) => {
    expect(pathnameOf(target)).toBe(path);
  });
});

describe('queryFields', () => {
  it.each<[target: string, fields: [string, string][]]>([
    ['/a', []],
    ['/a?', []],
    ['/a?&&', []],
    ['/a?x=1', [['x', '1']]],
    [
      '/a?x=1&y=2&x=3',
      [
        ['x', '1'],
        ['y', '2'],
        ['x', '3'],
      ],
    ],
    ['/a?x', [['x', '']]],
    ['/a?x=', [['x', '']]],
    ['/a?=1', [['', '1']]],
    ['/a?x=a=b', [['x', 'a=b']]],
    ['/a?x=a?b', [['x', 'a?b']]],
    ['/a?x=a+b%2Bc%20d', [['x', 'a b+c d']]],
    ['/a?%78=%C3%BC', [['x', 'ü']]],
    ['/a?x=%26%3D', [['x', '&=']]],
    ['/a?x=%2526', [['x', '%26']]],
    ['/a?__proto__=1', [['__proto__', '1']]],
  ])('of %s', (target, fields) => {
    expect(queryFields(target)).toEqual(fields);
  });

  it.each(['/a?x=%', '/a?x=%zz', '/a?%=1', '/a?x=%C3', '/a?x=%C0%AF', '/a?x=%ED%A0%80'])(
    'refuses what is not proper percent-encoding: %s',
    (target) => {
      expect(() => queryFields(target)).toThrow(
        expect.objectContaining({
          code: 'invalid_argument',
          details: { field: 'query', reason: 'syntax' },
        }),
      );
    },
  );
});

describe('isProtectedPath', () => {
  it.each([
    '/api',
    '/api/',
    '/api/v1/nothing',
    '/API/v1',
    '//api/v1',
    '///api',
    '/%61pi/v1',
    '/%61%70%69',
    '/api%2Fv1',
    '%2Fapi',
    '/metrics',
    '/metrics/',
    '/Metrics',
    '/api/%zz',
  ])('guards %s', (path) => {
    expect(isProtectedPath(path)).toBe(true);
  });

  it.each([
    '/',
    '/apis',
    '/api.js',
    '/apiary/index.html',
    '/metrics.html',
    '/docs/api',
    '*',
    '',
    '/%zz',
  ])('leaves %j to the console', (path) => {
    expect(isProtectedPath(path)).toBe(false);
  });
});
