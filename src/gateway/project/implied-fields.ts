import type { TableName } from './fields.ts';
import type { ProjectTables, RowOf } from './project.ts';
import { type CodecRow, firstCounterOf } from './tables/codecs.ts';
import { defaultPollMs, type ModbusResourceRow, staleMsOf } from './tables/modbus-resources.ts';

/** A row as if fields of it had been left out. */
const without = <Row>(row: Row, ...fields: (keyof Row)[]): Row => {
  const kept = { ...row };
  for (const field of fields) delete kept[field];
  return kept;
};

const impliedOfCodec = (codec: CodecRow): CodecRow => {
  if (codec.kind !== 'e2e') return codec;
  const { profile, counter_initial: first } = codec;
  const isFirst = first !== undefined && BigInt(first) === firstCounterOf(profile);
  return without(
    codec,
    ...(isFirst ? (['counter_initial'] as const) : []),
    ...(codec.sync_counter_init === 0 ? (['sync_counter_init'] as const) : []),
  );
};

const impliedOfResource = (resource: ModbusResourceRow): ModbusResourceRow =>
  without(
    resource,
    ...(resource.count === 1 ? (['count'] as const) : []),
    ...(resource.poll_ms === defaultPollMs ? (['poll_ms'] as const) : []),
    ...(resource.stale_after_ms === staleMsOf(without(resource, 'stale_after_ms'))
      ? (['stale_after_ms'] as const)
      : []),
  );

type Tidy = { readonly [Table in TableName]?: (row: RowOf<Table>) => RowOf<Table> };

/**
 * Fields that rules want to find given or not, or whose default depends on others of the row: no
 * default is filled in when they are read, and so they are left out here when they say the same.
 */
const tidy: Tidy = {
  codecs: impliedOfCodec,
  modbus_resources: impliedOfResource,
  tx_tasks: (task) =>
    without(
      task,
      ...(task.policy === 'periodic' ? (['policy'] as const) : []),
      ...(task.min_interval_ms === 0 ? (['min_interval_ms'] as const) : []),
    ),
  plugins: (plugin) => (plugin.trigger === 'on_input' ? without(plugin, 'trigger') : plugin),
};

/** A row without what it means anyway. */
export const withoutImplied = <Table extends TableName>(
  table: Table,
  row: ProjectTables[Table][number],
): RowOf<Table> => tidy[table]?.(row) ?? row;
