import type { ProblemCode, Problems } from './problems.ts';
import type { Project, ProjectHeader, RowOf } from './project.ts';
import { type TableName, tableNames } from './table-names.ts';

interface Row {
  readonly id: string;
}

/**
 * A parsed table: its valid rows, and the ids of invalid ones, so that references to them are
 * not reported as dangling.
 */
export class TableDraft<R extends Row = Row> {
  readonly rows: R[] = [];
  readonly #places: number[] = [];
  readonly #byId = new Map<string, R | undefined>();
  readonly unsound: unknown[] = [];
  isList = true;

  /** True if `rows` contains every row of the file, so that any other id is missing. */
  get isComplete(): boolean {
    return this.isList && this.unsound.length === 0;
  }

  /** Returns false if the id is taken. `row` is undefined if it is invalid. */
  add(id: string, row: R | undefined, place: number): boolean {
    if (this.#byId.has(id)) return false;
    this.#byId.set(id, row);
    if (row) {
      this.rows.push(row);
      this.#places.push(place);
    }
    return true;
  }

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

export class ProjectDraft {
  readonly header: ProjectHeader;
  readonly tables: TableDrafts;
  readonly problems: Problems;

  constructor(header: ProjectHeader, tables: TableDrafts, problems: Problems) {
    this.header = header;
    this.tables = tables;
    this.problems = problems;
  }

  /** Reports a problem of a row. The message continues after the name of the field. */
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
