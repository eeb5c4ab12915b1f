import type { Project } from '../project/project.ts';
import type { TableName } from '../project/table-names.ts';

export class RowNumbers {
  readonly #project: Project;
  readonly #numbers = new Map<TableName, ReadonlyMap<string, number>>();

  constructor(project: Project) {
    this.#project = project;
  }

  of(table: TableName, id: string): number {
    let numbers = this.#numbers.get(table);
    if (!numbers) {
      numbers = new Map(this.#project[table].map((row, index) => [row.id, index]));
      this.#numbers.set(table, numbers);
    }
    return numbers.get(id) ?? 0;
  }

  numberOf(table: TableName, id: string | undefined): number {
    return id === undefined ? 0 : this.of(table, id) + 1;
  }
}
