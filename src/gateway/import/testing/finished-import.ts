import { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { Database } from '../../../database/model.ts';
import type { Direction } from '../../project/tables/messages.ts';
import { type ImportedDatabase, importDbc } from '../import-dbc.ts';
import type { ImportNote } from '../import-record.ts';

/** A database from which everything possible was imported. */
export interface FinishedImport extends ImportedDatabase {
  /** The part of the database that was accepted. */
  readonly database: Database;
  readonly refused: readonly ImportNote[];
}

const imported = (database: Database, direction: Direction): ImportedDatabase =>
  importDbc(database, {
    network: 'net',
    direction,
    file: 'any.dbc',
    sha256: '0'.repeat(64),
    missingCycle: 'on_change',
    staleAfterMs: 0,
  });

/** The database without the items of an error. */
const without = (database: Database, notes: readonly ImportNote[]): Database => ({
  ...database,
  messages: database.messages
    .filter(({ name }) => !notes.some((note) => note.message === name && note.signal === null))
    .map((message) => {
      const named = new Set(
        notes.filter((note) => note.message === message.name).map(({ signal }) => signal),
      );
      const isKept = ({ name, multiplexing }: (typeof message.signals)[number]): boolean =>
        !named.has(name) && !named.has(multiplexing?.switch ?? null);
      return { ...message, signals: message.signals.filter(isKept) };
    }),
});

const sizeOf = ({ messages }: Database): number =>
  messages.reduce((sum, { signals }) => sum + 1 + signals.length, 0);

/**
 * Imports the accepted part of a database; null if nothing is left. Throws an error that names
 * nothing to remove.
 */
export const finishedImport = (database: Database, direction: Direction): FinishedImport | null => {
  const refused: ImportNote[] = [];
  for (let rest = database; ; ) {
    try {
      return { ...imported(rest, direction), database: rest, refused };
    } catch (thrown) {
      const { code, details } = BusbarError.from(thrown);
      if (code !== 'invalid_database') throw thrown;
      const notes = details.problems as ImportNote[];
      const less = without(rest, notes);
      if (sizeOf(less) === 0) return null;
      if (sizeOf(less) === sizeOf(rest)) throw thrown;
      refused.push(...notes);
      rest = less;
    }
  }
};
