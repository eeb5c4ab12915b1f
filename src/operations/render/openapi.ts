import { ErrorCodeSchema, ErrorEnvelope } from '../../base/errors/error-schema.ts';
import { type ErrorCode, errorTable } from '../../base/errors/table.ts';
import { type HttpBinding, hasHttp, type Operation } from '../define.ts';
import { httpErrorsOf, publishedErrors } from '../face-errors.ts';
import { httpSchemaOf, methodsOf, parametersIn } from '../http-parameters.ts';

const sorted = (entries: ReadonlyMap<string, unknown>): Record<string, unknown> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

export class Components {
  readonly #schemas = new Map<string, unknown>();
  readonly #responses = new Map<string, unknown>();

  get schemas(): Record<string, unknown> {
    return sorted(this.#schemas);
  }

  get responses(): Record<string, unknown> {
    return sorted(this.#responses);
  }

  /** Returns the schema with a reference for each named part. */
  reference(schema: object): unknown {
    return this.#convert(JSON.parse(JSON.stringify(schema)));
  }

  response(name: string, response: object): object {
    this.#responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  #convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#convert(item));
    if (value === null || typeof value !== 'object') return value;
    const { $id: name, ...rest } = value as Record<string, unknown>;
    const converted = Object.fromEntries(
      Object.entries(rest).map(([key, inner]) => [key, this.#convert(inner)]),
    );
    if (typeof name !== 'string') return converted;
    this.#schemas.set(name, converted);
    return { $ref: `#/components/schemas/${name}` };
  }
}

export type OpenApiDocument = { readonly openapi: string } & Record<string, unknown>;

interface Identity {
  readonly version: string;
  readonly contract: string;
}

const requestIdHeader = {
  'x-request-id': {
    description: 'Request ID, as in the error envelope and the diagnostic log',
    schema: { type: 'string' },
  },
};

const extraHeaders: Partial<Record<ErrorCode, object>> = {
  unauthorized: { 'WWW-Authenticate': { description: 'Bearer', schema: { type: 'string' } } },
};

const errorResponse = (codes: readonly ErrorCode[], components: Components): object => {
  const narrowed = {
    allOf: [
      components.reference(ErrorEnvelope),
      { properties: { error: { properties: { code: { enum: codes } } } } },
    ],
  };
  return components.response(codes.join('.'), {
    description: codes.map((code) => `${code}: ${errorTable[code].message}`).join('; '),
    headers: Object.assign({}, requestIdHeader, ...codes.map((code) => extraHeaders[code])),
    content: { 'application/json': { schema: narrowed } },
    'x-error-codes': codes,
  });
};

const errorResponses = (codes: readonly ErrorCode[], components: Components): object => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, atStatus]) => [String(status), errorResponse(atStatus, components)]),
  );
};

const parameterObjects = (
  operation: Operation,
  binding: HttpBinding,
  components: Components,
): object[] => {
  const { properties, required } = httpSchemaOf(operation, binding);
  return (['path', 'query'] as const).flatMap((place) =>
    parametersIn(operation, binding, place).map((name) => {
      const schema = properties[name] as object & { description?: string };
      return {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        description: schema.description ?? '',
        schema: components.reference(schema),
      };
    }),
  );
};

const requestBody = (
  operation: Operation,
  binding: HttpBinding,
  components: Components,
): object | undefined => {
  const names = parametersIn(operation, binding, 'body');
  if (names.length === 0) return undefined;
  const { bodyName, bodyRule, bodyExamples } = binding;
  const whole = httpSchemaOf(operation, binding);
  const required = whole.required.filter((name) => names.includes(name));
  const body = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, whole.properties[name]])),
    required,
    additionalProperties: false,
    ...bodyRule,
  };
  const schema = components.reference(bodyName ? { ...body, $id: bodyName } : body);
  const examples = bodyExamples && {
    short: { summary: 'Number of items, up to the limit', value: bodyExamples.short },
    full: { summary: 'Fields that must be given together', value: bodyExamples.full },
  };
  const content = { 'application/json': { schema, ...(examples ? { examples } : {}) } };
  return { required: required.length > 0 || bodyRule !== undefined, content };
};

const operationObject = (
  operation: Operation,
  binding: HttpBinding,
  components: Components,
): object => {
  const mediaType = binding.mediaType ?? 'application/json';
  const body = requestBody(operation, binding, components);
  const success = {
    description: operation.summary,
    headers: requestIdHeader,
    // An upgrade response has no HTTP content.
    ...(binding.success === 101
      ? {}
      : { content: { [mediaType]: { schema: components.reference(operation.result) } } }),
  };
  return {
    operationId: operation.id,
    tags: [operation.category],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    parameters: parameterObjects(operation, binding, components),
    ...(body ? { requestBody: body } : {}),
    responses: {
      [binding.success]: success,
      ...errorResponses(httpErrorsOf(operation, binding), components),
    },
    security: [{}, { bearer: [] }],
    'x-permission': operation.permission,
    'x-execution': operation.execution,
    ...(binding.events ? { 'x-events': components.reference(binding.events) } : {}),
  };
};

/**
 * HEAD of a GET: same parameters and headers, no body. It has no operation id because it is not
 * in the table.
 */
const headObject = (
  operation: Operation,
  binding: HttpBinding,
  components: Components,
): object => ({
  tags: [operation.category],
  summary: `Headers of: ${operation.summary}`,
  parameters: parameterObjects(operation, binding, components),
  responses: {
    [binding.success]: { description: operation.summary, headers: requestIdHeader },
    default: { description: 'Same error as GET, without a body', headers: requestIdHeader },
  },
  security: [{}, { bearer: [] }],
  'x-permission': operation.permission,
});

export const renderOpenApi = (
  operations: readonly Operation[],
  identity: Identity,
): OpenApiDocument => {
  const components = new Components();
  const published = publishedErrors(operations);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { http } = operation;
    if (!hasHttp(http)) continue;
    paths[http.path] ??= {};
    Object.assign(paths[http.path] as object, {
      [http.method.toLowerCase()]: operationObject(operation, http, components),
      ...(methodsOf(http).includes('HEAD') && { head: headObject(operation, http, components) }),
    });
  }
  // Handlers are typed with all codes; the document lists only those in use.
  components.reference({ ...ErrorCodeSchema, enum: published });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Busbar Automation API',
      version: identity.version,
      summary: 'CAN, CAN FD, LIN and Modbus benches over HTTP',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-contract': identity.contract,
    },
    servers: [{ url: '/', description: 'Listener that served this document' }],
    tags: [...new Set(operations.filter(({ http }) => hasHttp(http)).map((o) => o.category))].map(
      (name) => ({ name }),
    ),
    paths,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Required if the Web service was started with a token',
        },
      },
    },
    'x-error-codes': published.map((code) => ({ code, ...errorTable[code] })),
  };
};
