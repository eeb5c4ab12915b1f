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
      [`${operation} › header x-epoch: parameter removed`],
    ],
    [
      'the case of a header parameter never matters',
      withParameters({ name: 'X-Epoch', in: 'header' }),
      withParameters({ name: 'x-epoch', in: 'header' }),
      [],
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
    ['a new optional parameter is fine', withParameters(), withParameters(query()), []],
    [
      'a parameter that moved elsewhere is reported once',
      withParameters(query()),
      withParameters({ name: 'limit', in: 'header', required: true }),
      [`${operation} › query limit: in changed from "query" to "header"`],
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
      'a list written in another style is reported',
      withParameters(query({ style: 'form' })),
      withParameters(query({ explode: false })),
      [`${operation} › query limit: explode changed from true to false`],
    ],
    [
      'a style that is the default may be written out',
      withParameters(query(), { name: 'id', in: 'path' }, { name: 'sid', in: 'cookie' }),
      withParameters(
        query({ style: 'form', explode: true }),
        { name: 'id', in: 'path', style: 'simple', explode: false },
        { name: 'sid', in: 'cookie', style: 'form' },
      ),
      [],
    ],
    [
      'a freedom that is taken away is reported',
      withParameters(query({ allowReserved: true, allowEmptyValue: true })),
      withParameters(query({ allowEmptyValue: true })),
      [`${operation} › query limit: allowReserved removed`],
    ],
    [
      'JSON in a parameter is compared like a body',
      withParameters(query({ content: { 'application/json': integer() } })),
      withParameters(query({ content: { 'application/json': integer({ maximum: 8 }) } })),
      [`${operation} › query limit › application/json: maximum 8 added`],
    ],
    [
      'a name used in two places stays two parameters',
      withParameters(query(), { name: 'limit', in: 'header' }),
      withParameters({ name: 'limit', in: 'header' }),
      [`${operation} › query limit: parameter removed`],
    ],
    [
      'a parameter that turned into JSON is reported',
      withParameters(query({ schema: {} })),
      withParameters(query({ content: { 'application/json': {} } })),
      [`${operation} › query limit: content replaces schema`],
    ],
    [
      'a parameter may move from the path item into the operation and behind a reference',
      { paths: { '/jobs': { parameters: [query()], post: {} } } },
      {
        ...withParameters({ $ref: '#/components/parameters/Limit' }),
        components: { parameters: { Limit: query() } },
      },
      [],
    ],
    [
      'an operation overrides the parameters of its path item',
      { paths: { '/jobs': { parameters: [query({ required: true })], post: {} } } },
      { paths: { '/jobs': { parameters: [query()], post: { parameters: [query()] } } } },
      [],
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
      [`${operation} › 200 › header x-request-id: header removed`],
    ],
    [
      'a header that became optional is reported',
      withResponse({ headers: { Allow: { required: true } } }),
      withResponse({ headers: { allow: {} } }),
      [`${operation} › 200 › header allow: header became optional`],
    ],
    [
      'a header may stay required',
      withResponse({ headers: { Allow: { required: true } } }),
      withResponse({ headers: { Allow: { required: true } } }),
      [],
    ],
    [
      'a header with content is compared like a body',
      withResponse({ headers: { Allow: { content: { 'text/plain': {} } } } }),
      withResponse({ headers: { Allow: { content: {} } } }),
      [`${operation} › 200 › header allow › text/plain: media type removed`],
    ],
    [
      'a header of another type is reported',
      withResponse({ headers: { Allow: { schema: { type: 'integer' } } } }),
      withResponse({ headers: { Allow: { schema: { type: 'number' } } } }),
      [`${operation} › 200 › header allow: type widened from integer to number`],
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
      withResponse({ 'x-error-codes': { busy: { retryable: true } } }),
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
  security: [
    [
      'a first requirement is reported',
      documentOf({}),
      withSecurity({ bearer: [] }),
      [`${operation}: security requirement "bearer" added`],
    ],
    [
      'a requirement of the whole document reaches its operations',
      documentOf({}),
      documentOf({}, { security: [{ bearer: [] }] }),
      [`${operation}: security requirement "bearer" added`],
    ],
    [
      'a second scheme on top is reported',
      withSecurity({ bearer: [] }),
      withSecurity({ bearer: [], pin: [] }),
      [`${operation}: security requirement "pin" added for clients that use "bearer"`],
    ],
    [
      'a new scope is reported',
      withSecurity({ oauth: ['read'] }),
      withSecurity({ oauth: ['read', 'write'] }),
      [`${operation}: security requirement "oauth write" added for clients that use "oauth"`],
    ],
    [
      'a way that no longer suffices is reported',
      withSecurity({ bearer: [] }, { pin: [] }),
      withSecurity({ bearer: [] }),
      [`${operation}: security requirement "bearer" added for clients that use "pin"`],
    ],
    [
      'another way is fine',
      withSecurity({ bearer: [] }),
      withSecurity({ pin: [] }, { bearer: [] }),
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
