import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './compare.ts';
import { documentOf, type Json, lines, operation } from './sample-document.ts';

type Case = [sentence: string, before: Json, after: Json, expected: string[]];

const query = (more: Json = {}): Json => ({ name: 'limit', in: 'query', ...more });
const withParameters = (...parameters: unknown[]): Json => documentOf({ parameters });
const withBody = (requestBody?: unknown): Json => documentOf(requestBody ? { requestBody } : {});
const withResponse = (response: Json): Json => documentOf({ responses: { 200: response } });
const withSecurity = (...security: Json[]): Json => documentOf({ security });
const jsonBody = { content: { 'application/json': {} } };
const integer = (more: Json = {}): Json => ({ schema: { type: 'integer', ...more } });

const cases: Record<string, Case[]> = {
  'paths and operations': [
    [
      'a removed path is reported once',
      documentOf({}),
      { paths: { '/tasks': { post: {} } } },
      ['/jobs: path removed'],
    ],
    [
      'a removed method is reported',
      { paths: { '/jobs': { get: {}, post: {} } } },
      { paths: { '/jobs': { get: {} } } },
      ['POST /jobs: operation removed'],
    ],
    [
      'new paths and methods are fine',
      documentOf({}),
      { paths: { '/jobs': { get: {}, post: {} }, '/tasks': { get: {} } } },
      [],
    ],
    [
      'a changed operationId is reported',
      documentOf({ operationId: 'create_job' }),
      documentOf({ operationId: 'start_job' }),
      [`${operation}: operationId changed from "create_job" to "start_job"`],
    ],
    [
      'a removed operationId is reported',
      documentOf({ operationId: 'create_job' }),
      documentOf({}),
      [`${operation}: operationId "create_job" removed`],
    ],
    ['a first operationId is fine', documentOf({}), documentOf({ operationId: 'a' }), []],
    [
      'texts never matter',
      documentOf({ summary: 'Start', description: 'Starts a job', tags: ['jobs'] }),
      documentOf({ summary: 'Begin', deprecated: true }),
      [],
    ],
    [
      'a path item may move behind a reference',
      documentOf({ operationId: 'a' }),
      {
        paths: { '/jobs': { $ref: '#/components/pathItems/a~1b%20c' } },
        components: { pathItems: { 'a/b c': { post: { operationId: 'a' } } } },
      },
      [],
    ],
  ],
  parameters: [
    [
      'a removed parameter is reported',
      withParameters(query()),
      withParameters(),
      [`${operation} › query limit: parameter removed`],
    ],
    [
      'a removed header parameter is reported',
      withParameters({ name: 'X-Epoch', in: 'header' }),
      withParameters(),
      [`${operation} › header X-Epoch: parameter removed`],
    ],
    [
      'a parameter that became required is reported',
      withParameters(query()),
      withParameters(query({ required: true })),
      [`${operation} › query limit: parameter became required`],
    ],
    [
      'a new required parameter is reported',
      withParameters(),
      withParameters(query({ required: true })),
      [`${operation} › query limit: required parameter added`],
    ],
    [
      'a parameter may move behind a reference',
      withParameters(query()),
      {
        ...withParameters({ $ref: '#/components/parameters/Limit' }),
        components: { parameters: { Limit: query() } },
      },
      [],
    ],
    ['a new optional parameter is fine', withParameters(), withParameters(query()), []],
    [
      'a parameter that moved elsewhere is gone, and new there',
      withParameters(query()),
      withParameters({ name: 'limit', in: 'header', required: true }),
      [
        `${operation} › query limit: parameter removed`,
        `${operation} › header limit: required parameter added`,
      ],
    ],
    [
      'a parameter with less room is reported',
      withParameters(query(integer({ maximum: 1000 }))),
      withParameters(query(integer({ maximum: 100 }))),
      [`${operation} › query limit: maximum lowered from 1000 to 100`],
    ],
    [
      'a path parameter with another type is reported',
      withParameters({ name: 'id', in: 'path', required: true, schema: { type: 'string' } }),
      withParameters({ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }),
      [`${operation} › path id: type changed from string to integer`],
    ],
    [
      'a parameter with another default is reported',
      withParameters(query(integer({ default: 32 }))),
      withParameters(query(integer({ default: 64 }))),
      [`${operation} › query limit: default changed from 32 to 64`],
    ],
    [
      'a name used in two places stays two parameters',
      withParameters(query(), { name: 'limit', in: 'header' }),
      withParameters({ name: 'limit', in: 'header' }),
      [`${operation} › query limit: parameter removed`],
    ],
  ],
  'request bodies': [
    [
      'a removed body is reported',
      withBody(jsonBody),
      withBody(),
      [`${operation} › request: body removed`],
    ],
    [
      'a removed media type is reported',
      withBody({ content: { 'application/json': {}, 'text/csv': {} } }),
      withBody(jsonBody),
      [`${operation} › request › text/csv: media type removed`],
    ],
    ['a new optional body is fine', withBody(), withBody(jsonBody), []],
    [
      'a new required body is reported',
      withBody(),
      withBody({ ...jsonBody, required: true }),
      [`${operation} › request: required body added`],
    ],
    [
      'a body may stay required',
      withBody({ ...jsonBody, required: true }),
      withBody({ ...jsonBody, required: true }),
      [],
    ],
    [
      'a body that became required is reported',
      withBody(jsonBody),
      withBody({ ...jsonBody, required: true }),
      [`${operation} › request: body became required`],
    ],
  ],
  responses: [
    [
      'a removed status is reported',
      documentOf({ responses: { 200: {}, 404: {} } }),
      documentOf({ responses: { 200: {} } }),
      [`${operation} › 404: status removed`],
    ],
    [
      'a new status is fine',
      documentOf({ responses: { 200: {} } }),
      documentOf({ responses: { 200: {}, 409: {} } }),
      [],
    ],
    [
      'a removed media type is reported',
      withResponse({ content: { 'application/json': {} } }),
      withResponse({ content: { 'text/csv': {} } }),
      [`${operation} › 200 › application/json: media type removed`],
    ],
    [
      'a removed header is reported',
      withResponse({ headers: { 'X-Request-Id': {} } }),
      withResponse({}),
      [`${operation} › 200 › headers › X-Request-Id: header removed`],
    ],
    [
      'a header that became optional is reported',
      withResponse({ headers: { Allow: { required: true } } }),
      withResponse({ headers: { Allow: {} } }),
      [`${operation} › 200 › headers › Allow: header became optional`],
    ],
    [
      'a header may stay required',
      withResponse({ headers: { Allow: { required: true } } }),
      withResponse({ headers: { Allow: { required: true } } }),
      [],
    ],
    [
      'a header of another type is reported',
      withResponse({ headers: { Allow: { schema: { type: 'integer' } } } }),
      withResponse({ headers: { Allow: { schema: { type: 'number' } } } }),
      [`${operation} › 200 › headers › Allow: type widened from "integer" to "number"`],
    ],
    [
      'a response whose reference leads nowhere is gone',
      withResponse({}),
      withResponse({ $ref: '#/components/responses/Lost' }),
      [`${operation} › 200: status removed`],
    ],
  ],
  'error codes': [
    [
      'a code removed from a response is reported',
      withResponse({ 'x-error-codes': ['busy', 'no_sample'] }),
      withResponse({ 'x-error-codes': ['no_sample', 'already_exists'] }),
      [`${operation} › 200: error code "busy" removed`],
    ],
    [
      'codes may be written as objects',
      withResponse({ 'x-error-codes': [{ code: 'busy' }, 'no_sample'] }),
      withResponse({ 'x-error-codes': [{ code: 'busy', retryable: true }] }),
      [`${operation} › 200: error code "no_sample" removed`],
    ],
    [
      'a code removed from an operation or a common list is reported',
      documentOf(
        { 'x-error-codes': ['busy'] },
        { 'x-error-codes': ['busy'], components: { 'x-error-codes': ['busy'] } },
      ),
      documentOf({}),
      [
        `${operation}: error code "busy" removed`,
        'document: error code "busy" removed',
        'components: error code "busy" removed',
      ],
    ],
  ],
  components: [
    [
      'a removed component is reported, except a shared response, which has no name of its own',
      { components: { schemas: { Job: {}, Task: {} }, responses: { Failed: {} } } },
      { components: { schemas: { Task: {} } } },
      ['components › schemas › Job: component removed'],
    ],
    [
      'names that every object inherits are looked for in the document only',
      { components: { schemas: { constructor: {} } } },
      { components: { schemas: {} } },
      ['components › schemas › constructor: component removed'],
    ],
    [
      'a new component is fine',
      { components: { schemas: {} } },
      { components: { schemas: { Job: {} }, responses: { Failed: {} } } },
      [],
    ],
  ],
  'what is not understood': [
    [
      'is reported wherever it is new',
      documentOf({ requestBody: { content: { 'text/csv': {} } }, responses: { 200: {} } }),
      {
        ...documentOf({
          requestBody: { content: { 'text/csv': { encoding: {} } } },
          responses: { 200: { links: {} } },
          callbacks: {},
        }),
        security: [{ bearer: [] }],
      },
      [
        `${operation} › request › text/csv: encoding {} added`,
        `${operation} › 200: links {} added`,
        `${operation}: callbacks {} added`,
        'document: security [{"bearer":[]}] added',
      ],
    ],
    [
      'is reported where it is another or gone',
      withParameters(query({ style: 'form', allowReserved: true })),
      withParameters(query({ style: 'simple' })),
      [
        `${operation} › query limit: style changed from "form" to "simple"`,
        `${operation} › query limit: allowReserved true removed`,
      ],
    ],
    [
      'may be parameters that a path item gives to all its operations',
      { paths: { '/jobs': { parameters: [query()], post: {} } } },
      { paths: { '/jobs': { post: {} } } },
      ['/jobs: parameters [{"name":"limit","in":"query"}] removed'],
    ],
    [
      'may be content in place of a schema',
      withResponse({ headers: { Allow: { content: { 'text/plain': {} } } } }),
      withResponse({ headers: { Allow: { content: {} } } }),
      [`${operation} › 200 › headers › Allow: content changed from {"text/plain":{}} to {}`],
    ],
    [
      'is fine as long as it stays what it is',
      withParameters(query({ style: 'form', content: { 'text/csv': {} } })),
      withParameters(query({ content: { 'text/csv': {} }, style: 'form' })),
      [],
    ],
  ],
  security: [
    [
      'a first requirement is reported',
      documentOf({}),
      withSecurity({ bearer: [] }),
      [`${operation}: security {} suffices no more`],
    ],
    [
      'a second scheme on top is reported',
      withSecurity({ bearer: [] }),
      withSecurity({ bearer: [], pin: [] }),
      [`${operation}: security {"bearer":[]} suffices no more`],
    ],
    [
      'a new scope is reported',
      withSecurity({ oauth: ['read'] }),
      withSecurity({ oauth: ['read', 'write'] }),
      [`${operation}: security {"oauth":["read"]} suffices no more`],
    ],
    [
      'a way that no longer suffices is reported',
      withSecurity({ bearer: [] }, { pin: [] }),
      withSecurity({ bearer: [] }),
      [`${operation}: security {"pin":[]} suffices no more`],
    ],
    [
      'another way is fine',
      withSecurity({ bearer: [] }),
      withSecurity({ pin: [] }, { bearer: [] }),
      [],
    ],
    [
      'another way is fine where none is needed',
      withSecurity({ bearer: [] }),
      withSecurity({}, { pin: [] }),
      [],
    ],
    ['no requirement any more is fine', withSecurity({ bearer: [] }), withSecurity(), []],
    [
      'a removed scheme is a removed component',
      { components: { securitySchemes: { token: { type: 'http' } } } },
      { components: {} },
      ['components › securitySchemes › token: component removed'],
    ],
    [
      'a scheme of another type is reported',
      { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } },
      { components: { securitySchemes: { token: { type: 'http', scheme: 'basic' } } } },
      ['components › securitySchemes › token: scheme changed from "bearer" to "basic"'],
    ],
  ],
};

describe.each(Object.entries(cases))('%s', (_, table) => {
  it.each(table)('%s', (_sentence, before, after, expected) => {
    expect(lines(findBreakingChanges(before, after))).toEqual(expected);
  });
});
