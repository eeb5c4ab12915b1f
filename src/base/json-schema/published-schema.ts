import type { JsonSchema } from './json-schema.ts';

export const schemaDialect = 'https://json-schema.org/draft/2020-12/schema';

/** A schema as editors read it: without our own keywords, and fields with a default are optional. */
export const publishedSchema = (schema: JsonSchema): unknown => {
  if (Array.isArray(schema)) return schema.map(publishedSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('x-') || keyword.startsWith('~')) continue;
    if (keyword === 'required') continue;
    entries.push([keyword, keyword === 'default' ? value : publishedSchema(value as JsonSchema)]);
  }
  const required = schema.required?.filter(
    (name) => schema.properties?.[name]?.default === undefined,
  );
  if (required && required.length > 0) entries.push(['required', required]);
  return Object.fromEntries(entries);
};
