import type { TableName } from './fields.ts';
import type { ProblemCode } from './problem-codes.ts';

/** A place in a project file. */
interface ProjectPlace {
  /** Null outside of all tables. */
  readonly table: TableName | null;
  /** The id of the row; null if it has none. */
  readonly row: string | null;
  /** Which row of its table, counted from 0. */
  readonly index: number | null;
  /** Path to the field inside the row, or inside the project; empty for the whole. */
  readonly field: string;
}

/** What is wrong with a project, where, and what to do about it. */
export interface Problem extends ProjectPlace {
  readonly code: ProblemCode;
  readonly message: string;
}

/** Enough to repair a file by; a hostile one must not fill the answer. */
export const mostProblems = 200;

/** Collects problems: counts all, keeps the first ones. */
export class Problems {
  readonly #shown: Problem[] = [];
  #total = 0;

  get shown(): readonly Problem[] {
    return this.#shown;
  }

  get total(): number {
    return this.#total;
  }

  /** Whether further problems are only counted, so that they need no words. */
  get isFull(): boolean {
    return this.#shown.length >= mostProblems;
  }

  add(problem: Problem): void {
    this.#total += 1;
    if (!this.isFull) this.#shown.push(problem);
  }

  /** Counts problems that need not be shown. */
  addUnseen(count: number): void {
    this.#total += count;
  }
}
