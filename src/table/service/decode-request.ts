import { extname } from 'node:path';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { databaseForConditions } from '../../condition/condition-context.ts';
import { parseCondition } from '../../condition/parse-condition.ts';
import { TraceCondition } from '../../condition/trace-condition.ts';
import type { Database } from '../../database/model.ts';
import { readDatabase } from '../../database/read-database.ts';
import { parseChosenPatterns } from '../decode/chosen-patterns.ts';
import type { DecodeSettings } from '../decode/decode-settings.ts';
import { type TableFormat, tableEndings, tableFormats } from '../table-format.ts';
import { type TimeLimits, timeLimitsOf } from './time-limit.ts';
import { assertChannel } from './trace-chunks.ts';

export interface DatabaseRequest {
  readonly file: string;
  readonly channel?: string | undefined;
}

export interface SignalsRequest {
  readonly file: string;
  readonly databases: readonly DatabaseRequest[];
  readonly signals?: readonly string[] | undefined;
  readonly filter?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface DecodeRequest extends SignalsRequest {
  readonly output: string;
  readonly wide?: boolean | undefined;
  readonly every_ms?: number | undefined;
}

export const tableFormatOf = (output: string): TableFormat => {
  const ending = extname(output).toLowerCase();
  const format = tableFormats.find((each) => tableEndings[each] === ending);
  if (format) return format;
  const known = Object.values(tableEndings).join(', ');
  throw invalidArgument('output', `output must end in ${known}`, { reason: 'unknown_format' });
};

const filterField = 'filter';

/** Checks everything that needs no file. */
export const checkSignalsRequest = ({
  databases,
  signals,
  filter,
  from,
  to,
}: SignalsRequest): TimeLimits => {
  parseChosenPatterns(signals ?? null);
  if (filter !== undefined) parseCondition(filter, filterField);
  for (const { channel } of databases) if (channel !== undefined) assertChannel(channel);
  return timeLimitsOf(from, to);
};

export const checkDecodeRequest = (request: DecodeRequest): TableFormat => {
  const { output, wide = false, every_ms: everyMs } = request;
  if (everyMs !== undefined && !wide) {
    throw invalidArgument('every_ms', 'every_ms is for wide tables: set wide too', {
      reason: 'needs_wide',
    });
  }
  checkSignalsRequest(request);
  return tableFormatOf(output);
};

/** A refusal names the file. */
export const readDatabaseOf = (file: string, bytes: Uint8Array): Database => {
  try {
    return readDatabase(file, bytes).database;
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    if (error.code !== 'invalid_database' && error.code !== 'unsupported_database') throw thrown;
    throw error.with({
      message: `${file}: ${error.message}`,
      details: { field: 'databases', file, ...error.details },
    });
  }
};

/** The filter of a request; its signals are looked up in the databases that are decoded. */
export const filterOf = (
  { filter }: SignalsRequest,
  { databases }: Pick<DecodeSettings, 'databases'>,
): TraceCondition | null => {
  if (filter === undefined) return null;
  const chosen = databases.map(({ channel, name, database }) => ({
    channel,
    database: databaseForConditions(name, database),
  }));
  return new TraceCondition(parseCondition(filter, filterField), filterField, chosen);
};

export const decodeSettingsOf = (
  { databases, signals, wide = false, every_ms: everyMs }: DecodeRequest,
  format: TableFormat,
  read: (file: string) => Uint8Array,
): DecodeSettings => ({
  format,
  wide,
  everyUs: everyMs === undefined ? null : everyMs * 1000,
  signals: signals ?? null,
  databases: databases.map(({ file, channel }) => ({
    name: file,
    channel: channel ?? null,
    database: readDatabaseOf(file, read(file)),
  })),
});
