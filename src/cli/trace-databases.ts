import { openSync } from 'node:fs';
import { resolve } from 'node:path';
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { attempt, type NamedPath } from '../base/files/path-refusals.ts';
import { readAndClose } from '../base/files/read-at-most.ts';
import { databaseForConditions } from '../condition/condition-context.ts';
import { parseCondition } from '../condition/parse-condition.ts';
import { TraceCondition } from '../condition/trace-condition.ts';
import type { TraceDatabase } from '../condition/trace-context.ts';
import { dbcLimits } from '../database/dbc/limits.ts';
import { type DatabaseRequest, readDatabaseOf } from '../table/service/decode-request.ts';
import { assertChannel } from '../table/service/trace-chunks.ts';
import type { CliContext } from './context.ts';

/** Splits `file.dbc@1` at the last `@`. */
export const databaseRequest = (text: string): DatabaseRequest => {
  const at = text.lastIndexOf('@');
  if (at < 0) return { file: text };
  const [file, channel] = [text.slice(0, at), text.slice(at + 1)];
  if (file !== '' && channel !== '') return { file, channel };
  throw invalidArgument('database', `--database must be a file, or file@channel: ${text}`);
};

/** Over HTTP the databases are a list of objects; here they are one option each. */
export const atOption = (thrown: unknown): unknown => {
  const error = BusbarError.from(thrown);
  return error.details.field === 'databases'
    ? error.with({ details: { ...error.details, field: 'database' } })
    : thrown;
};

export const readerOfDatabases =
  ({ workingDirectory }: CliContext) =>
  (file: string): Uint8Array => {
    const named: NamedPath = { path: resolve(workingDirectory ?? '.', file), field: 'database' };
    return attempt(named, () => readAndClose(openSync(named.path, 'r'), dbcLimits.fileBytes));
  };

/** Databases of conditions, from the values of `--database`. */
const conditionDatabases = (values: unknown, context: CliContext): TraceDatabase[] => {
  const read = readerOfDatabases(context);
  try {
    return ((values ?? []) as readonly string[]).map(databaseRequest).map(({ file, channel }) => {
      if (channel !== undefined) assertChannel(channel);
      const database = databaseForConditions(file, readDatabaseOf(file, read(file)));
      return { channel: channel ?? null, database };
    });
  } catch (thrown) {
    throw atOption(thrown);
  }
};

type Values = Readonly<Record<string, unknown>>;

/** The condition of a command, and its `--database`. */
export const conditionIn = (values: Values, field: string, context: CliContext): TraceCondition => {
  const condition = parseCondition(values[field] as string, field);
  return new TraceCondition(condition, field, conditionDatabases(values.database, context));
};

/** The same for a `--filter`, without which nothing needs databases. */
export const filterIn = (values: Values, context: CliContext): TraceCondition | null => {
  if (values.filter !== undefined) return conditionIn(values, 'filter', context);
  if (values.database === undefined) return null;
  throw invalidArgument('database', 'database is for signals in filter: set filter too', {
    reason: 'needs_filter',
  });
};
