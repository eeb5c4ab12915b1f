import { type FileProblems, shown } from '../../text/problems.ts';
import type { Reference } from '../read/draft.ts';

/** Entries of a name space. A name that occurs again is rejected, or reported and ignored. */
export class Names<Entry extends Reference> {
  readonly #entries = new Map<string, Entry>();
  readonly #what: string;
  readonly #problems: FileProblems;

  constructor(what: string, problems: FileProblems) {
    this.#what = what;
    this.#problems = problems;
  }

  get all(): Iterable<Entry> {
    return this.#entries.values();
  }

  get(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  /** Adds entries whose names must be unique, because data depends on them. */
  addUnique(entries: Iterable<Entry>): this {
    for (const entry of entries) {
      if (this.#entries.has(entry.name)) {
        this.#problems.refuse(entry.at, `there are two ${this.#what}s ${shown(entry.name)}`);
      }
      this.#entries.set(entry.name, entry);
    }
    return this;
  }

  add(entries: Iterable<Entry>): this {
    for (const entry of entries) {
      if (!this.#entries.has(entry.name)) this.#entries.set(entry.name, entry);
      else {
        this.#problems.warn(
          'name_repeated',
          entry.at,
          `There are two ${this.#what}s ${shown(entry.name)}`,
          'the first one used',
        );
      }
    }
    return this;
  }

  /** Finds what a name refers to. A name without an entry is reported. */
  find({ at, name }: Reference): Entry | null {
    const entry = this.#entries.get(name);
    if (entry !== undefined) return entry;
    const message = `There is no ${this.#what} ${shown(name)}`;
    this.#problems.warn('reference_unknown', at, message, 'reference ignored');
    return null;
  }
}
