import { type Static, type TSchema, Type } from 'typebox';
import { choice, freeText, optional, record, type TableName, tableNames } from './fields.ts';
import type { RowCounts } from './row-counts.ts';
import { BindingRow } from './tables/bindings.ts';
import { CodecRow } from './tables/codecs.ts';
import { E2eRow } from './tables/e2e.ts';
import { EndpointRow } from './tables/endpoints.ts';
import { FaultRuleRow } from './tables/fault-rules.ts';
import { MappingRow } from './tables/mappings.ts';
import { MessageRow } from './tables/messages.ts';
import { ModbusResourceRow } from './tables/modbus-resources.ts';
import { PduRow } from './tables/pdus.ts';
import { PluginRow } from './tables/plugins.ts';
import { Provenance } from './tables/provenance.ts';
import { SignalRow } from './tables/signals.ts';
import { TxTaskRow } from './tables/tx-tasks.ts';

/** The schema of a row of each table, in the order in which tables are saved. */
export const rowSchemas = {
  endpoints: EndpointRow,
  signals: SignalRow,
  codecs: CodecRow,
  messages: MessageRow,
  pdus: PduRow,
  modbus_resources: ModbusResourceRow,
  bindings: BindingRow,
  mappings: MappingRow,
  tx_tasks: TxTaskRow,
  e2e: E2eRow,
  fault_rules: FaultRuleRow,
  plugins: PluginRow,
} as const satisfies Record<TableName, TSchema>;

export type RowOf<Table extends TableName> = Static<(typeof rowSchemas)[Table]>;

/** What a project says about itself, before its tables. */
export const ProjectHeader = record({
  format: choice(['gwproj'], 'Format of the file'),
  schema_version: Type.Integer({ description: 'Version of the format', minimum: 1, maximum: 1 }),
  id: optional(
    Type.String({
      description: 'Name of instances for which none is given',
      pattern: '^[A-Za-z0-9_.-]{1,64}$',
      'x-rule': 'must be 1 to 64 letters, digits and _ . -',
    }),
  ),
  name: optional(freeText('Title')),
  description: optional(freeText('What it is for')),
  $schema: optional(freeText('Where editors find the schema; not read')),
  provenance: Type.Array(Provenance, { description: 'Imported files', default: [] }),
});
export type ProjectHeader = Static<typeof ProjectHeader>;

export type ProjectTables = { readonly [Table in TableName]: RowOf<Table>[] };

/** A project with every default filled in. */
export interface Project extends ProjectTables {
  readonly header: ProjectHeader;
}

/** A project without a row. */
export const emptyProject = (): Project => {
  const tables = Object.fromEntries(tableNames.map((name) => [name, []]));
  return {
    header: { format: 'gwproj', schema_version: 1, provenance: [] },
    ...(tables as unknown as ProjectTables),
  };
};

/** How many rows each table of a project has. */
export const countTables = (project: Project): RowCounts =>
  Object.fromEntries(tableNames.map((name) => [name, project[name].length])) as RowCounts;
