import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpBinding, hasHttp } from '../../src/operations/define.ts';
import { operations } from '../../src/operations/registry.ts';
import { renderCliTable } from '../../src/operations/render/cli-table.ts';
import { describeOperation } from '../../src/operations/render/describe.ts';
import { ask } from '../support/http.ts';
import { Workbench } from '../support/workbench.ts';

const bench = new Workbench();
let port = 0;

beforeAll(async () => {
  ({ port } = await bench.startWeb());
});
afterAll(() => bench.dispose());

const get = async (path: string) => (await ask({ port, path })).json();

const bound = operations.flatMap((operation) =>
  hasHttp(operation.http) ? [{ operation, http: operation.http }] : [],
);

const withSamples = (path: string): string => path.replaceAll(/\{[a-z_]+\}/g, 'sample');

/** A query unknown to all operations, so that no stream starts. */
const refusedAt = (path: string): string => `${withSamples(path)}?no_such_parameter=1`;

const methodsOf = ({ method, transport }: HttpBinding): string[] =>
  method === 'GET' && transport === undefined ? ['GET', 'HEAD'] : [method];

/** All declared routes, with HEAD for every GET that ends. */
const servedRoutes = bound
  .flatMap(({ http }) => methodsOf(http).map((method) => `${method} ${http.path}`))
  .sort();

describe('what is declared', () => {
  it('is what the running service routes, method by method', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
    const paths = [...new Set(bound.map(({ http }) => http.path))];
    const routed: string[] = [];
    for (const path of paths) {
      for (const method of methods) {
        const answer = await ask({ port, method, path: refusedAt(path) });
        if (answer.status !== 405) routed.push(`${method} ${path}`);
      }
    }
    expect(routed.sort()).toEqual(servedRoutes);
  });

  it('is what the Allow header tells', async () => {
    for (const path of new Set(bound.map(({ http }) => http.path))) {
      const answer = await ask({ port, method: 'OPTIONS', path: withSamples(path) });
      const allowed = bound
        .filter(({ http }) => http.path === path)
        .flatMap(({ http }) => methodsOf(http));
      expect(answer.headers.allow).toBe(allowed.join(', '));
    }
  });

  it('is what the OpenAPI document lists', async () => {
    const { paths } = await get('/api/v1/openapi.json');
    const listed = Object.entries(paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(servedRoutes);
  });

  it('is what capabilities lists', async () => {
    const { resources } = await get('/api/v1/capabilities');
    const listed = (resources as { path: string; methods: string[] }[]).flatMap(
      ({ path, methods }) => methods.map((method) => `${method} ${path}`),
    );
    expect(listed.sort()).toEqual(servedRoutes);
  });

  it('is what the operations resource tells of every command', async () => {
    const { operations: listed } = await get('/api/v1/operations');
    const commands = operations.filter(({ cli }) => cli !== null);
    expect(listed).toEqual(JSON.parse(JSON.stringify(commands.map(describeOperation))));
    for (const operation of operations) {
      expect(await get(`/api/v1/operations/${operation.id}`)).toEqual(
        JSON.parse(JSON.stringify(describeOperation(operation))),
      );
    }
  });

  it('is what help tells of every command', async () => {
    const { operations: reported } = await bench.json<{ operations: { id: string }[] }>('help');
    const commands = operations.filter(({ cli }) => cli !== null);
    expect(reported).toEqual(JSON.parse(JSON.stringify(commands.map(describeOperation))));
  });

  it('is what the command line takes', () => {
    const table = renderCliTable(operations);
    expect(table.commands.map(({ id }) => id)).toEqual(
      operations.filter(({ cli }) => cli !== null).map(({ id }) => id),
    );
    for (const { id, parameters } of table.commands) {
      const operation = operations.find((candidate) => candidate.id === id);
      const except = operation?.cli?.except ?? [];
      const declared = Object.keys(operation?.parameters.properties ?? {});
      expect(parameters.map(({ name }) => name).sort()).toEqual(
        declared.filter((name) => !except.includes(name)).sort(),
      );
    }
  });
});
