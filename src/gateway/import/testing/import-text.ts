import { createHash } from 'node:crypto';
import { BusbarError, type ErrorRecord } from '../../../base/errors/busbar-error.ts';
import { readDbc } from '../../../database/dbc/read-dbc.ts';
import { type ImportedDatabase, type ImportOptions, importDbc } from '../import-dbc.ts';

/** Imports a database from text or bytes; by default into `network`, as received. */
export const importText = (
  file: string | Uint8Array,
  options: Partial<ImportOptions> = {},
): ImportedDatabase => {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  return importDbc(readDbc(bytes).database, {
    network: 'net',
    direction: 'rx',
    file: 'test.dbc',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...options,
  });
};

/** The error of a rejected call. */
export const refusalOf = (call: () => unknown): ErrorRecord => {
  try {
    call();
  } catch (thrown) {
    return BusbarError.from(thrown).toRecord();
  }
  throw new BusbarError('internal_error', { message: 'It was not refused' });
};

/** One message with an identifier, a period and signal lines. */
export const messageText = (lines: string, { length = 8, more = '' } = {}): string =>
  `BO_ 100 M: ${length} A\n${lines}
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 100000;
BA_DEF_ SG_ "GenSigStartValue" FLOAT 0 0;
BA_ "GenMsgCycleTime" BO_ 100 10;
${more}`;
