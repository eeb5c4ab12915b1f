import { publishedSchema, schemaDialect } from '../../base/json-schema/published-schema.ts';
import { ProjectHeader, rowSchemas } from './project.ts';
import { keywordsOf } from './shape.ts';
import { type TableName, tableNames } from './table-names.ts';

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

/** The JSON Schema of project files. */
export const projectSchema = (): object => {
  const header = publishedSchema(keywordsOf(ProjectHeader)) as { properties: object };
  const tables = tableNames.map((name) => [
    name,
    {
      description: tableDescriptions[name],
      type: 'array',
      items: publishedSchema(keywordsOf(rowSchemas[name])),
    },
  ]);
  return {
    $schema: schemaDialect,
    title: 'Busbar gateway project, schema version 1',
    ...header,
    properties: { ...header.properties, ...Object.fromEntries(tables) },
  };
};
