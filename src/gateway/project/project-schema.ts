import type { JsonSchema } from '../../base/json-schema/json-schema.ts';
import { type TableName, tableNames } from './fields.ts';
import { ProjectHeader, rowSchemas } from './project.ts';
import { keywordsOf } from './shape.ts';

/** What the tables hold, for editors and the reference. */
export const tableDescriptions: Readonly<Record<TableName, string>> = {
  endpoints: 'Networks of the bench that the project uses',
  signals: 'Values, each with one source',
  codecs: 'How values are encoded',
  messages: 'CAN messages',
  pdus: 'Byte ranges of messages',
  modbus_resources: 'Coils, inputs and registers',
  bindings: 'Where signals are in messages and resources',
  mappings: 'How signals are computed from other signals',
  tx_tasks: 'What is sent or written, and when',
  e2e: 'End-to-end protection of messages',
  fault_rules: 'Faults to inject; disabled by default',
  plugins: 'Functions of shared libraries',
};

/** A schema as editors read it: without our own keywords, and fields with a default are optional. */
const published = (schema: JsonSchema): unknown => {
  if (Array.isArray(schema)) return schema.map(published);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('x-') || keyword.startsWith('~')) continue;
    if (keyword === 'required') continue;
    entries.push([keyword, keyword === 'default' ? value : published(value as JsonSchema)]);
  }
  const required = schema.required?.filter(
    (name) => schema.properties?.[name]?.default === undefined,
  );
  if (required && required.length > 0) entries.push(['required', required]);
  return Object.fromEntries(entries);
};

/** The JSON Schema of project files. */
export const projectSchema = (): object => {
  const header = published(keywordsOf(ProjectHeader)) as { properties: object };
  const tables = tableNames.map((name) => [
    name,
    {
      description: tableDescriptions[name],
      type: 'array',
      items: published(keywordsOf(rowSchemas[name])),
    },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Busbar gateway project, schema version 1',
    ...header,
    properties: { ...header.properties, ...Object.fromEntries(tables) },
  };
};
