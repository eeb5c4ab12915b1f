// Renders JSON Schemas as TypeScript types.

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
  // Next to properties, alternatives only list which properties can be combined.
  const alternatives = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' | ');
  if (schema.patternProperties) {
    return `Record<string, ${typeOf(Object.values(schema.patternProperties)[0])}>`;
  }
  return byType[schema.type]?.(schema) ?? 'unknown';
};
