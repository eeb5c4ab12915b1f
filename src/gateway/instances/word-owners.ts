/** The owner of words: what of which instance writes them. */
export interface WordOwner {
  readonly instance: string;
  readonly task: string;
}

/** Words that one owner has. */
export interface OwnedWords {
  readonly owner: WordOwner;
  readonly address: number;
  readonly count: number;
}

interface Run {
  readonly table: WordTable;
  readonly address: number;
  readonly count: number;
}

const addressSpace = 65_536;
const pageBits = 8;
const pageWords = 1 << pageBits;
const noOwner = 0;

/** Numbers of the owners of all addresses of a table, in pages where there are any. */
class WordTable {
  readonly #pages: (Uint32Array | undefined)[] = new Array(addressSpace >> pageBits).fill(
    undefined,
  );

  at(address: number): number {
    return this.#pages[address >> pageBits]?.[address & (pageWords - 1)] ?? noOwner;
  }

  fill(address: number, count: number, owner: number): void {
    for (let next = address; next < address + count; next++) {
      const page = next >> pageBits;
      const words = this.#pages[page] ?? new Uint32Array(pageWords);
      this.#pages[page] = words;
      words[next & (pageWords - 1)] = owner;
    }
  }

  /** Where a run of words with the owner of the first one ends. */
  endOfRun(address: number, end: number): number {
    const owner = this.at(address);
    let next = address + 1;
    while (next < end && this.at(next) === owner) next += 1;
    return next;
  }
}

/** The words that an instance has taken. */
export class WordClaim {
  readonly instance: string;
  readonly #numbers = new Map<string, number>();
  readonly #runs: Run[] = [];
  readonly #owners: WordOwners;

  constructor(instance: string, owners: WordOwners) {
    this.instance = instance;
    this.#owners = owners;
  }

  /** Takes words of a table for a task; returns those that others have. A task may take a word twice. */
  take(task: string, tableKey: string, address: number, count: number): OwnedWords[] {
    const table = this.#owners.table(tableKey);
    const number = this.#numberOf(task);
    const taken: OwnedWords[] = [];
    for (let from = address, end = address + count; from < end; ) {
      const to = table.endOfRun(from, end);
      const found = table.at(from);
      if (found === noOwner) {
        table.fill(from, to - from, number);
        this.#runs.push({ table, address: from, count: to - from });
      } else if (found !== number) {
        taken.push({ owner: this.#owners.owner(found), address: from, count: to - from });
      }
      from = to;
    }
    return taken;
  }

  /** Gives all of them back, yielding after each run of them. */
  *undo(): Generator<void> {
    for (const { table, address, count } of this.#runs) {
      table.fill(address, count, noOwner);
      yield;
    }
    for (const number of this.#numbers.values()) {
      this.#owners.remove(number);
      yield;
    }
  }

  #numberOf(task: string): number {
    const known = this.#numbers.get(task);
    if (known !== undefined) return known;
    const number = this.#owners.add({ instance: this.instance, task });
    this.#numbers.set(task, number);
    return number;
  }
}

/** Which task of which instance writes which word, by the table of a unit. */
export class WordOwners {
  readonly #tables = new Map<string, WordTable>();
  /** By their numbers. */
  readonly #owners: (WordOwner | undefined)[] = [undefined];
  readonly #freeNumbers: number[] = [];

  table(key: string): WordTable {
    const known = this.#tables.get(key);
    if (known) return known;
    const table = new WordTable();
    this.#tables.set(key, table);
    return table;
  }

  owner(number: number): WordOwner {
    return this.#owners[number] as WordOwner;
  }

  add(owner: WordOwner): number {
    const number = this.#freeNumbers.pop() ?? this.#owners.length;
    this.#owners[number] = owner;
    return number;
  }

  /** Its words have no owner any more. */
  remove(number: number): void {
    this.#owners[number] = undefined;
    this.#freeNumbers.push(number);
  }

  /** There are no claims left. */
  forget(): void {
    this.#tables.clear();
  }
}
