import { describe, expect, it } from 'vitest';
import type { Operation } from '../../api/client.ts';
import { commandText, httpText, matchesOperation } from './operation-search.ts';

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
