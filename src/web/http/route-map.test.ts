import { describe, expect, it } from 'vitest';
import { methodsOf } from '../../operations/http-parameters.ts';
import { partList, sampleOperations } from '../../operations/testing/sample-operations.ts';
import { RouteMap, routerPath } from './route-map.ts';

describe('routerPath', () => {
  it.each([
    ['/api/v1/info', '/api/v1/info'],
    ['/jobs/{job_id}', '/jobs/:job_id'],
    ['/a/{one}/b/{two}', '/a/:one/b/:two'],
  ])('spells %s for the router as %s', (path, spelt) => {
    expect(routerPath(path)).toBe(spelt);
  });
});

describe('methodsOf', () => {
  it('adds HEAD to every GET and nothing to anything else', () => {
    const at = (method: 'GET' | 'POST' | 'DELETE') =>
      methodsOf({ method, path: '/a', success: 200 });
    expect([at('GET'), at('POST'), at('DELETE')]).toEqual([['GET', 'HEAD'], ['POST'], ['DELETE']]);
  });
});

describe('RouteMap', () => {
  const routes = new RouteMap(sampleOperations);

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
    const map = new RouteMap([named, fixed]);
    expect(map.methodsAt('/a/1/news')).toEqual(['GET', 'HEAD']);
    expect([map.forbids('PUT', '/a/1/news'), map.forbids('PUT', '/a/1/other')]).toEqual([
      true,
      false,
    ]);
    expect(map.patternOf('PUT', '/a/1/other')).toBe('/a/{x}/{y}');
  });

  it('does not take a path for a template', () => {
    const literal = { ...partList, http: { method: 'GET', path: '/a.b', success: 200 } } as const;
    expect(new RouteMap([literal]).methodsAt('/axb')).toEqual([]);
  });
});
