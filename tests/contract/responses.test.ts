import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasHttp, type Operation } from '../../src/operations/define.ts';
import { ErrorEnvelope } from '../../src/operations/error-schema.ts';
import { operations } from '../../src/operations/registry.ts';
import { ask, askJson } from '../support/http.ts';
import { Workbench } from '../support/workbench.ts';

const bench = new Workbench();
let port = 0;

beforeAll(async () => {
  ({ port } = await bench.startWeb());
});
afterAll(() => bench.dispose());

const declared = (id: string): Operation => {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
};

const problemsOf = (operation: Operation, result: unknown) => [
  ...Compile(operation.result).Errors(result),
];

/** Requests whose answers show the result of an operation; ids are how a new one is missed. */
const successes: Record<string, () => Promise<unknown>> = {
  info: async () => (await ask({ port, path: '/api/v1/info' })).json(),
  health: async () => (await ask({ port, path: '/api/v1/health' })).json(),
  capabilities: async () => (await ask({ port, path: '/api/v1/capabilities' })).json(),
  openapi: async () => (await ask({ port, path: '/api/v1/openapi.json' })).json(),
  metrics: async () => (await ask({ port, path: '/metrics' })).text,
  'operation.list': async () => (await ask({ port, path: '/api/v1/operations' })).json(),
  'operation.show': async () => (await ask({ port, path: '/api/v1/operations/health' })).json(),
  'job.list': async () => (await ask({ port, path: '/api/v1/jobs' })).json(),
  execute: async () =>
    (await askJson({ port, path: '/api/v1/execute', json: { operation: 'version' } })).json(),
};

/** Operations whose success needs something that does not exist yet on a fresh daemon. */
const notYet = ['job.show'];

describe('every answer', () => {
  it('is tried for every operation that HTTP serves', () => {
    const served = operations.filter(({ http }) => hasHttp(http)).map(({ id }) => id);
    expect([...Object.keys(successes), ...notYet].sort()).toEqual(served.sort());
  });

  it.each(Object.keys(successes))('of %s fits its declared result', async (id) => {
    const result = await successes[id]?.();
    expect(problemsOf(declared(id), result)).toEqual([]);
  });

  it.each(['web.status', 'daemon.status', 'version'])(
    'of the command %s fits its declared result',
    async (id) => {
      const result = await bench.json(...id.split('.'));
      expect(problemsOf(declared(id), result)).toEqual([]);
    },
  );

  it('that is an error fits the envelope', async () => {
    const answer = await ask({ port, path: '/api/v1/jobs/none' });
    expect([...Compile(ErrorEnvelope).Errors(answer.json())]).toEqual([]);
  });
});
