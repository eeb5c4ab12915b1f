import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Diagnostic } from '../database-records.ts';
import type { Database } from '../model.ts';
import { buildDatabase } from './build/build-database.ts';
import { type DbcEncoding, decodeText } from './encoding.ts';
import { type DbcLimits, dbcLimits } from './limits.ts';
import { DbcProblems } from './read/problems.ts';
import { readStatements } from './read/read-statements.ts';
import type { DbcSpecifics } from './specifics.ts';

export interface ReadDbcOptions {
  readonly encoding?: DbcEncoding;
  readonly limits?: Partial<DbcLimits>;
}

export interface DbcContent {
  readonly database: Database<DbcSpecifics>;
  readonly diagnostics: readonly Diagnostic[];
  readonly encoding: DbcEncoding;
}

/**
 * Reads a DBC file. Errors are reported as diagnostics and skipped; a file with too many is
 * rejected with `invalid_database`.
 */
export const readDbc = (bytes: Uint8Array, options: ReadDbcOptions = {}): DbcContent => {
  const limits = { ...dbcLimits, ...options.limits };
  if (bytes.length > limits.fileBytes) {
    const reason = `it has more than ${limits.fileBytes} bytes`;
    throw new BusbarError('invalid_database', {
      message: `Invalid DBC file: ${reason}`,
      details: { line: 1, column: 1, reason },
    });
  }
  const { text, encoding } = decodeText(bytes, options.encoding);
  const problems = new DbcProblems(text, limits);
  refuseBinary(text, problems);
  const draft = readStatements(text, problems);
  const database = buildDatabase(draft, problems);
  return { database, diagnostics: problems.list(), encoding };
};

/** Text contains no NUL, except where a tool padded the end of the file. */
const refuseBinary = (text: string, problems: DbcProblems): void => {
  const first = text.indexOf('\0');
  if (first >= 0 && !/^[\0\s]*$/.test(text.slice(first))) {
    problems.refuse(first, 'it is not a text file');
  }
};
