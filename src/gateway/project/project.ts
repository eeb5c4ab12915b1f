import { type Static, type TSchema, Type } from 'typebox';
import { choice, optional, record } from '../../base/schema/field-schemas.ts';
import { counted, type RecordOf } from '../../base/schema/schemas.ts';
import { freeText } from './fields.ts';
import { type TableName, tableNames } from './table-names.ts';
import { BindingRow } from './tables/bindings.ts';
import { CodecRow } from './tables/codecs.ts';
import { EndpointRow, networkName } from './tables/endpoints.ts';
import { FaultRuleRow } from './tables/fault-rules.ts';
import { MappingRow } from './tables/mappings.ts';
import { direction, E2eRow, MessageRow, PduRow } from './tables/messages.ts';
import { ModbusResourceRow } from './tables/modbus-resources.ts';
import { PluginRow } from './tables/plugins.ts';
import { SignalRow } from './tables/signals.ts';
import { TxTaskRow } from './tables/tx-tasks.ts';

const ImportDefault = record({
  message: Type.String({ description: 'Message without it' }),
  field: Type.String({ description: 'Field that was filled' }),
  value: Type.Integer({ description: 'What it was filled with', minimum: 0 }),
  rule: Type.String({ description: 'Why' }),
});
export type ImportDefault = Static<typeof ImportDefault>;

/** Origin of rows. It contains no time, so that the same import produces the same file. */
const Provenance = record({
  kind: choice(['dbc'], 'Format'),
  file: freeText('Name of the file'),
  sha256: Type.String({
    description: 'SHA-256 of the file',
    pattern: '^[0-9a-f]{64}$',
    'x-rule': 'must be 64 hexadecimal digits',
  }),
  network: networkName(),
  direction: direction(),
  defaults: Type.Array(ImportDefault, {
    description: 'Defaults for values missing from the file',
    default: [],
  }),
});

const tableCounts = Object.fromEntries(tableNames.map((name) => [name, counted('Rows')])) as Record<
  TableName,
  ReturnType<typeof counted>
>;

export const rowCounts = (description: string) => Type.Object(tableCounts, { description });
export type RowCounts = RecordOf<ReturnType<typeof rowCounts>>;

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

export interface Project extends ProjectTables {
  readonly header: ProjectHeader;
}

export const emptyProject = (): Project => {
  const tables = Object.fromEntries(tableNames.map((name) => [name, []]));
  return {
    header: { format: 'gwproj', schema_version: 1, provenance: [] },
    ...(tables as unknown as ProjectTables),
  };
};

export const countTables = (project: Project): RowCounts =>
  Object.fromEntries(tableNames.map((name) => [name, project[name].length])) as RowCounts;
