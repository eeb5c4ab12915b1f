import { resolveSchema, type Schemas } from '../../../../src/base/json-schema/json-schema.ts';
import { compactJson } from '../../format/json-text.ts';
import { type Problem, schemaProblems } from '../../forms/contract.ts';
import { numberOf } from '../../forms/number-text.ts';
import type { ApiOperation, ApiParameter } from './api-operations.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const curlTokenHint = 'Set BUSBAR_TOKEN to the token first; the command reads it.';

interface CurlOptions {
  readonly origin: string;
  /** The generated command names a variable, never the token. */
  readonly needsToken: boolean;
  readonly isStream?: boolean;
}

export const curlText = (
  { method, path, body }: ReadyRequest,
  { origin, needsToken, isStream = false }: CurlOptions,
): string =>
  [
    isStream ? 'curl -N' : 'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(origin + path),
    ...(needsToken ? ['-H "Authorization: Bearer $BUSBAR_TOKEN"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `--data ${quoted(compactJson(body))}`]),
  ].join(' ');

export interface RequestDraft {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ReadyRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

type Checked =
  | { readonly request: ReadyRequest; readonly problems: readonly [] }
  | { readonly request: null; readonly problems: readonly Problem[] };

const separated = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const typedValue = ({ schema }: ApiParameter, text: string, schemas: Schemas): unknown => {
  const { type } = resolveSchema(schema, schemas);
  if (type === 'integer' || type === 'number') return numberOf(text);
  if (type === 'array') return text.trim() === '' ? undefined : separated(text);
  if (type === 'boolean') return text === '' ? undefined : text === 'true';
  return text === '' ? undefined : text;
};

const parameterProblems = (
  parameter: ApiParameter,
  value: unknown,
  schemas: Schemas,
): readonly Problem[] => {
  if (value !== undefined) {
    return schemaProblems(parameter.schema, value, schemas).map(({ message }) => ({
      field: parameter.name,
      message,
    }));
  }
  return parameter.required ? [{ field: parameter.name, message: 'Required' }] : [];
};

const bodyProblems = (
  { body }: ApiOperation,
  text: string,
  schemas: Schemas,
): readonly Problem[] => {
  if (body === null) return [];
  try {
    return schemaProblems(body.schema, JSON.parse(text), schemas);
  } catch (thrown) {
    const { message } = thrown as SyntaxError;
    return [{ field: '', message: `Invalid JSON: ${message}` }];
  }
};

const searchOf = (values: readonly (readonly [ApiParameter, unknown])[]): string => {
  const search = new URLSearchParams();
  for (const [parameter, value] of values) {
    if (parameter.in !== 'query' || value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) {
      search.append(parameter.name, String(each));
    }
  }
  return search.size === 0 ? '' : `?${search}`;
};

export const checkRequest = (
  operation: ApiOperation,
  draft: RequestDraft,
  schemas: Schemas,
): Checked => {
  const values = operation.parameters.map(
    (parameter) =>
      [parameter, typedValue(parameter, draft.parameters[parameter.name] ?? '', schemas)] as const,
  );
  const problems = [
    ...values.flatMap(([parameter, value]) => parameterProblems(parameter, value, schemas)),
    ...bodyProblems(operation, draft.body, schemas),
  ];
  if (problems.length > 0) return { request: null, problems };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(draft.parameters[name] ?? ''),
  );
  const body = operation.body === null ? undefined : draft.body;
  const request = { method: operation.method, path: path + searchOf(values), body };
  return { request, problems: [] };
};

export const firstParameters = ({ parameters }: ApiOperation): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter(({ required }) => required)
      .map(({ name, schema }) => [name, String(schema.examples?.[0] ?? schema.default ?? '')]),
  );
