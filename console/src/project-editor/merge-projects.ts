import { isJsonObject } from '../../../src/base/json/json-value.ts';
import { tableNames } from '../../../src/gateway/project/table-names.ts';
import { isSame, keysOf } from './project-diff.ts';
import { type ProjectDocument, rowsOf } from './project-document.ts';

export type Side = 'mine' | 'theirs';

interface Versions<Value> {
  /** What both sides started from. */
  readonly base: Value;
  readonly mine: Value;
  readonly theirs: Value;
}

interface Place {
  /** Null for a field of the file. */
  readonly table: string | null;
  /** Null for the order of the rows of the table. */
  readonly row: string | null;
  /** Null for the whole row, which one side removed and the other changed. */
  readonly field: string | null;
}

/** A value that both sides changed differently; undefined where it is absent. */
export interface MergeConflict extends Place, Versions<unknown> {}

export interface Merge {
  /** Has the value of `mine` where nothing was chosen. */
  readonly document: ProjectDocument;
  readonly conflicts: readonly MergeConflict[];
}

export const conflictKey = ({ table, row, field }: Place): string =>
  JSON.stringify([table, row, field]);

type Decide = (place: Place, versions: Versions<unknown>) => unknown;

const versionsOf = <From, To>(from: Versions<From>, of: (side: From) => To): Versions<To> => ({
  base: of(from.base),
  mine: of(from.mine),
  theirs: of(from.theirs),
});

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(value) ? value : {};

const mergeRow = (place: Place, rows: Versions<unknown>, decide: Decide): unknown => {
  const { base, mine, theirs } = rows;
  const isWhole = !isJsonObject(mine) || !isJsonObject(theirs);
  if (isWhole || isSame(base, mine) || isSame(base, theirs)) return decide(place, rows);
  const fields = versionsOf(rows, fieldsOf);
  return Object.fromEntries(
    [...new Set([...Object.keys(fields.theirs), ...Object.keys(fields.mine)])]
      .map((field) => [
        field,
        decide(
          { ...place, field },
          versionsOf(fields, (side) => side[field]),
        ),
      ])
      .filter(([, value]) => value !== undefined),
  );
};

/** Puts rows that not all sides have after the row that they follow where they were added. */
const withAdded = (
  order: readonly string[],
  sides: readonly (readonly string[])[],
  isKept: (key: string) => boolean,
): readonly string[] => {
  const ordered = new Set(order);
  const placed = new Set(order);
  const after = new Map<string | null, string[]>();
  for (const keys of sides) {
    let anchor: string | null = null;
    for (const key of keys) {
      if (ordered.has(key)) anchor = key;
      else if (isKept(key) && !placed.has(key)) {
        placed.add(key);
        after.set(anchor, [...(after.get(anchor) ?? []), key]);
      }
    }
  }
  const added = (anchor: string | null): readonly string[] => after.get(anchor) ?? [];
  return [...added(null), ...order.flatMap((key) => [key, ...added(key)])];
};

const mergeRows = (
  table: string,
  tables: Versions<readonly unknown[]>,
  decide: Decide,
): readonly unknown[] => {
  const keys = versionsOf(tables, keysOf);
  const { base, mine, theirs } = versionsOf(
    tables,
    (rows) => new Map(keysOf(rows).map((key, at) => [key, rows[at]])),
  );
  const merged = new Map(
    [...new Set([...keys.theirs, ...keys.mine])].map((row) => {
      const rows = { base: base.get(row), mine: mine.get(row), theirs: theirs.get(row) };
      return [row, mergeRow({ table, row, field: null }, rows, decide)] as const;
    }),
  );
  const isKept = (key: string): boolean => merged.get(key) !== undefined;
  const isShared = (key: string): boolean =>
    isKept(key) && base.has(key) && mine.has(key) && theirs.has(key);
  const order = decide(
    { table, row: null, field: null },
    versionsOf(keys, (side) => side.filter(isShared)),
  ) as readonly string[];
  return withAdded(order, [keys.theirs, keys.mine], isKept).map((key) => merged.get(key));
};

/**
 * Merges two sides that changed the same project, by field of a row. A value that one side changed
 * is taken from it; what both changed is taken from the side that was chosen.
 */
export const mergeProjects = (
  versions: Versions<ProjectDocument>,
  choices: ReadonlyMap<string, Side>,
): Merge => {
  const conflicts: MergeConflict[] = [];
  const decide: Decide = (place, { base, mine, theirs }) => {
    if (isSame(mine, theirs) || isSame(base, theirs)) return mine;
    if (isSame(base, mine)) return theirs;
    conflicts.push({ ...place, base, mine, theirs });
    return choices.get(conflictKey(place)) === 'theirs' ? theirs : mine;
  };
  const all = [versions.base, versions.mine, versions.theirs];
  const isTable = (name: string): boolean =>
    (tableNames as readonly string[]).includes(name) &&
    all.every((side) => side[name] === undefined || Array.isArray(side[name]));
  const names = new Set([...Object.keys(versions.theirs), ...Object.keys(versions.mine)]);
  const document = Object.fromEntries(
    [...names].flatMap((name) => {
      if (!isTable(name)) {
        const place = { table: null, row: null, field: name };
        const value = decide(
          place,
          versionsOf(versions, (side) => side[name]),
        );
        return value === undefined ? [] : [[name, value]];
      }
      const rows = mergeRows(
        name,
        versionsOf(versions, (side) => rowsOf(side, name)),
        decide,
      );
      return rows.length > 0 || versions.theirs[name] !== undefined ? [[name, rows]] : [];
    }),
  );
  return { document, conflicts };
};
