import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './compare.ts';
import type { Json } from './facts.ts';

type Case = [sentence: string, before: unknown, after: unknown, ...expected: string[]];

const compare = (before: Json, after: Json): string[] =>
  findBreakingChanges(before, after).map(({ path, change }) => `${path}: ${change}`);

/** A document with the single operation `POST /jobs`. */
const documentOf = (operation: Json, rest: Json = {}): Json => ({
  openapi: '3.1.0',
  paths: { '/jobs': { post: { responses: {}, ...operation } } },
  ...rest,
});
const post = '/jobs › POST';
const query = (more: Json = {}): Json => ({ name: 'limit', in: 'query', ...more });
const withParameters = (...parameters: unknown[]): Json => documentOf({ parameters });
const withBody = (requestBody: Json): Json => documentOf({ requestBody });
const withResponse = (response: Json): Json => documentOf({ responses: { 200: response } });
const withSecurity = (...security: Json[]): Json => documentOf({ security });
const content = (schema: unknown): Json => ({ 'application/json': { schema } });
const integer = (more: Json = {}): Json => ({ type: 'integer', ...more });
const object = (properties: Json, more: Json = {}): Json => ({
  type: 'object',
  properties,
  ...more,
});
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

describe('documents', () => {
  it.each<Case>([
    ['removed path', documentOf({}), { paths: {} }, '/jobs: removed'],
    [
      'removed method',
      { paths: { '/jobs': { get: {}, post: {} } } },
      { paths: { '/jobs': { get: {} } } },
      `${post}: removed`,
    ],
    [
      'new method',
      { paths: { '/jobs': { get: {} } } },
      { paths: { '/jobs': { get: {}, put: {} } } },
    ],
    [
      'other operationId',
      documentOf({ operationId: 'a' }),
      documentOf({ operationId: 'b' }),
      `${post}: operationId "a" removed`,
    ],
    ['other texts', documentOf({ summary: 'Start' }), documentOf({ deprecated: true })],
    [
      'path item behind a reference',
      documentOf({}),
      {
        paths: { '/jobs': { $ref: '#/components/pathItems/a~1b' } },
        components: { pathItems: { 'a/b': { post: {} } } },
      },
    ],
    [
      'removed parameter',
      withParameters(query(), { name: 'limit', in: 'header' }),
      withParameters({ name: 'limit', in: 'header' }),
      `${post} › query limit: removed`,
    ],
    [
      'newly required parameter',
      withParameters(query()),
      withParameters(query({ required: true })),
      `${post}: required query limit added`,
    ],
    [
      'new required parameter',
      withParameters(),
      withParameters(query({ required: true })),
      `${post}: required query limit added`,
    ],
    ['new optional parameter', withParameters(), withParameters(query({ schema: text }))],
    [
      'parameter with a smaller range',
      withParameters(query({ schema: integer({ maximum: 9 }) })),
      withParameters(query({ schema: integer({ maximum: 8 }) })),
      `${post} › query limit: maximum changed from 9 to 8`,
    ],
    [
      'removed media type',
      withBody({ content: { 'text/csv': {} } }),
      withBody({ content: {} }),
      `${post} › request › text/csv: removed`,
    ],
    ['new optional body', documentOf({}), withBody({ content: content(text) })],
    [
      'new required body',
      documentOf({}),
      withBody({ required: true }),
      `${post}: required body added`,
    ],
    ['removed status', withResponse({}), documentOf({ responses: {} }), `${post} › 200: removed`],
    ['new status', documentOf({}), withResponse({ content: content(text) })],
    [
      'dangling response',
      withResponse({}),
      withResponse({ $ref: '#/components/responses/Lost' }),
      `${post} › 200: removed`,
    ],
    [
      'removed header',
      withResponse({ headers: { Allow: {} } }),
      withResponse({}),
      `${post} › 200 › header Allow: removed`,
    ],
    [
      'header that became optional',
      withResponse({ headers: { Allow: { required: true } } }),
      withResponse({ headers: { Allow: {} } }),
      `${post} › 200: required header Allow removed`,
    ],
    [
      'removed error codes',
      withResponse({ 'x-error-codes': [{ code: 'busy' }, 'gone'] }),
      withResponse({ 'x-error-codes': [] }),
      `${post} › 200: error code "busy" removed`,
      `${post} › 200: error code "gone" removed`,
    ],
    [
      'removed component, but not a response',
      { components: { schemas: { constructor: {} }, responses: { Failed: {} } } },
      { components: { schemas: {} } },
      'components › schemas › constructor: removed',
    ],
    [
      'other security scheme',
      { components: { securitySchemes: { token: { scheme: 'bearer' } } } },
      { components: { securitySchemes: { token: { scheme: 'basic' } } } },
      'components › securitySchemes › token: scheme "bearer" removed',
      'components › securitySchemes › token: scheme "basic" added',
    ],
    [
      'first security requirement',
      documentOf({}),
      withSecurity({ bearer: [] }),
      `${post}: security {} removed`,
    ],
    [
      'second scheme on top',
      withSecurity({ bearer: [] }),
      withSecurity({ bearer: [], pin: [] }),
      `${post}: security {"bearer":[]} removed`,
    ],
    ['another scheme', withSecurity({ bearer: [] }), withSecurity({ pin: [] }, { bearer: [] })],
    ['no security requirement', withSecurity({ bearer: [] }), withSecurity()],
    [
      'members without a rule',
      documentOf({ callbacks: {} }),
      { ...documentOf({}), security: [] },
      'document: security [] added',
      `${post}: callbacks {} removed`,
    ],
  ])('%s', (_, before, after, ...expected) => {
    expect(compare(before as Json, after as Json).sort()).toEqual(expected.sort());
  });
});

describe('requests', () => {
  const body = `${post} › request › application/json`;
  it.each<Case>([
    ['removed property', object({ a: text }), object({}), ' › a: removed'],
    ['new property', object({}), object({ a: text })],
    [
      'newly required property',
      object({ a: text }),
      object({ a: text }, { required: ['a'] }),
      ': required a added',
    ],
    ['no longer required property', object({}, { required: ['a'] }), object({})],
    [
      'closed object',
      object({}),
      object({}, { additionalProperties: false }),
      ': no additional properties added',
    ],
    ['other type', text, integer(), ': type string removed'],
    ['new type', text, { anyOf: [text, { type: 'null' }] }],
    ['removed null', { type: ['string', 'null'] }, text, ': type null removed'],
    ['whole numbers only', { type: 'number' }, integer(), ': type number removed'],
    ['numbers beside integers', integer(), { type: 'number' }],
    ['nothing', text, false, ': nothing accepted added', ': type string removed'],
    ['removed value', { enum: ['a', 'b'] }, { enum: ['b', 'c'] }, ': value "a" removed'],
    [
      'the same values as variants',
      { enum: ['a', 'b'] },
      { anyOf: [{ const: 'b' }, { const: 'a' }] },
    ],
    ['first enum', text, { type: 'string', enum: ['a'] }, ': listed values only added'],
    ['values that are no longer listed', { enum: ['a'] }, text],
    ['other default', integer({ default: 1 }), integer({ default: 2 }), ': default 1 removed'],
    ['first default', integer(), integer({ default: 1 })],
    [
      'raised minimum',
      integer({ minimum: 0 }),
      integer({ minimum: 1 }),
      ': minimum changed from 0 to 1',
    ],
    ['lowered minimum', integer({ minimum: 1 }), integer({ minimum: 0 })],
    ['first maximum', integer(), integer({ maximum: 8 }), ': maximum added'],
    ['first pattern', text, { ...text, pattern: '^a' }, ': pattern "^a" added'],
    ['removed pattern', { ...text, pattern: '^a' }, text],
    ['unknown keyword', text, { ...text, format: 'uuid' }, ': format "uuid" added'],
    [
      'allOf as one schema',
      { allOf: [object({ a: text }), object({ b: text })] },
      object({ a: text, b: text }),
    ],
    [
      'nested items',
      object({ rows: { items: { items: { enum: [1, 2] } } } }),
      object({ rows: { items: { items: { enum: [1] } } } }),
      ' › rows[][]: value 2 removed',
    ],
  ])('%s', (_, before, after, ...expected) => {
    const [was, is] = [before, after].map((schema) => withBody({ content: content(schema) }));
    expect(compare(was as Json, is as Json).sort()).toEqual(
      expected.map((line) => body + line).sort(),
    );
  });
});

describe('responses', () => {
  const can = object({ kind: { const: 'can' }, id: integer() });
  const lin = object({ kind: { const: 'lin' }, node: text });
  const answer = `${post} › 200 › application/json`;
  it.each<Case>([
    ['removed property', object({ a: object({ b: text }) }), object({}), ' › a: removed'],
    ['new property', object({}), object({ a: text })],
    [
      'optional property',
      object({ a: text }, { required: ['a'] }),
      object({ a: text }),
      ': required a removed',
    ],
    ['required property', object({ a: text }), object({ a: text }, { required: ['a'] })],
    ['new null', text, { anyOf: [text, { type: 'null' }] }, ': type null added'],
    ['removed null', { type: ['string', 'null'] }, text, ': type null removed'],
    ['numbers beside integers', integer(), { type: 'number' }, ': type number added'],
    ['whole numbers only', { type: 'number' }, integer()],
    ['removed value', { enum: ['a', 'b'] }, { enum: ['b'] }, ': value "a" removed'],
    ['new value', { enum: ['a'] }, { enum: ['a', 'b'] }],
    ['new value of another type', { enum: ['a'] }, { enum: ['a', 1] }, ': type integer added'],
    ['other default', integer({ default: 1 }), integer({ default: 2 })],
    [
      'larger range',
      integer({ maximum: 8 }),
      integer({ maximum: 9 }),
      ': maximum changed from 8 to 9',
    ],
    ['no limit', integer({ minimum: 0 }), integer(), ': minimum removed'],
    ['smaller range', integer(), integer({ minimum: 0, maximum: 8 })],
    ['new variant', { oneOf: [can, lin] }, { oneOf: [can, lin, object({})] }, ': variant #3 added'],
    [
      'removed variant',
      { oneOf: [can, lin, object({})] },
      { oneOf: [lin, can] },
      ' › variant #3: removed',
    ],
    [
      'change inside a variant',
      { oneOf: [can, lin] },
      { oneOf: [lin, object({ kind: { const: 'can' } })] },
      ' › variant kind "can" › id: removed',
    ],
    [
      'alternatives without a type',
      { anyOf: [{ required: ['a'] }] },
      {},
      ': anyOf [{"required":["a"]}] removed',
    ],
    [
      'other values of a map',
      { additionalProperties: text },
      {},
      ': additionalProperties {"type":"string"} removed',
    ],
  ])('%s', (_, before, after, ...expected) => {
    const [was, is] = [before, after].map((schema) => withResponse({ content: content(schema) }));
    expect(compare(was as Json, is as Json).sort()).toEqual(
      expected.map((line) => answer + line).sort(),
    );
  });

  const answering = (schemas: Json): Json =>
    documentOf(
      { responses: { 200: { content: content(ref('Node')) } } },
      { components: { schemas } },
    );
  const node = (more: Json): Json => object({ next: ref('Node'), ...more });

  it('follow recursive references', () => {
    const before = answering({ Node: node({ size: integer() }) });
    expect(compare(before, before)).toEqual([]);
    expect(compare(before, answering({ Node: node({}) }))).toEqual([`${answer} › size: removed`]);
  });

  it('report a reference to nothing', () => {
    expect(compare(answering({ Node: text }), answering({ Node: ref('Lost') }))).toContain(
      `${answer}: reference to #/components/schemas/Node added`,
    );
    expect(compare(answering({ Node: ref('Node') }), answering({ Node: ref('Node') }))).toEqual([]);
  });
});
