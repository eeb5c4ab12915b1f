import { describe, expect, it } from 'vitest';
import type { HttpBinding, HttpMethod } from './define.ts';
import { parametersIn, pathParameters, placeOf } from './http-parameters.ts';
import { partDrop, partList, partMove } from './testing/sample-operations.ts';

const at = (method: HttpMethod, path: string): HttpBinding => ({ method, path, success: 200 });

describe('pathParameters', () => {
  it.each([
    ['/api/v1/info', []],
    ['/api/v1/jobs/{job_id}', ['job_id']],
    ['/a/{one}/b/{two_words}/c', ['one', 'two_words']],
  ])('finds those of %s', (path, names) => {
    expect(pathParameters(path)).toEqual(names);
  });
});

describe('placeOf', () => {
  it.each([
    ['GET', 'query'],
    ['DELETE', 'query'],
    ['POST', 'body'],
    ['PUT', 'body'],
    ['PATCH', 'body'],
  ] as const)('puts what the path of a %s does not name into the %s', (method, place) => {
    const binding = at(method, '/parts/{part_id}');
    expect(placeOf(binding, 'note')).toBe(place);
    expect(placeOf(binding, 'part_id')).toBe('path');
    // A name within a name is a different parameter.
    expect(placeOf(binding, 'part')).toBe(place);
  });
});

describe('parametersIn', () => {
  it('deals out every parameter once', () => {
    const { http } = partMove as { http: HttpBinding };
    expect(parametersIn(partMove, http, 'path')).toEqual(['part_id']);
    expect(parametersIn(partMove, http, 'query')).toEqual([]);
    expect(parametersIn(partMove, http, 'body')).toEqual(['store', 'note', 'plan_file']);
  });

  it.each([partList, partDrop])('leaves no body to $id', (operation) => {
    expect(parametersIn(operation, operation.http as HttpBinding, 'body')).toEqual([]);
  });
});
