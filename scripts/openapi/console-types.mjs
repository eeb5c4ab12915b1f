// Renders the types of the console from the OpenAPI document: one type per component, and the
// answer, query and body of every operation by its id.

export const indent = (text) => text.replaceAll('\n', '\n  ');

const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value));

export const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

const objectType = ({ properties = {}, required = [], additionalProperties }) => {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  if (additionalProperties && typeof additionalProperties === 'object') {
    const values = typeOf(additionalProperties);
    if (fields.length === 0) return `Record<string, ${values}>`;
  }
  if (fields.length === 0) return 'Record<string, unknown>';
  return `{\n  ${fields.map(indent).join('\n  ')}\n}`;
};

const byType = {
  string: () => 'string',
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items }) => `readonly ${group(typeOf(items ?? {}))}[]`,
  object: objectType,
};

const group = (type) => (type.includes(' | ') || type.startsWith('readonly ') ? `(${type})` : type);

export const typeOf = (schema) => {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  // Beside properties they only say which of these go together.
  const alternatives = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' | ');
  if (schema.patternProperties) {
    return `Record<string, ${typeOf(Object.values(schema.patternProperties)[0])}>`;
  }
  return byType[schema.type]?.(schema) ?? 'unknown';
};

const answerOf = ({ responses }) => {
  const [, response] = Object.entries(responses).find(([status]) => /^[12]/.test(status)) ?? [];
  const schema = response?.content?.['application/json']?.schema;
  return schema ? typeOf(schema) : 'string';
};

const bodyOf = ({ requestBody }) => {
  const schema = requestBody?.content?.['application/json']?.schema;
  return schema ? typeOf(schema) : 'undefined';
};

/** The text of the console's `schema.ts`. */
export const renderConsoleTypes = ({ components, paths }) => {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
  );
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => operationId)
      .map(([method, operation]) => ({ id: operation.operationId, method, path, operation })),
  );
  return [
    '// Generated from the OpenAPI document by npm run generate. Do not edit.',
    '',
    types.join('\n\n'),
    '',
    '/** What each operation of the API takes and gives, by its id. */',
    'export interface Operations {',
    ...operations.map(
      ({ id, operation }) =>
        `  '${id}': { body: ${indent(bodyOf(operation))}; answer: ${indent(answerOf(operation))} };`,
    ),
    '}',
    '',
    '/** Where each operation is served. */',
    'export const endpoints = {',
    ...operations.map(
      ({ id, method, path }) =>
        `  '${id}': { method: '${method.toUpperCase()}', path: '${path}' },`,
    ),
    '} as const satisfies Record<keyof Operations, { method: string; path: string }>;',
    '',
  ].join('\n');
};
