import { describe, expect, it } from 'vitest';

import published from '../../../docs/reference/openapi.json' with { type: 'json' };
import type { OpenApiDocument } from '../state/bench.ts';
import { fieldSchema, requestProblems, schemaProblems } from './contract.ts';

const document = published as unknown as OpenApiDocument;
const fieldsOf = (id: Parameters<typeof requestProblems>[1], body: unknown): string[] =>
  requestProblems(document, id, body).map(({ field }) => field);

describe('requestProblems', () => {
  it.each([
    ['message.send', { channel: 'SIM00001/0', type: 'data', id: 0x123, data: 'DE AD' }],
    ['tx-task.add', { channel: 'a', id: 1, period_us: 1000, pattern: 'increment_data' }],
    ['route.add', { source: { channel: 'a', id: 1, mask: 7 }, target: { channel: 'b' } }],
    ['database.load', { file: 'vehicle.dbc', name: 'vehicle' }],
    ['logging.start', { file: 'a.asc', channels: ['a', 'b'], overwrite: true }],
    ['replay.start', { file: 'a.asc', channels: { 1: 'a', can0: 'b' }, speed: 0.5 }],
    ['remote.start', { peer: ['host:1'], channels: ['a'], max_age_ms: 5 }],
  ] as const)('has nothing against a good %s', (id, body) => {
    expect(requestProblems(document, id, body)).toEqual([]);
  });

  it('names every field of a send that the published contract does not allow', () => {
    const body = {
      channel: '',
      type: 'error',
      id: 2 ** 29,
      fd: 1,
      dlc: 16,
      count: 0,
      colour: 'red',
    };
    expect(fieldsOf('message.send', body).sort()).toEqual(
      ['channel', 'colour', 'count', 'dlc', 'fd', 'id', 'type'].sort(),
    );
    expect(fieldsOf('message.send', {})).toEqual(['channel', 'id']);
  });

  it('names fields inside of groups and lists', () => {
    expect(fieldsOf('route.add', { source: { channel: 'a', mask: -1 }, target: {} })).toEqual([
      'source.id',
      'source.mask',
      'target.channel',
    ]);
    expect(fieldsOf('remote.start', { peer: [''], channels: [] })).toEqual(['peer[0]', 'channels']);
    expect(fieldsOf('replay.start', { file: 'a', channels: { 1: '' } })).toEqual(['channels.1']);
    expect(fieldsOf('replay.start', { file: 'a', channels: {} })).toEqual(['channels']);
    expect(fieldsOf('database.load', { file: 'a', name: 'a b' })).toEqual(['name']);
  });

  it('rejects an operation that the service does not publish, and accepts one without a body', () => {
    const bare = { ...document, paths: {} };
    expect(requestProblems(bare, 'health', {}).map(({ field }) => field)).toEqual(['']);
    expect(fieldsOf('health', {})).toEqual([]);
  });
});

describe('fieldSchema', () => {
  it('finds what the contract says about a field, also within a group', () => {
    expect(fieldSchema(document, 'message.send', 'type')?.enum).toContain('master-read');
    const kinds = fieldSchema(document, 'route.add', 'source.id')?.anyOf;
    expect(kinds?.map(({ type }) => type)).toEqual(['integer', 'string']);
    expect(fieldSchema(document, 'message.send', 'colour')).toBeNull();
    expect(fieldSchema(null, 'message.send', 'type')).toBeNull();
  });
});

describe('schemaProblems', () => {
  it('writes sentences, and shows how an identifier is typed', () => {
    expect(schemaProblems({ type: 'string', minLength: 1 }, '')).toEqual([
      { field: '', message: 'Must not be empty' },
    ]);
    expect(schemaProblems({ type: 'integer', 'x-hex': true }, '1A0')).toEqual([
      { field: '', message: 'Must be an integer, such as 0x123 or 291' },
    ]);
  });
});
