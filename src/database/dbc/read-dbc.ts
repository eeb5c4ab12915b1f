import type { Diagnostic } from '../database-records.ts';
import type { Database } from '../model.ts';
import type { TextEncoding } from '../text/encoding.ts';
import { openText } from '../text/open-text.ts';
import type { FileLimits } from '../text/problems.ts';
import { buildDatabase } from './build/build-database.ts';
import { dbcLimits } from './limits.ts';
import { readStatements } from './read/read-statements.ts';
import type { DbcSpecifics } from './specifics.ts';

export interface ReadDbcOptions {
  readonly encoding?: TextEncoding;
  readonly limits?: Partial<FileLimits>;
}

export interface DbcContent {
  readonly database: Database<DbcSpecifics>;
  readonly diagnostics: readonly Diagnostic[];
  readonly encoding: TextEncoding;
}

/**
 * Reads a DBC file. Errors are reported as diagnostics and skipped; a file with too many is
 * rejected with `invalid_database`.
 */
export const readDbc = (bytes: Uint8Array, options: ReadDbcOptions = {}): DbcContent => {
  const limits = { ...dbcLimits, ...options.limits };
  const { text, encoding, problems } = openText('DBC', bytes, limits, options.encoding);
  const draft = readStatements(text, problems);
  const database = buildDatabase(draft, problems);
  return { database, diagnostics: problems.list(), encoding };
};
