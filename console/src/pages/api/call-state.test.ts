import { describe, expect, it } from 'vitest';
import type { ApiOperation } from './api-operations.ts';
import { callOf } from './call-state.ts';

const anOperation = (id: string): ApiOperation => ({
  id,
  method: 'POST',
  path: '/api/v1/channels/{selector}',
  summary: 'Opens',
  description: null,
  permission: null,
  parameters: [
    { name: 'selector', in: 'path', required: true, schema: { type: 'string', examples: ['a/0'] } },
  ],
  body: { schema: { $ref: '#/components/schemas/Request' } },
  stream: null,
});

const schemasWith = (...names: string[]) => ({
  Request: {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  },
});

const bodyOf = (text: string): unknown => JSON.parse(text);

describe('the call of an operation', () => {
  it('stays as it was left while the contract is the same, however often that is read', () => {
    const call = callOf(anOperation('same'), schemasWith('channel'));
    call.setBody('{}');
    expect(callOf(anOperation('same'), schemasWith('channel'))).toBe(call);
  });

  it('begins with the template of another contract once there is one', () => {
    callOf(anOperation('other'), schemasWith('channel'));
    const { draft } = callOf(anOperation('other'), schemasWith('channel', 'flavour'));
    expect(bodyOf(draft.value.body)).toEqual({ channel: '', flavour: '' });
  });

  it('keeps what was typed under another contract', () => {
    const call = callOf(anOperation('typed'), schemasWith('channel'));
    call.setBody('{"channel":"b/1"}');
    call.setParameter('selector', 'b/1');
    const { draft } = callOf(anOperation('typed'), schemasWith('channel', 'flavour'));
    expect(draft.value).toEqual({ parameters: { selector: 'b/1' }, body: '{"channel":"b/1"}' });
  });
});
