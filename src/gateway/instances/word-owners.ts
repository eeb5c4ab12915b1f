export interface WordOwner {
  readonly instance: string;
  readonly task: string;
}

export interface OwnedWords {
  readonly owner: WordOwner;
  readonly address: number;
  readonly count: number;
}

interface WordExtent {
  readonly table: WordTable;
  readonly address: number;
  readonly count: number;
}

const addressSpace = 65_536;
const pageBits = 8;
const pageWords = 1 << pageBits;
const noOwner = 0;

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

  endOfRun(address: number, end: number): number {
    const owner = this.at(address);
    let next = address + 1;
    while (next < end && this.at(next) === owner) next += 1;
    return next;
  }
}

export class WordClaim {
  readonly instance: string;
  readonly #numbers = new Map<string, number>();
  readonly #runs: WordExtent[] = [];
  readonly #owners: WordOwners;

  constructor(instance: string, owners: WordOwners) {
    this.instance = instance;
    this.#owners = owners;
  }

  /**
   * Claims words for a task. Returns the words of other owners. A task may claim a word twice.
   */
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

export class WordOwners {
  readonly #tables = new Map<string, WordTable>();
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

  remove(number: number): void {
    this.#owners[number] = undefined;
    this.#freeNumbers.push(number);
  }

  forget(): void {
    this.#tables.clear();
  }
}
