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
  /** How the bytes make characters; found out by looking at them when left out. */
  readonly encoding?: DbcEncoding;
  readonly limits?: Partial<DbcLimits>;
}

export interface DbcContent {
  readonly database: Database<DbcSpecifics>;
  /** What is not as it should be, in the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** The encoding of the file, for writing it again. */
  readonly encoding: DbcEncoding;
}

/**
 * Reads a DBC file. It makes the best of what is wrong with it and reports that; a file that
 * cannot be trusted it refuses with `invalid_database`.
 */
export const readDbc = (bytes: Uint8Array, options: ReadDbcOptions = {}): DbcContent => {
  const limits = { ...dbcLimits, ...options.limits };
  if (bytes.length > limits.fileBytes) {
    const reason = `it has more than ${limits.fileBytes} bytes`;
    throw new BusbarError('invalid_database', {
      message: `The database file cannot be trusted: ${reason}`,
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

/** No text holds NUL, unless a tool padded the end of its file with it. */
const refuseBinary = (text: string, problems: DbcProblems): void => {
  const first = text.indexOf('\0');
  if (first >= 0 && !/^[\0\s]*$/.test(text.slice(first))) {
    problems.refuse(first, 'it is not a text');
  }
};
