import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import type { DatabaseContent, DatabaseMessage, DatabaseSignal } from '../../api/client.ts';
import { hasWords, wordsOf } from '../../ui/search-words.ts';

interface Placed {
  readonly position: number;
  readonly siblings: number;
}

interface Node extends Placed {
  readonly key: string;
  readonly database: string;
}

interface Branch extends Node {
  readonly count: number;
  readonly isOpen: boolean;
}

interface DatabaseRow extends Branch {
  readonly kind: 'database';
}

interface MessageRow extends Branch {
  readonly kind: 'message';
  readonly message: DatabaseMessage;
}

export interface SignalRow extends Node {
  readonly kind: 'signal';
  readonly parent: string;
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
  readonly open: ReadonlySet<string>;
  readonly query: string;
}

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
        hasWords(`${path} ${name} ${unit}`, words);
      return { message, signals: message.signals.filter(isFound) };
    })
    .filter(({ signals }) => words.length === 0 || signals.length > 0);

/** Visible rows of the tree: databases, messages, signals. A search expands all matches. */
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

export const parentIndex = (rows: readonly TreeRow[], index: number): number => {
  const kind = rows[index]?.kind;
  const wanted = kind === 'signal' ? 'message' : kind === 'message' ? 'database' : null;
  for (let at = index; at >= 0; at--) if (rows[at]?.kind === wanted) return at;
  return index;
};
