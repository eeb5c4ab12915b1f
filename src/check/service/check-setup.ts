import { createHash } from 'node:crypto';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Database } from '../../database/model.ts';
import { readDatabaseOf } from '../../table/service/decode-request.ts';
import { assertChannel } from '../../table/service/trace-chunks.ts';
import type { Check } from '../check.ts';
import { type CheckEntry, maxChecks } from '../check-file.ts';
import type { CheckEnvironment } from '../check-record.ts';
import { parseChecks } from '../parse-check.ts';
import { fieldInFile, inFile, readCheckFile } from '../read-check-file.ts';
import { type ChosenRates, readRates } from './bus-rates.ts';

export interface CheckSource {
  /** Path of the check file. */
  readonly file?: string | undefined;
  /** Checks after those of the file; `fieldOf` names their text in errors. */
  readonly checks: readonly CheckEntry[];
  readonly fieldOf?: (index: number) => string;
  readonly databases: readonly { readonly file: string; readonly channel?: string | undefined }[];
  readonly bitrates: readonly string[];
}

export interface CheckDatabase {
  readonly channel: string | null;
  readonly database: Database;
  readonly record: CheckEnvironment['databases'][number];
}

/** Checks with all that their evaluation needs. Plain data, which can cross threads. */
export interface CheckSetup {
  readonly file?: string | undefined;
  readonly checks: readonly Check[];
  readonly databases: readonly CheckDatabase[];
  readonly rates: readonly ChosenRates[];
}

export interface CheckFiles {
  checkFile(path: string): Uint8Array;
  database(path: string): Uint8Array;
}

const tooMany = (count: number, field: string) =>
  invalidArgument(field, `There are ${count} checks; at most ${maxChecks} are allowed`, {
    reason: 'too_many',
    limit: maxChecks,
  });

const refuseNone = (
  file: string | undefined,
  checks: readonly CheckEntry[],
  field: string,
): void => {
  if (file !== undefined || checks.length > 0) return;
  throw invalidArgument(field, `${field} is required, or a check file`, { reason: 'no_checks' });
};

type Checks = Pick<CheckSource, 'file' | 'checks' | 'fieldOf'>;

/** Reads and parses checks. `read` reads a check file. */
export const checksIn = (source: Checks, read: CheckFiles['checkFile']): Check[] => {
  const { file } = source;
  return allChecks(source, file === undefined ? [] : readCheckFile(file, read(file)).checks);
};

/** Parses the checks of the file, and those after them. */
export const allChecks = (
  { file, checks, fieldOf }: Checks,
  own: readonly CheckEntry[],
): Check[] => {
  const listField = fieldOf === undefined ? 'checks' : 'check';
  refuseNone(file, checks, listField);
  const count = own.length + checks.length;
  if (count > maxChecks) throw tooMany(count, listField);
  const first = inFile(file, () => parseChecks(own, fieldInFile));
  return [...first, ...parseChecks(checks, fieldOf, first)];
};

/** Rejects what can be rejected without files. */
export const refuseCheckRequest = ({
  file,
  checks = [],
  databases = [],
  bitrate = [],
}: {
  readonly file?: string | undefined;
  readonly checks?: readonly CheckEntry[] | undefined;
  readonly databases?: CheckSource['databases'] | undefined;
  readonly bitrate?: readonly string[] | undefined;
}): void => {
  refuseNone(file, checks, 'checks');
  parseChecks(checks);
  readRates(bitrate);
  for (const { channel } of databases) if (channel !== undefined) assertChannel(channel);
};

/** Rejects arguments of live checks that come with a trace, and a request with neither. */
export const refuseLiveFields = (
  request: Readonly<Record<string, unknown>>,
  liveFields: readonly string[],
): void => {
  if (request.trace === undefined) {
    const live = liveFields[0] as string;
    throw invalidArgument('trace', `trace or ${live} is required`, {
      reason: 'missing_field',
      with: [live],
    });
  }
  const field = liveFields.find((name) => request[name] !== undefined);
  if (field === undefined) return;
  throw invalidArgument(field, `${field} is for live checks, and there is a trace`, {
    reason: 'not_applicable',
  });
};

/** Rejects arguments of checks of a trace that come with live checks. */
export const refuseTraceFields = (
  request: Readonly<Record<string, unknown>>,
  traceFields: readonly string[],
): void => {
  const field = traceFields.find((name) => request[name] !== undefined);
  if (field === undefined) return;
  throw invalidArgument(field, `${field} is for checks of a trace, and these are live`, {
    reason: 'not_applicable',
  });
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Reads and parses everything but the trace. */
export const checkSetup = (source: CheckSource, files: CheckFiles): CheckSetup => {
  const checks = checksIn(source, files.checkFile);
  const rates = readRates(source.bitrates);
  const databases = source.databases.map(({ file, channel }): CheckDatabase => {
    if (channel !== undefined) assertChannel(channel);
    const bytes = files.database(file);
    return {
      channel: channel ?? null,
      database: readDatabaseOf(file, bytes),
      record: { file, channel: channel ?? null, size: bytes.length, sha256: sha256(bytes) },
    };
  });
  return { file: source.file, checks, databases, rates };
};
