import { type TableName, tableNames } from './fields.ts';
import type { ProblemCode, Problems } from './problems.ts';
import type { Project, ProjectHeader, RowOf } from './project.ts';

interface Row {
  readonly id: string;
}

/**
 * A table as read: its valid rows, and the ids of the others, so that a reference to an invalid
 * row is not reported as dangling.
 */
export class TableDraft<R extends Row = Row> {
  readonly rows: R[] = [];
  readonly #places: number[] = [];
  readonly #byId = new Map<string, R | undefined>();
  /** Invalid rows, and rows with a duplicate id. */
  readonly unsound: unknown[] = [];
  /** False if the table is not a list. */
  isList = true;

  /**
   * Whether `rows` contains every row of the file, so that an id that is not among them is
   * missing.
   */
  get isComplete(): boolean {
    return this.isList && this.unsound.length === 0;
  }

  /** Adds a row; false if its id is taken. `row` is undefined if it is invalid. */
  add(id: string, row: R | undefined, place: number): boolean {
    if (this.#byId.has(id)) return false;
    this.#byId.set(id, row);
    if (row) {
      this.rows.push(row);
      this.#places.push(place);
    }
    return true;
  }

  /** Whether a row of that id exists or may exist, valid or not. */
  has(id: string): boolean {
    return !this.isList || this.#byId.has(id);
  }

  /** Undefined if the row is missing or invalid. */
  get(id: string): R | undefined {
    return this.#byId.get(id);
  }

  placeAt(index: number): number {
    return this.#places[index] ?? index;
  }
}

type TableDrafts = { readonly [Table in TableName]: TableDraft<RowOf<Table>> };

/** A parsed project before validation. */
export class ProjectDraft {
  readonly header: ProjectHeader;
  readonly tables: TableDrafts;
  readonly problems: Problems;

  constructor(header: ProjectHeader, tables: TableDrafts, problems: Problems) {
    this.header = header;
    this.tables = tables;
    this.problems = problems;
  }

  /**
   * Reports a problem of the row at an index of `rows`. The message continues after the name of
   * the field.
   */
  report(table: TableName, index: number, field: string, code: ProblemCode, error: string): void {
    if (this.problems.isFull) {
      this.problems.addUnseen(1);
      return;
    }
    const draft = this.tables[table];
    const row = draft.rows[index]?.id ?? null;
    const place = draft.placeAt(index);
    this.problems.add(problemOfRow(table, row, place, field, code, error));
  }

  toProject(): Project {
    const tables = Object.fromEntries(tableNames.map((name) => [name, this.tables[name].rows]));
    return { header: this.header, ...tables } as Project;
  }
}

/** A problem whose message continues after the name of the field. */
export const problemOfRow = (
  table: TableName,
  row: string | null,
  index: number,
  field: string,
  code: ProblemCode,
  error: string,
) => {
  const place = `${table}[${index}]${row === null ? '' : ` ${JSON.stringify(row)}`}`;
  return { table, row, index, field, code, message: `${place}: ${field || 'the row'} ${error}` };
};
