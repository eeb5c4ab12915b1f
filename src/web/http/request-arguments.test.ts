import { describe, expect, it } from 'vitest';
import { BusbarError, type ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { HttpBinding, Operation } from '../../operations/define.ts';
import {
  partDrop,
  partList,
  partMove,
  partReport,
  partShow,
} from '../../operations/testing/sample-operations.ts';
import { argumentsOf } from './request.ts';

interface Parts {
  readonly query?: string;
  readonly params?: Record<string, string>;
  readonly body?: unknown;
}

const gather = (operation: Operation, { query = '', params = {}, body }: Parts): object =>
  argumentsOf(operation, operation.http as HttpBinding, {
    target: `/x${query}`,
    params,
    body,
  });

const refusalOf = (operation: Operation, parts: Parts): ErrorRecord => {
  try {
    gather(operation, parts);
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown.toRecord();
    throw thrown;
  }
  throw new Error(`nothing was refused of ${JSON.stringify(parts)}`);
};

describe('arguments from a query', () => {
  it.each<[query: string, values: object]>([
    ['', {}],
    ['?limit=5', { limit: 5 }],
    ['?limit=5&spare=true&min_mass=0.5', { limit: 5, spare: true, min_mass: 0.5 }],
    ['?tag=a', { tag: ['a'] }],
    ['?tag=a&limit=1&tag=b%20c', { tag: ['a', 'b c'], limit: 1 }],
    ['?level=1&level=-2', { level: [1, -2] }],
    ['?tag=', { tag: [''] }],
    // Ranges are checked with all other input, not here.
    ['?limit=5000', { limit: 5000 }],
  ])('are read by their types: %s', (query, values) => {
    expect(gather(partList, { query })).toEqual(values);
  });

  it.each<[query: string, field: string, reason: string | undefined]>([
    ['?other=1', 'other', 'unknown_field'],
    ['?Limit=1', 'Limit', 'unknown_field'],
    ['?__proto__=1', '__proto__', 'unknown_field'],
    ['?limit=1&limit=1', 'limit', 'duplicate_key'],
    ['?spare=true&spare=false', 'spare', 'duplicate_key'],
    ['?limit=x', 'limit', undefined],
    ['?limit=', 'limit', undefined],
    ['?limit', 'limit', undefined],
    ['?spare', 'spare', undefined],
    ['?level=1&level=x', 'level', undefined],
    ['?tag=a%00b', 'tag', undefined],
    ['?tag=%', 'query', 'syntax'],
  ])('are refused with the field named: %s', (query, field, reason) => {
    const { code, details } = refusalOf(partList, { query });
    expect(code).toBe('invalid_argument');
    expect(details).toEqual(reason === undefined ? { field } : { field, reason });
  });

  it('are none where everything belongs in the body', () => {
    const parts = { query: '?note=x', params: { part_id: 'p' }, body: { store: 'left' } };
    expect(refusalOf(partMove, parts).details).toMatchObject({ field: 'note' });
  });

  it('do not repeat what is in the path', () => {
    const parts = { query: '?part_id=q', params: { part_id: 'p' } };
    expect(refusalOf(partShow, parts).details).toMatchObject({ field: 'part_id' });
  });
});

describe('arguments from a path', () => {
  it('join those from elsewhere', () => {
    const params = { part_id: 'p/1' };
    expect(gather(partShow, { params })).toEqual({ part_id: 'p/1' });
    expect(gather(partDrop, { params, query: '?force=true' })).toEqual({
      part_id: 'p/1',
      force: true,
    });
    expect(gather(partMove, { params, body: { store: 'left', note: 'x' } })).toEqual({
      part_id: 'p/1',
      store: 'left',
      note: 'x',
    });
  });

  it('hold no NUL', () => {
    const { code, details } = refusalOf(partShow, { params: { part_id: 'a\0' } });
    expect({ code, details }).toEqual({ code: 'invalid_argument', details: { field: 'part_id' } });
  });
});

describe('arguments from a body', () => {
  const params = { part_id: 'p1' };

  it('are whatever it holds, to be judged with all other input', () => {
    const body = { store: 7, other: null };
    expect(gather(partMove, { params, body })).toEqual({ ...body, part_id: 'p1' });
  });

  it('may be missing altogether', () => {
    expect(gather(partMove, { params })).toEqual({ part_id: 'p1' });
    expect(gather(partReport, {})).toEqual({});
  });

  it.each([[null], [[]], ['text'], [7], [true]])('must be an object, not %j', (body) => {
    const { code, details } = refusalOf(partMove, { params, body });
    expect({ code, details }).toEqual({
      code: 'invalid_argument',
      details: { field: '', reason: 'type' },
    });
  });

  it('cannot stand in for the path', () => {
    const body = { store: 'left', part_id: 'p2' };
    expect(refusalOf(partMove, { params, body })).toMatchObject({
      message: 'part_id must be in the path',
      details: { field: 'part_id', reason: 'unknown_field' },
    });
  });

  it.each([{}, null, 0])('are refused where none are taken: %j', (body) => {
    expect(refusalOf(partDrop, { params, body })).toMatchObject({ code: 'invalid_argument' });
  });
});
