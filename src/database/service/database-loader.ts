import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ProjectRoot } from '../../base/files/project-root.ts';
import { maxDatabaseName } from '../database-name.ts';
import type { DatabaseSummary, DatabaseType } from '../database-records.ts';
import { type DatabaseSource, DatabaseStore } from '../database-store.ts';
import { dbcLimits } from '../dbc/limits.ts';
import type { Database } from '../model.ts';
import {
  noRoomForContents,
  type PackedDatabase,
  packDatabase,
  packedBytes,
  type ReloadedDatabase,
} from './packed-database.ts';

export interface LoadRequest {
  readonly file: string;
  readonly name?: string | undefined;
  readonly type?: DatabaseType | undefined;
}

export interface DatabaseFile {
  readonly name: string;
  readonly file: string;
  readonly type: DatabaseType;
  readonly content: Uint8Array;
}

/** What a database was loaded from. */
export interface LoadedFile {
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

const field = 'file';

/**
 * Returns `vehicle` for `networks/vehicle.dbc`, without characters that are invalid in names.
 */
const nameOf = (file: string): string =>
  (basename(file).replace(/\.(?:dbc|ldf)$/i, '') || basename(file))
    .replaceAll(/[\s\p{Cc}]+/gu, '_')
    .slice(0, maxDatabaseName)
    .replace(/^\.{1,2}$/, '_');

const reportFile = <Result>(file: string, work: () => Result): Result => {
  try {
    return work();
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    if (error.code !== 'invalid_database' && error.code !== 'unsupported_database') throw thrown;
    throw error.with({
      message: `${file}: ${error.message}`,
      details: { field, file, ...error.details },
    });
  }
};

const packWithin = (name: string, database: Database, room: number): PackedDatabase => {
  const packed = packDatabase(name, database);
  if (packedBytes(packed) > room) throw noRoomForContents(name);
  return packed;
};

export class DatabaseLoader {
  readonly store: DatabaseStore;
  readonly #projectRoot: string;
  readonly #digests = new WeakMap<Database, string>();
  /** Files of databases that are part of the service, by the name of the database. */
  readonly #builtIn = new Map<string, Uint8Array>();

  constructor(projectRoot: string, limit: number, nowUs: () => number) {
    this.#projectRoot = projectRoot;
    this.store = new DatabaseStore(limit, nowUs);
  }

  load({ file, name, type }: LoadRequest): DatabaseSummary {
    const wanted = name ?? nameOf(file);
    this.store.checkFree(wanted);
    return reportFile(file, () => {
      const summary = this.#load({ name: wanted, file, bytes: this.#read(file), type });
      this.#builtIn.delete(wanted);
      return summary;
    });
  }

  /** Loads a database that is part of the service and has no file. */
  loadBuiltIn(name: string, bytes: Uint8Array): void {
    this.#load({ name, file: 'built-in', bytes });
    this.#builtIn.set(name, bytes);
  }

  #load(source: DatabaseSource): DatabaseSummary {
    const summary = this.store.load(source);
    this.#digest(source);
    return summary;
  }

  /** Reads the file of a loaded database again. An error leaves the database as it was. */
  reload(name: string, room: number | null): ReloadedDatabase {
    const { file } = this.store.summaryOf(name);
    return reportFile(file, () => {
      let packed: PackedDatabase | null = null;
      const source = { name, file, bytes: this.#contentOf(name, file) };
      const summary = this.store.reload(source, (database) => {
        if (room !== null) packed = packWithin(name, database, room);
      });
      this.#digest(source);
      return { summary, packed };
    });
  }

  /** A loaded database with the bytes of its file. */
  file(name: string): DatabaseFile {
    const { file, type } = this.store.summaryOf(name);
    return reportFile(file, () => ({ name, file, type, content: this.#contentOf(name, file) }));
  }

  /** The files of loaded databases, as they were when they were loaded. */
  loadedFiles(names: readonly string[]): LoadedFile[] {
    return names.map((name) => {
      const { file, size_bytes: size } = this.store.summaryOf(name);
      const sha256 = this.#digests.get(this.store.databaseOf(name)) ?? '';
      return { name, file, size, sha256 };
    });
  }

  contents(name: string, room: number): PackedDatabase {
    return packWithin(name, this.store.databaseOf(name), room);
  }

  #digest({ name, bytes }: DatabaseSource): void {
    const digest = createHash('sha256').update(bytes).digest('hex');
    this.#digests.set(this.store.databaseOf(name), digest);
  }

  #contentOf(name: string, file: string): Uint8Array {
    return this.#builtIn.get(name) ?? this.#read(file);
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
