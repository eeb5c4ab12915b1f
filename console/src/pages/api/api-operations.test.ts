import { describe, expect, it } from 'vitest';
import type { Operation } from '../../api/client.ts';
import type { OpenApiDocument } from '../../state/bench.ts';
import {
  commandText,
  httpText,
  matchesOperation,
  matchesSearch,
  operationsOf,
  takesNothing,
} from './api-operations.ts';

const operation: Operation = {
  id: 'channel.recover',
  category: 'channel',
  action: 'recover',
  summary: 'Bring a controller back to the bus',
  description: null,
  permission: 'operate',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: { usage: 'busbar channel recover <selector>', examples: [] },
  http: { available: false, method: null, path: null, reason: 'Command line only' },
  parameters: [],
  result: {},
  errors: [],
};

describe('the search for an operation', () => {
  it('looks at command line, summary, permission and route', () => {
    expect(matchesOperation(operation, 'recover SELECTOR operate')).toBe(true);
    expect(matchesOperation(operation, 'controller only')).toBe(true);
    expect(matchesOperation(operation, 'recover replay')).toBe(false);
  });
});

describe('the command of an operation', () => {
  it('is what stands before its arguments and options', () => {
    expect(commandText(operation)).toBe('channel recover');
    const usage = 'busbar remote start --peer=<peer> …';
    expect(commandText({ ...operation, cli: { usage, examples: [] } })).toBe('remote start');
  });

  it('is its name where the command line does not have it', () => {
    expect(commandText({ ...operation, cli: null })).toBe('channel.recover');
  });
});

describe('the route of an operation', () => {
  it('is said, or why there is none', () => {
    expect(httpText(operation)).toBe('none: Command line only');
    const http = { available: true, method: 'GET', path: '/api/v1/health', reason: null };
    expect(httpText({ ...operation, http })).toBe('GET /api/v1/health');
  });
});

const document: OpenApiDocument = {
  info: { title: '', version: '' },
  components: { schemas: {} },
  paths: {
    '/api/v1/health': { get: { operationId: 'health', summary: 'How it fares' } },
    '/api/v1/channels': {
      post: {
        operationId: 'channel.open',
        summary: 'Open a port as a channel',
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        'x-permission': 'operate',
      },
    },
    '/api/v1/messages/stream': {
      get: {
        operationId: 'message.stream',
        summary: '',
        responses: { 200: { content: { 'text/event-stream': {} } } },
      },
    },
    '/api/v1/messages/ws': {
      get: { operationId: 'message.ws', summary: '', responses: { 101: {} } },
    },
  },
};
const operations = operationsOf(document);
const ids = (search: string): string[] =>
  operations.filter((operation) => matchesSearch(operation, search)).map(({ id }) => id);

describe('the operations of a document', () => {
  it('come in its order, with where they are served and what they take', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/health',
      'POST /api/v1/channels',
      'GET /api/v1/messages/stream',
      'GET /api/v1/messages/ws',
    ]);
    expect(operations[1]).toMatchObject({
      body: { schema: { type: 'object' } },
      permission: 'operate',
    });
  });

  it('tell streams from the rest', () => {
    expect(operations.map(({ stream }) => stream)).toEqual([null, null, 'sse', 'websocket']);
  });

  it('run by themselves only if they take nothing and come to an end', () => {
    expect(operations.filter(takesNothing).map(({ id }) => id)).toEqual(['health']);
  });

  it('are found by words of id, method, path and summary, in any order', () => {
    expect(ids('post port')).toEqual(['channel.open']);
    expect(ids('messages GET')).toEqual(['message.stream', 'message.ws']);
    expect(ids('')).toHaveLength(4);
    expect(ids('nothing like it')).toEqual([]);
  });
});
