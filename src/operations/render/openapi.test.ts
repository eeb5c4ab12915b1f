import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../base/errors/table.ts';
import { type HttpBinding, hasHttp, type Operation } from '../define.ts';
import { httpErrorsOf, publishedErrors } from '../face-errors.ts';
import { operations } from '../registry.ts';
import {
  partDrop,
  partList,
  partMove,
  partReport,
  partShow,
  sampleOperations,
} from '../testing/sample-operations.ts';
import { renderOpenApi } from './openapi.ts';

interface ResponseObject {
  readonly headers: Record<string, unknown>;
  readonly content: Record<string, { readonly schema: unknown }>;
  readonly 'x-error-codes'?: readonly string[];
}

interface OperationObject {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { readonly schema: unknown }>;
  };
  readonly responses: Record<string, { readonly $ref?: string }>;
}

interface Document {
  readonly info: Record<string, unknown>;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, OperationObject>>;
  readonly components: {
    readonly schemas: Record<string, unknown>;
    readonly responses: Record<string, ResponseObject>;
  };
  readonly 'x-error-codes': readonly unknown[];
}

const identity = { version: '1.2.3', contract: '9.8.7' };
const render = (table: readonly Operation[]): Document =>
  renderOpenApi(table, identity) as unknown as Document;
const sample = render(sampleOperations);

const objectOf = (operation: Operation): OperationObject => {
  const { method, path } = operation.http as HttpBinding;
  const found = sample.paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`${operation.id} is not in the document`);
  return found;
};

/** A response, whether inline or shared. */
const responseOf = (operation: Operation, status: number): ResponseObject | undefined => {
  const response = objectOf(operation).responses[status];
  const shared = response?.$ref?.replace('#/components/responses/', '');
  return shared === undefined
    ? (response as ResponseObject | undefined)
    : sample.components.responses[shared];
};

describe('renderOpenApi', () => {
  it.each([
    ['the registry', operations],
    ['the samples', sampleOperations],
  ])('makes a valid OpenAPI 3.1 document of %s', async (_, table) => {
    const document = JSON.parse(JSON.stringify(renderOpenApi(table, identity)));
    const validator = new Validator();
    const { valid, errors } = await validator.validate(document);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('identifies the build and the contract', () => {
    expect(sample.info).toMatchObject({ version: '1.2.3', 'x-contract': '9.8.7' });
  });

  it('holds every operation with a binding and no other', () => {
    const ids = Object.values(sample.paths).flatMap((methods) =>
      // HEAD belongs to the GET of its path.
      Object.entries(methods).flatMap(([method, { operationId }]) =>
        method === 'head' ? [] : [operationId],
      ),
    );
    const bound = sampleOperations.filter(({ http }) => hasHttp(http)).map(({ id }) => id);
    expect(ids.sort()).toEqual(bound.sort());
    expect(sample.tags.map(({ name }) => name)).toEqual(['part', 'report']);
  });

  it('puts several methods at one path', () => {
    expect(Object.keys(sample.paths['/api/v1/parts/{part_id}'] ?? {})).toEqual([
      'get',
      'head',
      'delete',
    ]);
  });

  it('has HEAD beside a GET, with the same parameters and without a body', () => {
    const { get, head } = sample.paths['/api/v1/parts'] ?? {};
    expect(head?.parameters).toEqual(get?.parameters);
    expect(Object.values(head?.responses ?? {}).some((response) => 'content' in response)).toBe(
      false,
    );
  });

  it('publishes what a request needs beyond the command line, and rules over several fields', () => {
    const http = {
      ...(partMove.http as HttpBinding),
      needs: ['note'],
      bodyRule: { oneOf: [{ required: ['plan_file'] }] },
    };
    const { paths } = render([{ ...partMove, http }]);
    const { requestBody } = Object.values(Object.values(paths)[0] ?? {})[0] ?? {};
    expect(requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: { required: ['store', 'note'], oneOf: [{ required: ['plan_file'] }] },
        },
      },
    });
  });

  it('tells where parameters go and which are needed', () => {
    const places = (operation: Operation) =>
      objectOf(operation).parameters.map((each) => [each.name, each.in, each.required]);
    expect(places(partDrop)).toEqual([
      ['part_id', 'path', true],
      ['force', 'query', false],
    ]);
    expect(places(partMove)).toEqual([['part_id', 'path', true]]);
    expect(places(partList).every(([, place]) => place === 'query')).toBe(true);
  });

  it('describes a body without what is in the path', () => {
    expect(objectOf(partMove).requestBody).toEqual({
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              store: { enum: ['left', 'right'], description: 'Where to' },
              note: { type: 'string', description: 'Why' },
              plan_file: { type: 'string', description: 'Drawing of the store' },
            },
            required: ['store'],
            additionalProperties: false,
          },
        },
      },
    });
    expect(objectOf(partDrop)).not.toHaveProperty('requestBody');
  });

  it('answers with the declared status, type and schema', () => {
    expect(responseOf(partMove, 201)?.content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/Part' } },
    });
    expect(responseOf(partMove, 200)).toBeUndefined();
    expect(Object.keys(responseOf(partReport, 200)?.content ?? {})).toEqual([
      'text/plain; charset=utf-8',
    ]);
  });

  it.each([partList, partShow, partMove, partDrop, partReport])(
    'lists for $id the codes of each status it can fail with',
    (operation) => {
      const codes = httpErrorsOf(operation, operation.http as HttpBinding);
      const statuses = [...new Set(codes.map((code) => errorTable[code].status))];
      for (const status of statuses) {
        const atStatus = codes.filter((code) => errorTable[code].status === status);
        expect(responseOf(operation, status)?.['x-error-codes']).toEqual(atStatus);
      }
      const documented = Object.keys(objectOf(operation).responses).map(Number);
      const success = (operation.http as HttpBinding).success;
      expect(documented.sort()).toEqual([success, ...statuses].sort());
    },
  );

  it('narrows the envelope of an error to the codes of its status', () => {
    const { schema } = responseOf(partShow, 503)?.content['application/json'] ?? {};
    expect(schema).toEqual({
      allOf: [
        { $ref: '#/components/schemas/ErrorEnvelope' },
        { properties: { error: { properties: { code: { enum: ['too_many_clients'] } } } } },
      ],
    });
  });

  it('declares the headers that errors bring along', () => {
    expect(responseOf(partShow, 401)?.headers).toHaveProperty('WWW-Authenticate');
    expect(responseOf(partShow, 200)?.headers).toHaveProperty('x-request-id');
    expect(responseOf(partShow, 500)?.headers).toHaveProperty('x-request-id');
  });

  it('publishes the codes that something can end with, and no others', () => {
    const published = publishedErrors(sampleOperations);
    expect(published).not.toContain('file_not_found');
    expect(sample['x-error-codes']).toEqual(
      published.map((code) => ({ code, ...errorTable[code] })),
    );
    expect(sample.components.schemas.ErrorCode).toEqual({ enum: published });
    expect(sample.components.schemas.Error).toMatchObject({
      properties: { code: { $ref: '#/components/schemas/ErrorCode' } },
    });
  });

  it('shows a description only where there is one', () => {
    expect(objectOf(partShow).description).toContain('Ids never change.');
    expect(objectOf(partList)).not.toHaveProperty('description');
  });
});
