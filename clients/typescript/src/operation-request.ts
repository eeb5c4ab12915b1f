import { endpoints, type Operations } from './schema.ts';

export type OperationId = keyof Operations;

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly query?: readonly string[];
  readonly hasBody?: boolean;
}

export interface OperationRequest {
  readonly method: string;
  readonly target: string;
  /** JSON text of the body; undefined if the operation has none. */
  readonly json: string | undefined;
}

const queryOf = (values: readonly (readonly [string, unknown])[]): string => {
  const search = new URLSearchParams();
  for (const [name, value] of values) {
    for (const each of Array.isArray(value) ? value : [value ?? undefined]) {
      if (each !== undefined) search.append(name, String(each));
    }
  }
  return search.size === 0 ? '' : `?${search}`;
};

/**
 * The HTTP request of an operation. Path and query parameters come from the input; the rest is
 * the body.
 */
export const requestOf = (id: OperationId, input: object): OperationRequest => {
  const { method, path, query = [], hasBody }: Endpoint = endpoints[id];
  const rest = new Map<string, unknown>(Object.entries(input));
  const take = (name: string): unknown => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(take(name))),
  );
  const target = filled + queryOf(query.map((name) => [name, take(name)]));
  return { method, target, json: hasBody ? JSON.stringify(Object.fromEntries(rest)) : undefined };
};
