import type { DatabaseContent, DatabaseMessage, DatabaseSignal } from '../../api/schema.ts';
import { formatId } from '../../format/figures.ts';

interface DatabaseRow {
  readonly kind: 'database';
  readonly key: string;
  readonly database: string;
  readonly count: number;
  readonly isOpen: boolean;
}

interface MessageRow {
  readonly kind: 'message';
  readonly key: string;
  readonly database: string;
  readonly message: DatabaseMessage;
  readonly count: number;
  readonly isOpen: boolean;
}

interface SignalRow {
  readonly kind: 'signal';
  readonly key: string;
  readonly parent: string;
  readonly database: string;
  readonly message: DatabaseMessage;
  readonly signal: DatabaseSignal;
}

export type TreeRow = DatabaseRow | MessageRow | SignalRow;

export const databaseKey = (database: string): string => JSON.stringify([database]);
export const messageKey = (database: string, message: string): string =>
  JSON.stringify([database, message]);

export const idText = ({ id, extended }: DatabaseMessage): string => formatId(id, extended ? 8 : 3);

interface TreeView {
  /** Keys of what is folded out. */
  readonly open: ReadonlySet<string>;
  /** Words that a signal must have in its database, message, identifier, name or unit. */
  readonly query: string;
}

const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

const hasAll = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
};

/**
 * The rows of the tree that can be seen: databases, their messages, and the signals of these. While
 * something is searched, everything found is folded out.
 */
export const treeRows = (
  catalogs: Iterable<DatabaseContent>,
  { open, query }: TreeView,
): TreeRow[] => {
  const words = wordsOf(query);
  const isSearch = words.length > 0;
  const rows: TreeRow[] = [];
  for (const { name: database, message_page: messages } of catalogs) {
    const key = databaseKey(database);
    const found = messages
      .map((message) => {
        const path = `${database} ${message.name} ${idText(message)}`;
        const signals = isSearch
          ? message.signals.filter(({ name, unit }) => hasAll(`${path} ${name} ${unit}`, words))
          : message.signals;
        return { message, signals };
      })
      .filter(({ signals }) => !isSearch || signals.length > 0);
    if (isSearch && found.length === 0) continue;
    const isOpen = isSearch || open.has(key);
    rows.push({ kind: 'database', key, database, count: found.length, isOpen });
    if (!isOpen) continue;
    for (const { message, signals } of found) {
      const parent = messageKey(database, message.name);
      const isMessageOpen = isSearch || open.has(parent);
      rows.push({
        kind: 'message',
        key: parent,
        database,
        message,
        count: signals.length,
        isOpen: isMessageOpen,
      });
      if (!isMessageOpen) continue;
      for (const signal of signals) {
        const signalKey = JSON.stringify([database, message.name, signal.name]);
        rows.push({ kind: 'signal', key: signalKey, parent, database, message, signal });
      }
    }
  }
  return rows;
};

/** Where the arrow to the left leads: to what holds this row. */
export const parentIndex = (rows: readonly TreeRow[], index: number): number => {
  const kind = rows[index]?.kind;
  const wanted = kind === 'signal' ? 'message' : kind === 'message' ? 'database' : null;
  for (let at = index; at >= 0; at--) if (rows[at]?.kind === wanted) return at;
  return index;
};
