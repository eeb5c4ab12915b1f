import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ProjectRoot } from '../../base/files/project-root.ts';
import type { DatabaseSummary } from '../database-records.ts';
import { DatabaseStore } from '../database-store.ts';
import { dbcLimits } from '../dbc/limits.ts';

export interface LoadRequest {
  readonly file: string;
  readonly name?: string | undefined;
}

const field = 'file';
const maxNameLength = 128;

/**
 * Returns `vehicle` for `networks/vehicle.dbc`, without characters that are invalid in names.
 */
const nameOf = (file: string): string =>
  (basename(file).replace(/\.dbc$/i, '') || basename(file))
    .replaceAll(/[\s\p{Cc}]+/gu, '_')
    .slice(0, maxNameLength)
    .replace(/^\.{1,2}$/, '_');

export class DatabaseLoader {
  readonly store: DatabaseStore;
  readonly #projectRoot: string;

  constructor(projectRoot: string, limit: number, nowUs: () => number) {
    this.#projectRoot = projectRoot;
    this.store = new DatabaseStore(limit, nowUs);
  }

  load({ file, name }: LoadRequest): DatabaseSummary {
    const wanted = name ?? nameOf(file);
    this.store.checkFree(wanted);
    try {
      return this.store.load({ name: wanted, file, bytes: this.#read(file) });
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      if (error.code !== 'invalid_database') throw thrown;
      throw error.with({
        message: `${file}: ${error.message}`,
        details: { field, file, ...error.details },
      });
    }
  }

  #read(file: string): Uint8Array {
    const root = ProjectRoot.open(this.#projectRoot, { field });
    try {
      const { fd } = root.openForReading(file, { field });
      try {
        // Checked before the file fills the memory.
        if (fstatSync(fd).size > dbcLimits.fileBytes) {
          throw new BusbarError('invalid_database', {
            message: `The file has more than ${dbcLimits.fileBytes} bytes`,
            details: { field, file, line: 1, column: 1, reason: 'too_large' },
          });
        }
        return readFileSync(fd);
      } finally {
        closeSync(fd);
      }
    } finally {
      root.close();
    }
  }
}
