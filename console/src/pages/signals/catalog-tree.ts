import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import type { DatabaseContent, DatabaseMessage, DatabaseSignal } from '../../api/client.ts';

/** Where a row is among those beside it, under the same parent; from 1. */
interface Placed {
  readonly position: number;
  readonly siblings: number;
}

interface DatabaseRow extends Placed {
  readonly kind: 'database';
  readonly key: string;
  readonly database: string;
  readonly count: number;
  readonly isOpen: boolean;
}

interface MessageRow extends Placed {
  readonly kind: 'message';
  readonly key: string;
  readonly database: string;
  readonly message: DatabaseMessage;
  readonly count: number;
  readonly isOpen: boolean;
}

export interface SignalRow extends Placed {
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

export const idText = ({ id, extended }: DatabaseMessage): string =>
  hexDigits(id, extended ? 8 : 3);

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

interface FoundMessage {
  readonly message: DatabaseMessage;
  readonly signals: readonly DatabaseSignal[];
}

const foundIn = (
  { name: database, message_page: messages }: DatabaseContent,
  words: readonly string[],
): readonly FoundMessage[] =>
  messages
    .map((message) => {
      const path = `${database} ${message.name} ${idText(message)}`;
      const isFound = ({ name, unit }: DatabaseSignal): boolean =>
        hasAll(`${path} ${name} ${unit}`, words);
      return { message, signals: message.signals.filter(isFound) };
    })
    .filter(({ signals }) => words.length === 0 || signals.length > 0);

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
  const databases = [...catalogs]
    .map((content) => ({ database: content.name, found: foundIn(content, words) }))
    .filter(({ found }) => !isSearch || found.length > 0);
  for (const [d, { database, found }] of databases.entries()) {
    const key = databaseKey(database);
    const isOpen = isSearch || open.has(key);
    const place = { position: d + 1, siblings: databases.length };
    rows.push({ kind: 'database', key, database, count: found.length, isOpen, ...place });
    if (!isOpen) continue;
    for (const [m, { message, signals }] of found.entries()) {
      const parent = messageKey(database, message.name);
      const isMessageOpen = isSearch || open.has(parent);
      rows.push({
        kind: 'message',
        key: parent,
        database,
        message,
        count: signals.length,
        isOpen: isMessageOpen,
        position: m + 1,
        siblings: found.length,
      });
      if (!isMessageOpen) continue;
      for (const [s, signal] of signals.entries()) {
        rows.push({
          kind: 'signal',
          key: JSON.stringify([database, message.name, signal.name]),
          parent,
          database,
          message,
          signal,
          position: s + 1,
          siblings: signals.length,
        });
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
