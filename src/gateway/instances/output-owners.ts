import { BusbarError } from '../../base/errors/busbar-error.ts';
import { excludeEachOther, type ListenAddress } from '../../modbus/service/served-endpoint.ts';

interface WordOwner {
  readonly instance: string;
  readonly task: string;
}

interface OwnedWords {
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

class WordClaim {
  readonly instance: string;
  readonly #numbers = new Map<string, number>();
  readonly #runs: WordExtent[] = [];
  readonly #owners: WordOwners;

  constructor(instance: string, owners: WordOwners) {
    this.instance = instance;
    this.#owners = owners;
  }

  /** Claims words for a task. Returns the words of other owners. A task may claim a word twice. */
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

class WordOwners {
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

export interface CanOutput {
  readonly task: string;
  readonly channel: string;
  readonly canId: number;
  readonly extended: boolean;
}

/** Words or coils that an instance writes. A partly written word counts as a whole. */
export interface ModbusOutput {
  readonly task: string;
  readonly place: string;
  readonly endpoint: string;
  readonly unit: number;
  readonly table: 'coil' | 'holding';
  readonly address: number;
  readonly count: number;
}

export interface ServerOutput {
  readonly listens: ListenAddress;
  readonly endpoint: string;
  readonly unit: number;
}

export type Output = CanOutput | ModbusOutput | ServerOutput;

/** Owner of an output. A server of `modbus serve` has no instance. */
export interface OutputOwner {
  readonly instance: string | null;
  readonly task: string | null;
}

type Conflict = { readonly task: string | null; readonly owner: OutputOwner } & (
  | { readonly channel: string; readonly can_id: number; readonly extended: boolean }
  | {
      readonly endpoint: string;
      readonly unit: number;
      readonly table: ModbusOutput['table'] | null;
      readonly address: number | null;
      readonly count: number | null;
    }
);

/** Maximum conflicts in an error. Further ones are only counted. */
const maxConflicts = 200;

const messageOf = (conflict: Conflict): string => {
  const { task, owner } = conflict;
  if ('channel' in conflict) {
    return `${owner.instance} sends what ${task} does on ${conflict.channel} already`;
  }
  const { endpoint, unit, table, address } = conflict;
  if (table === null && owner.instance === null) return `modbus serve has ${endpoint} already`;
  if (table === null) return `${owner.instance} serves ${endpoint} already`;
  const place = `${table} ${address} of unit ${unit} at ${endpoint}`;
  return `${owner.instance} writes what ${task} does, ${place}, already`;
};

const outputConflict = (instance: string, conflicts: readonly [Conflict, ...Conflict[]]) => {
  const others = conflicts.length === 1 ? '' : `, and ${conflicts.length - 1} more`;
  return new BusbarError('output_conflict', {
    message: messageOf(conflicts[0]) + others,
    details: { instance, conflicts: conflicts.slice(0, maxConflicts), total: conflicts.length },
  });
};

const serverConflict = (output: ServerOutput, owner: OutputOwner): Conflict => {
  const { endpoint, unit } = output;
  return { task: null, owner, endpoint, unit, table: null, address: null, count: null };
};

export const servedConflict = (instance: string, output: ServerOutput): BusbarError =>
  outputConflict(instance, [serverConflict(output, { instance: null, task: null })]);

const messageKey = ({ channel, canId, extended }: CanOutput): string =>
  `${channel} ${canId} ${extended}`;

type Owners = Map<string, OutputOwner>;
type ServerOwners = Map<ListenAddress, OutputOwner>;

class OutputClaim {
  readonly messages: string[] = [];
  readonly servers: ListenAddress[] = [];
  readonly words: WordClaim;
  readonly conflicts: Conflict[] = [];
  readonly #instance: string;

  constructor(instance: string, words: WordOwners) {
    this.#instance = instance;
    this.words = new WordClaim(instance, words);
  }

  takeMessage(output: CanOutput, owners: Owners): void {
    const { task, channel, canId, extended } = output;
    const key = messageKey(output);
    const owner = owners.get(key);
    if (owner) this.conflicts.push({ task, owner, channel, can_id: canId, extended });
    else {
      owners.set(key, { instance: this.#instance, task });
      this.messages.push(key);
    }
  }

  takeWords({ task, place, endpoint, unit, table, address, count }: ModbusOutput): void {
    for (const taken of this.words.take(task, `${place} ${unit} ${table}`, address, count)) {
      this.conflicts.push({ task, endpoint, unit, table, ...taken });
    }
  }

  takeServer(output: ServerOutput, owners: ServerOwners): void {
    const { listens } = output;
    for (const [place, owner] of owners) {
      if (!excludeEachOther(place, listens)) continue;
      this.conflicts.push(serverConflict(output, owner));
      return;
    }
    owners.set(listens, { instance: this.#instance, task: null });
    this.servers.push(listens);
  }
}

/** Owners of all outputs: no two running instances may drive the same output. */
export class OutputOwners {
  readonly #messages: Owners = new Map();
  readonly #servers: ServerOwners = new Map();
  readonly #words = new WordOwners();
  readonly #claims = new Map<string, OutputClaim>();

  claim(instance: string, outputs: Iterable<Output>): void {
    for (const _ of this.claiming(instance, outputs));
  }

  /** Yields after each output. Claims take effect immediately; a conflict undoes all. */
  *claiming(instance: string, outputs: Iterable<Output>): Generator<void> {
    const claim = new OutputClaim(instance, this.#words);
    let isKept = false;
    try {
      for (const output of outputs) {
        if ('channel' in output) claim.takeMessage(output, this.#messages);
        else if ('table' in output) claim.takeWords(output);
        else claim.takeServer(output, this.#servers);
        yield;
      }
      const [first, ...others] = claim.conflicts;
      if (first) throw outputConflict(instance, [first, ...others]);
      this.#claims.set(instance, claim);
      isKept = true;
    } finally {
      if (!isKept) for (const _ of this.#undo(claim));
    }
  }

  release(instance: string): void {
    for (const _ of this.releasing(instance));
  }

  *releasing(instance: string): Generator<void> {
    const claim = this.#claims.get(instance);
    this.#claims.delete(instance);
    if (claim) yield* this.#undo(claim);
    if (this.#claims.size === 0) this.#words.forget();
  }

  *#undo({ messages, servers, words }: OutputClaim): Generator<void> {
    for (const place of servers) this.#servers.delete(place);
    for (const key of messages) {
      this.#messages.delete(key);
      yield;
    }
    yield* words.undo();
  }
}
