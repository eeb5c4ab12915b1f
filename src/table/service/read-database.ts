import { BusbarError } from '../../base/errors/busbar-error.ts';
import { readDbc } from '../../database/dbc/read-dbc.ts';
import type { Database } from '../../database/model.ts';

const field = 'databases';

/** Reads a database file of any supported format; a refusal names the file. */
export const readDatabase = (file: string, bytes: Uint8Array): Database => {
  try {
    return readDbc(bytes).database;
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    if (error.code !== 'invalid_database') throw thrown;
    throw error.with({
      message: `${file}: ${error.message}`,
      details: { field, file, ...error.details },
    });
  }
};
