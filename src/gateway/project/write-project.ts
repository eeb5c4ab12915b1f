import { JsonSource } from '../../base/json/json-source.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import { type TableName, tableNames } from './fields.ts';
import {
  type Project,
  ProjectHeader,
  type ProjectTables,
  type RowOf,
  rowSchemas,
} from './project.ts';
import { defaultOf, formOf, type Keywords, keywordsOf } from './shape.ts';
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
const withoutImplied = <Table extends TableName>(
  table: Table,
  row: ProjectTables[Table][number],
): RowOf<Table> => tidy[table]?.(row) ?? row;

const isDefault = (field: Keywords, value: unknown): boolean => {
  const standard = defaultOf(field);
  if (typeof standard !== 'object') return standard === value;
  return stringifyJson(standard) === stringifyJson(value);
};

/** From here on JSON has an exponent, so that no digit is taken for exact. */
const firstWithExponent = 1e21;

/** A large number with all its digits: the shortest text of a double may be that of no double. */
const exactNumber = (value: number): number | bigint =>
  Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= firstWithExponent
    ? value
    : BigInt(value);

/** The value with its fields in the order of the schema, and without those that say nothing. */
const tidied = (schema: Keywords, value: unknown): unknown => {
  const form = formOf(schema, value);
  if (Array.isArray(value)) return value.map((item) => tidied(form.items ?? {}, item));
  if (typeof value === 'number') return exactNumber(value);
  if (!form.properties) return value;
  const given = value as Record<string, unknown>;
  const ordered: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(form.properties)) {
    if (given[name] === undefined || isDefault(field, given[name])) continue;
    ordered[name] = tidied(field, given[name]);
  }
  return ordered;
};

/** How rows and fields are divided. */
interface Layout {
  readonly indent: number;
  /** In front of a table, which the line above it ends with. */
  readonly tableMargin: string;
  readonly rowMargin: string;
  readonly colon: string;
}

const inLines: Layout = { indent: 2, tableMargin: '\n  ', rowMargin: '\n    ', colon: ': ' };
const inOneLine: Layout = { indent: 0, tableMargin: '', rowMargin: '', colon: ':' };

interface TextOptions {
  /** Each row and field on a line of its own, as people read them; else as short as can be. */
  readonly isInLines?: boolean;
}

/**
 * The text of a project in pieces, which together may be longer than a string can be. The same
 * project always gives the same text.
 */
export function* projectText(
  project: Project,
  { isInLines = true }: TextOptions = {},
): Generator<string> {
  const { indent, tableMargin, rowMargin, colon } = isInLines ? inLines : inOneLine;
  const header = stringifyJson(tidied(keywordsOf(ProjectHeader), project.header), indent);
  // Without the closing brace, in front of which the tables go.
  yield header.slice(0, isInLines ? -2 : -1);
  for (const name of tableNames) {
    const schema = keywordsOf(rowSchemas[name]);
    let separator = `,${tableMargin}${JSON.stringify(name)}${colon}[${rowMargin}`;
    for (const row of project[name]) {
      const text = stringifyJson(tidied(schema, withoutImplied(name, row)), indent);
      yield `${separator}${text.replaceAll('\n', rowMargin)}`;
      separator = `,${rowMargin}`;
    }
    if (project[name].length > 0) yield `${tableMargin}]`;
  }
  yield isInLines ? '\n}\n' : '}';
}

/** How many characters line breaks and margins add to a value that stands so deep. */
const spreadOf = (value: unknown, depth: number): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof JsonSource) return value.spreadInLines('  ', '  '.repeat(depth));
  const inner = Object.values(value);
  // Each on a line of its own, with a margin and perhaps a blank before its value.
  let spread = inner.length * (2 * depth + 4) + 2 * depth + 1;
  for (const item of inner) spread += spreadOf(item, depth + 1);
  return spread;
};

/** Whether lines and margins alone are no more than a file may have; a text of more is never made. */
const canBeSpread = (project: Project, mostBytes: number): boolean => {
  let spread = 0;
  for (const rows of [[project.header], ...tableNames.map((name) => project[name])]) {
    for (const row of rows) {
      spread += spreadOf(row, 2);
      if (spread > mostBytes) return false;
    }
  }
  return true;
};

/** Rows are encoded in pieces of about this many characters: each alone would cost more than it holds. */
const pieceLength = 65_536;

const encodedWithin = (texts: Iterable<string>, mostBytes: number): Uint8Array[] | null => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let waiting = '';
  const encodeWaiting = (): void => {
    const piece = Buffer.from(waiting);
    size += piece.length;
    pieces.push(piece);
    waiting = '';
  };
  for (const text of texts) {
    waiting += text;
    if (waiting.length < pieceLength) continue;
    encodeWaiting();
    if (size > mostBytes) return null;
  }
  encodeWaiting();
  return size > mostBytes ? null : pieces;
};

/**
 * The bytes of a project as it is saved: in lines, or all in one where lines and margins would make
 * of a file that can be loaded one that cannot. Null if it is too large in either way, which takes
 * numbers such as 1e20 that have more digits when they are written out.
 */
export const savedPieces = (project: Project, mostBytes: number): Uint8Array[] | null => {
  const inLines = canBeSpread(project, mostBytes)
    ? encodedWithin(projectText(project), mostBytes)
    : null;
  return inLines ?? encodedWithin(projectText(project, { isInLines: false }), mostBytes);
};
