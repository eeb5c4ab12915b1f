import type { Operation } from '../../api/client.ts';
import type { OpenApiDocument, OpenApiOperation } from '../../state/bench.ts';

export const httpText = ({ http }: Operation): string =>
  http.available ? `${http.method} ${http.path}` : `none: ${http.reason}`;

export const commandText = ({ cli, id }: Operation): string =>
  cli?.usage.replace(/^busbar /, '').replace(/\s+[<[-].*$/, '') ?? id;

export const hasWords = (text: string, search: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

export const matchesOperation = (operation: Operation, search: string): boolean => {
  const { id, summary, permission, cli } = operation;
  const text = `${id} ${summary} ${permission} ${cli?.usage ?? ''} ${httpText(operation)}`;
  return hasWords(text, search);
};

export type ApiParameter = NonNullable<OpenApiOperation['parameters']>[number];

export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | null;
  readonly permission: string | null;
  readonly parameters: readonly ApiParameter[];
  readonly body: NonNullable<OpenApiOperation['requestBody']>['content'][string] | null;
  readonly stream: 'sse' | 'websocket' | null;
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

const streamOf = ({ responses = {} }: OpenApiOperation): ApiOperation['stream'] => {
  if ('101' in responses) return 'websocket';
  const types = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
  return types.includes('text/event-stream') ? 'sse' : null;
};

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

export const takesNothing = ({ parameters, body, stream }: ApiOperation): boolean =>
  parameters.length === 0 && body === null && stream === null;

export const matchesSearch = (
  { id, method, path, summary }: Pick<ApiOperation, 'id' | 'method' | 'path' | 'summary'>,
  search: string,
): boolean => hasWords(`${id} ${method} ${path} ${summary}`, search);
