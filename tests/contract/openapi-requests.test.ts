import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { product } from '../../src/base/product.ts';
import { operations } from '../../src/operations/registry.ts';
import { renderOpenApi } from '../../src/operations/render/openapi.ts';
import { ask, askJson } from '../support/http.ts';
import { Workbench } from '../support/workbench.ts';
import {
  type OpenApi,
  type OperationObject,
  RequestMaker,
  without,
} from './support/minimal-request.ts';

const document = JSON.parse(JSON.stringify(renderOpenApi(operations, product))) as OpenApi;
const maker = new RequestMaker(document);
const bench = new Workbench();
let port = 0;

beforeAll(async () => {
  ({ port } = await bench.startWeb());
});
afterAll(() => bench.dispose());

/** Resources named in examples exist, so that requests fail only by their own content. */
beforeEach(async () => {
  for (const channel of ['SIM00001/0', 'SIM00001/1']) {
    await askJson({ port, path: '/api/v1/channels', json: { channel } });
  }
});

interface Endpoint {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]): Endpoint => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    }),
  ),
);

/** The texts of a parameter; a list is given one by one. */
const examplesOf = (operation: OperationObject, name: string): readonly string[] => {
  const parameter = operation.parameters.find((candidate) => candidate.name === name);
  const value = maker.minimal(parameter?.schema ?? {});
  return (Array.isArray(value) ? value : [value]).map((each) => encodeURIComponent(String(each)));
};

/** The path with its parameters, and the required query parameters except one. */
const targetOf = ({ path, operation }: Endpoint, omitted?: string): string => {
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .filter(({ name }) => name !== omitted)
    .flatMap(({ name }) => examplesOf(operation, name).map((value) => `${name}=${value}`));
  const concrete = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
    examplesOf(operation, name).join(),
  );
  return query.length > 0 ? `${concrete}?${query.join('&')}` : concrete;
};

const send = ({ method }: Endpoint, target: string, body?: unknown) =>
  ask({
    port,
    method,
    path: target,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

const isEndless = ({ operation }: Endpoint): boolean =>
  'text/event-stream' in (operation.responses['200']?.content ?? {});

/** The status of an endless response. */
const statusOf = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { host: `127.0.0.1:${port}` };
    request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

const complaint = (text: string): unknown => {
  const { code, details } = JSON.parse(text).error;
  return { code, field: details.field, reason: details.reason };
};

describe.each(endpoints)('$name', (endpoint) => {
  const { operation } = endpoint;
  const schema = maker.bodySchema(operation);

  it('takes what the document calls enough', async () => {
    if (isEndless(endpoint)) {
      expect([200, 404, 409]).toContain(await statusOf(targetOf(endpoint)));
      return;
    }
    const bodies = schema ? [...maker.variants(schema)] : [];
    if (!operation.requestBody?.required) bodies.push(undefined);
    for (const body of bodies) {
      const answer = await send(endpoint, targetOf(endpoint), body);
      const isUpgrade = '101' in operation.responses;
      if (answer.status !== 400 || isUpgrade || answer.text === '') continue;
      // Its content may be wrong, such as an unknown channel, but no field is missing.
      const { details } = answer.json().error;
      expect(details, `${JSON.stringify(body)}: ${answer.text}`).not.toMatchObject({
        reason: 'missing',
      });
      expect(details, `${JSON.stringify(body)}: ${answer.text}`).not.toHaveProperty('groups');
    }
  });

  const query = operation.parameters.filter(
    ({ in: place, required }) => place === 'query' && required,
  );
  it.each(query)('needs $name', async ({ name }) => {
    const answer = await send(endpoint, targetOf(endpoint, name));
    expect(answer.status, answer.text).toBe(400);
    if (endpoint.method === 'HEAD') return;
    expect(complaint(answer.text)).toEqual({
      code: 'invalid_argument',
      field: name,
      reason: 'missing',
    });
  });

  it.each(schema ? maker.requiredFields(schema) : [])('needs %s', async (field) => {
    const body = without(maker.minimal(schema ?? {}), field);
    const answer = await send(endpoint, targetOf(endpoint), body);
    expect(answer.status, answer.text).toBe(400);
    expect(complaint(answer.text)).toEqual({ code: 'invalid_argument', field, reason: 'missing' });
  });

  if (operation.requestBody?.required) {
    it('needs a body, and more than an empty one', async () => {
      for (const body of [undefined, {}]) {
        const answer = await send(endpoint, targetOf(endpoint), body);
        expect(answer.status, answer.text).toBe(400);
        expect(answer.json().error.code).toBe('invalid_argument');
      }
    });
  }

  if (schema?.oneOf ?? schema?.anyOf) {
    it('needs one of what it can have', async () => {
      const { oneOf: _, anyOf: __, ...rest } = schema ?? {};
      const answer = await send(endpoint, targetOf(endpoint), maker.minimal(rest));
      expect(answer.status, answer.text).toBe(400);
      expect(answer.json().error.code).toBe('invalid_argument');
    });
  }

  const contradictions = schema ? maker.contradictions(schema) : [];
  if (contradictions.length > 0) {
    it('takes one of what the document calls alternatives, not two', async () => {
      for (const body of contradictions) {
        const answer = await send(endpoint, targetOf(endpoint), body);
        expect(answer.status, `${JSON.stringify(body)}: ${answer.text}`).toBe(400);
        expect(answer.json().error.code).toBe('invalid_argument');
      }
    });
  }
});
