import { describe, expect, it } from 'vitest';
import { methodsOf } from '../../operations/http-parameters.ts';
import { partList, sampleOperations } from '../../operations/testing/sample-operations.ts';
import { Router } from './router.ts';

describe('methodsOf', () => {
  it('adds HEAD to every GET and nothing to anything else', () => {
    const at = (method: 'GET' | 'POST' | 'DELETE') =>
      methodsOf({ method, path: '/a', success: 200 });
    expect([at('GET'), at('POST'), at('DELETE')]).toEqual([['GET', 'HEAD'], ['POST'], ['DELETE']]);
  });
});

describe('Router', () => {
  const routes = new Router(sampleOperations);

  it('lists every path once with all its methods', () => {
    expect(routes.resources).toEqual([
      { path: '/api/v1/parts', methods: ['GET', 'HEAD'] },
      { path: '/api/v1/parts/{part_id}', methods: ['GET', 'HEAD', 'DELETE'] },
      { path: '/api/v1/parts/{part_id}/moves', methods: ['POST'] },
      { path: '/report', methods: ['GET', 'HEAD'] },
    ]);
  });

  it.each([
    ['/api/v1/parts', ['GET', 'HEAD']],
    ['/api/v1/parts/p1', ['GET', 'HEAD', 'DELETE']],
    ['/api/v1/parts/a%2Fb', ['GET', 'HEAD', 'DELETE']],
    ['/api/v1/parts/p1/moves', ['POST']],
    ['/api/v1/parts/', []],
    ['/api/v1/parts//moves', []],
    ['/api/v1/parts/p1/other', []],
    ['/api/v1/parts/p1/moves/', []],
    ['/API/v1/parts', []],
    ['/api/v1', []],
    ['/', []],
    ['', []],
  ])('knows what %s takes', (path, methods) => {
    expect(routes.methodsAt(path)).toEqual(methods);
  });

  it('prefers a fixed word to a placeholder in its position', () => {
    const named = {
      ...partList,
      http: { method: 'PUT', path: '/a/{x}/{y}', success: 200 },
    } as const;
    const fixed = {
      ...partList,
      http: { method: 'GET', path: '/a/{x}/news', success: 200 },
    } as const;
    const router = new Router([named, fixed]);
    expect(router.methodsAt('/a/1/news')).toEqual(['GET', 'HEAD']);
    expect(router.match('PUT', '/a/1/news')).toMatchObject({
      route: null,
      refusal: { code: 'method_not_allowed', details: { allow: ['GET', 'HEAD'] } },
    });
    expect(router.match('PUT', '/a/1/oth%65r').route).toMatchObject({
      http: { path: '/a/{x}/{y}' },
      params: { x: '1', y: 'other' },
    });
  });

  it('does not take a path for a template', () => {
    const literal = { ...partList, http: { method: 'GET', path: '/a.b', success: 200 } } as const;
    expect(new Router([literal]).methodsAt('/axb')).toEqual([]);
  });

  it.each<[line: string, outcome: object | null]>([
    ['GET /api/v1/parts/', { part_id: '' }],
    ['POST /api/v1/parts//moves', { part_id: '' }],
    ['GET /api/v1/parts/a%2Fb%3F', { part_id: 'a/b?' }],
    [`GET /api/v1/parts/${'x'.repeat(4096)}`, { part_id: 'x'.repeat(4096) }],
    [`GET /api/v1/parts/${'x'.repeat(4097)}`, null],
    ['GET /api/v1/parts/p1/moves/', null],
  ])('finds the parameters of %s', (line, params) => {
    const [method = '', path = ''] = line.split(' ');
    const { route, refusal } = routes.match(method, path);
    expect(route?.params ?? null).toEqual(params);
    expect(refusal?.code).toBe(params === null ? 'endpoint_not_found' : undefined);
  });

  it.each([
    ['GET /', undefined],
    ['HEAD /index.html', undefined],
    ['GET *', undefined],
    ['POST /', 'method_not_allowed'],
    ['GET /API/v1/parts', 'endpoint_not_found'],
    ['PUT /api/v1/parts', 'method_not_allowed'],
    ['PUT /api/v1/parts/', 'endpoint_not_found'],
    ['GET /%zz', 'invalid_argument'],
    ['PUT /api/v1/parts/%zz', 'invalid_argument'],
  ])('leaves %s to the console files, or refuses it: %s', (line, code) => {
    const [method = '', path = ''] = line.split(' ');
    const { route, refusal } = routes.match(method, path);
    expect([route, refusal?.code]).toEqual([null, code]);
  });
});
