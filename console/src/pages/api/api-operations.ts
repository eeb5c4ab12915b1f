import type { Operation } from '../../api/client.ts';
import type { OpenApiDocument, OpenApiOperation } from '../../state/bench.ts';

/** Where an operation is served, or why it is not. */
export const httpText = ({ http }: Operation): string =>
  http.available ? `${http.method} ${http.path}` : `none: ${http.reason}`;

/** The words that call an operation on the command line; its name where there are none. */
export const commandText = ({ cli, id }: Operation): string =>
  cli?.usage.replace(/^busbar /, '').replace(/\s+[<[-].*$/, '') ?? id;

/** Whether an operation has every word of a search in its command line, its summary or its route. */
export const matchesOperation = (operation: Operation, search: string): boolean => {
  const { id, summary, permission, cli } = operation;
  const text = `${id} ${summary} ${permission} ${cli?.usage ?? ''} ${httpText(operation)}`;
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
};

export type ApiParameter = NonNullable<OpenApiOperation['parameters']>[number];

/** An operation of the OpenAPI document together with where it is served. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | null;
  readonly permission: string | null;
  readonly parameters: readonly ApiParameter[];
  /** What it takes as JSON; null if it takes none. */
  readonly body: NonNullable<OpenApiOperation['requestBody']>['content'][string] | null;
  /** How it is followed where its answer has no end. */
  readonly stream: 'sse' | 'websocket' | null;
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

const streamOf = ({ responses = {} }: OpenApiOperation): ApiOperation['stream'] => {
  if ('101' in responses) return 'websocket';
  const types = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
  return types.includes('text/event-stream') ? 'sse' : null;
};

/** Every operation of a document, in its order. */
export const operationsOf = (document: OpenApiDocument): readonly ApiOperation[] =>
  Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        description: operation.description ?? null,
        permission: operation['x-permission'] ?? null,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content['application/json'] ?? null,
        stream: streamOf(operation),
      })),
  );

/** Whether it can be carried out without asking for anything. */
export const takesNothing = ({ parameters, body, stream }: ApiOperation): boolean =>
  parameters.length === 0 && body === null && stream === null;

/** Whether an operation has every word of a search in what it is called, or where it is. */
export const matchesSearch = (
  { id, method, path, summary }: Pick<ApiOperation, 'id' | 'method' | 'path' | 'summary'>,
  search: string,
): boolean => {
  const text = `${id} ${method} ${path} ${summary}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
