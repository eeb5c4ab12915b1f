import { fieldPath, type PathSegment } from '../../../src/base/json/field-path.ts';
import type { Problem } from '../../../src/gateway/project/problems.ts';

const rowKey = (table: string | null, index: number | null): string =>
  `${table ?? ''}/${index ?? ''}`;

/** Message of a problem without the row that it names. */
export const problemText = ({ message }: Problem): string =>
  message.replace(/^\w+\[\d+\](?: "[^"]*")?: /, '');

/** Problems by row and field. */
export class ProblemIndex {
  readonly all: readonly Problem[];
  readonly total: number;
  readonly #byRow = new Map<string, Problem[]>();
  readonly #byTable = new Map<string, number>();

  constructor(problems: readonly Problem[], total: number) {
    this.all = problems;
    this.total = total;
    for (const problem of problems) {
      const key = rowKey(problem.table, problem.index);
      const row = this.#byRow.get(key);
      if (row) row.push(problem);
      else this.#byRow.set(key, [problem]);
      const table = problem.table ?? '';
      this.#byTable.set(table, (this.#byTable.get(table) ?? 0) + 1);
    }
  }

  inTable(table: string): number {
    return this.#byTable.get(table) ?? 0;
  }

  ofRow(table: string | null, index: number | null): readonly Problem[] {
    return this.#byRow.get(rowKey(table, index)) ?? [];
  }

  /** Problems of a field, and of what it contains. */
  at(table: string | null, index: number | null, path: readonly PathSegment[]): readonly Problem[] {
    const field = fieldPath(path);
    return this.ofRow(table, index).filter(
      (problem) =>
        problem.field === field ||
        problem.field.startsWith(`${field}.`) ||
        problem.field.startsWith(`${field}[`),
    );
  }
}

export const noProblems = new ProblemIndex([], 0);
