import { JsonSource } from '../../base/json/json-source.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { JsonSchema } from '../../base/json-schema/json-schema.ts';
import { firstCounterOf } from '../../e2e/profiles.ts';
import {
  type Project,
  ProjectHeader,
  type ProjectTables,
  type RowOf,
  rowSchemas,
} from './project.ts';
import { formOf, keywordsOf } from './shape.ts';
import { type TableName, tableNames } from './table-names.ts';
import type { CodecRow } from './tables/codecs.ts';
import { defaultPollMs, type ModbusResourceRow, staleMsOf } from './tables/modbus-resources.ts';

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

type RowNormalizers = { readonly [Table in TableName]?: (row: RowOf<Table>) => RowOf<Table> };

/**
 * Fields without a schema default, because rules check their presence or their default depends
 * on other fields. They are omitted if they have their default value.
 */
const tidy: RowNormalizers = {
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

const withoutImplied = <Table extends TableName>(
  table: Table,
  row: ProjectTables[Table][number],
): RowOf<Table> => tidy[table]?.(row) ?? row;

const isDefault = ({ default: standard }: JsonSchema, value: unknown): boolean => {
  if (typeof standard !== 'object') return standard === value;
  return stringifyJson(standard) === stringifyJson(value);
};

/** From this value on, JSON uses an exponent, which does not suggest exact digits. */
const firstWithExponent = 1e21;

/** Returns a large number with all its digits: the shortest text of a double may not be exact. */
const exactNumber = (value: number): number | bigint =>
  Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= firstWithExponent
    ? value
    : BigInt(value);

const tidied = (schema: JsonSchema, value: unknown): unknown => {
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

interface Layout {
  readonly indent: number;
  readonly tableMargin: string;
  readonly rowMargin: string;
  readonly colon: string;
}

const inLines: Layout = { indent: 2, tableMargin: '\n  ', rowMargin: '\n    ', colon: ': ' };
const inOneLine: Layout = { indent: 0, tableMargin: '', rowMargin: '', colon: ':' };

interface TextOptions {
  readonly isInLines?: boolean;
}

/**
 * Yields the text of a project in pieces, which together can exceed the maximum string length.
 * Equal projects have equal texts.
 */
export function* projectText(
  project: Project,
  { isInLines = true }: TextOptions = {},
): Generator<string> {
  const { indent, tableMargin, rowMargin, colon } = isInLines ? inLines : inOneLine;
  const header = stringifyJson(tidied(keywordsOf(ProjectHeader), project.header), indent);
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

/** Counts the characters that line breaks and indentation add to a value at this depth. */
const spreadOf = (value: unknown, depth: number): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof JsonSource) return value.spreadInLines('  ', '  '.repeat(depth));
  const inner = Object.values(value);
  let spread = inner.length * (2 * depth + 4) + 2 * depth + 1;
  for (const item of inner) spread += spreadOf(item, depth + 1);
  return spread;
};

/** Returns whether line breaks and indentation alone are within the maximum file size. */
const canBeSpread = (project: Project, maxBytes: number): boolean => {
  let spread = 0;
  for (const rows of [[project.header], ...tableNames.map((name) => project[name])]) {
    for (const row of rows) {
      spread += spreadOf(row, 2);
      if (spread > maxBytes) return false;
    }
  }
  return true;
};

/**
 * Rows are encoded in pieces of about this size, because encoding each row separately is slower.
 */
const pieceLength = 65_536;

const encodedWithin = (texts: Iterable<string>, maxBytes: number): Uint8Array[] | null => {
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
    if (size > maxBytes) return null;
  }
  encodeWaiting();
  return size > maxBytes ? null : pieces;
};

/**
 * Returns the bytes of a saved project: indented, or compact if that exceeds the maximum size.
 * Returns null if both are too large, because numbers such as 1e20 are written with all digits.
 */
export const savedPieces = (project: Project, maxBytes: number): Uint8Array[] | null => {
  const inLines = canBeSpread(project, maxBytes)
    ? encodedWithin(projectText(project), maxBytes)
    : null;
  return inLines ?? encodedWithin(projectText(project, { isInLines: false }), maxBytes);
};
