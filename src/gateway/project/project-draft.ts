import { type TableName, tableNames } from './fields.ts';
import type { ProblemCode, Problems } from './problems.ts';
import type { Project, ProjectHeader, RowOf } from './project.ts';

interface Row {
  readonly id: string;
}

/**
 * A table as it was read: its sound rows, and the ids of the others, so that a reference to a row
 * that has problems of its own is not called dangling.
 */
export class TableDraft<R extends Row = Row> {
  readonly rows: R[] = [];
  /** Where in the file the rows stand. */
  readonly #places: number[] = [];
  readonly #byId = new Map<string, R | undefined>();
  /** What else the table holds: rows that have problems, and rows whose id another one has. */
  readonly unsound: unknown[] = [];
  /** False if the table is no list, so that nothing is known of its rows. */
  isList = true;

  /** Whether every row of the file is among `rows`, so that what is not there is truly missing. */
  get isComplete(): boolean {
    return this.isList && this.unsound.length === 0;
  }

  /** Notes a row with its id; false if another row has it. `row` is undefined if it has problems. */
  add(id: string, row: R | undefined, place: number): boolean {
    if (this.#byId.has(id)) return false;
    this.#byId.set(id, row);
    if (row) {
      this.rows.push(row);
      this.#places.push(place);
    }
    return true;
  }

  /** Whether there is, or may be, a row of that id, sound or not. */
  has(id: string): boolean {
    return !this.isList || this.#byId.has(id);
  }

  /** The row of that id; undefined if there is none, or it has problems. */
  get(id: string): R | undefined {
    return this.#byId.get(id);
  }

  /** Where in the file a row of `rows` stands. */
  placeAt(index: number): number {
    return this.#places[index] ?? index;
  }
}

type TableDrafts = { readonly [Table in TableName]: TableDraft<RowOf<Table>> };

/** A project that has been read, and is not known to make sense yet. */
export class ProjectDraft {
  readonly header: ProjectHeader;
  readonly tables: TableDrafts;
  readonly problems: Problems;

  constructor(header: ProjectHeader, tables: TableDrafts, problems: Problems) {
    this.header = header;
    this.tables = tables;
    this.problems = problems;
  }

  /** Reports what is wrong with the row at an index of `rows`. A flaw reads on from the field's name. */
  report(table: TableName, index: number, field: string, code: ProblemCode, flaw: string): void {
    if (this.problems.isFull) {
      this.problems.addUnseen(1);
      return;
    }
    const draft = this.tables[table];
    const row = draft.rows[index]?.id ?? null;
    const place = draft.placeAt(index);
    this.problems.add(problemOfRow(table, row, place, field, code, flaw));
  }

  /** The project, once nothing is wrong with it. */
  toProject(): Project {
    const tables = Object.fromEntries(tableNames.map((name) => [name, this.tables[name].rows]));
    return { header: this.header, ...tables } as Project;
  }
}

/** A problem whose flaw reads on from the name of the field. */
export const problemOfRow = (
  table: TableName,
  row: string | null,
  index: number,
  field: string,
  code: ProblemCode,
  flaw: string,
) => {
  const place = `${table}[${index}]${row === null ? '' : ` ${JSON.stringify(row)}`}`;
  return { table, row, index, field, code, message: `${place}: ${field || 'the row'} ${flaw}` };
};
