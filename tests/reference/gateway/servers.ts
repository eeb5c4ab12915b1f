import type { Outputs } from './outputs.ts';
import type { ModbusTable, ResourceRow, Tables } from './project.ts';
import { initialItemsOf, type Observed, type RegisterInputs } from './register-inputs.ts';
import { addressesOf } from './registers.ts';
import type { RegisterEntry, ScriptEvent } from './script.ts';
import type { SignalState } from './signals.ts';

type ClientWrite = Extract<ScriptEvent, { kind: 'client_write' }>;

const illegalAddress = 2;
const illegalValue = 3;

const tableOrder: readonly ModbusTable[] = ['coil', 'discrete', 'holding', 'input'];

const endOf = (resource: ResourceRow): number => resource.address + addressesOf(resource);

/** Contents of server endpoints: mirrors of signals, and values written by clients. */
export class Servers {
  readonly #tables: Tables;
  readonly #signals: ReadonlyMap<string, SignalState>;
  readonly #outputs: Outputs;
  readonly #inputs: RegisterInputs;
  readonly #resources: readonly ResourceRow[];
  /** Items by endpoint, table and address. */
  readonly #items = new Map<string, RegisterEntry>();

  constructor(
    tables: Tables,
    signals: ReadonlyMap<string, SignalState>,
    outputs: Outputs,
    inputs: RegisterInputs,
  ) {
    this.#tables = tables;
    this.#signals = signals;
    this.#outputs = outputs;
    this.#inputs = inputs;
    this.#resources = tables.modbus_resources.filter(
      ({ access }) => access === 'serve' || access === 'external',
    );
  }

  start(): void {
    this.#items.clear();
    for (const resource of this.#resources) {
      this.#change(resource, initialItemsOf(this.#tables, this.#signals, resource));
    }
  }

  /** Writes a resource to its items; other bits of the word of a bit do not change. */
  #change(resource: ResourceRow, items: readonly number[]): void {
    const { endpoint, table, bit_offset: bit } = resource;
    items.forEach((item, place) => {
      const address = resource.address + place;
      const key = JSON.stringify([endpoint, table, address]);
      const others = bit === undefined ? 0 : (this.#items.get(key)?.item ?? 0) & ~(1 << bit);
      this.#items.set(key, { endpoint, table, address, item: others | item });
    });
  }

  /** At the end of a round, mirrors contain the encoded values of their bindings. */
  serve(): void {
    for (const resource of this.#resources) {
      if (resource.access === 'serve') this.#change(resource, this.#outputs.itemsOf(resource));
    }
  }

  /** The resources of a server affected by a write. */
  #touched({ endpoint, table, address, items }: ClientWrite): ResourceRow[] {
    return this.#resources.filter(
      (resource) =>
        resource.endpoint === endpoint &&
        resource.table === table &&
        resource.address < address + items.length &&
        endOf(resource) > address,
    );
  }

  /** The exception code for a write, or 0. */
  setQuality(write: ClientWrite): number {
    const touched = this.#touched(write);
    const isWritable = (address: number): boolean => {
      const there = touched.filter((one) => one.address <= address && endOf(one) > address);
      return there.length > 0 && there.every(({ access }) => access === 'external');
    };
    if (!write.items.every((_, place) => isWritable(write.address + place))) return illegalAddress;
    const isTaken = touched.every((resource) => {
      const items = this.#itemsFor(resource, write);
      return items.length === addressesOf(resource) && this.#inputs.accepts(resource, items);
    });
    return isTaken ? 0 : illegalValue;
  }

  /** The items of a resource among those written. */
  #itemsFor(resource: ResourceRow, { address, items }: ClientWrite): readonly number[] {
    if (resource.address < address) return [];
    return items.slice(resource.address - address, endOf(resource) - address);
  }

  /** Applies an accepted write; returns its observations. */
  write(write: ClientWrite): Observed {
    const { endpoint, table } = write;
    const touched = this.#touched(write);
    write.items.forEach((item, place) => {
      const address = write.address + place;
      const key = JSON.stringify([endpoint, table, address]);
      // A word of single bits contains only declared bits.
      const bits = touched.flatMap((one) =>
        one.address === address && one.bit_offset !== undefined ? [1 << one.bit_offset] : [],
      );
      const declared = bits.length === 0 ? 0xffff : bits.reduce((one, other) => one | other);
      this.#items.set(key, { endpoint, table, address, item: item & declared });
    });
    return new Map(touched.map((resource) => [resource.id, this.#itemsFor(resource, write)]));
  }

  entries(): RegisterEntry[] {
    const endpoints = this.#tables.endpoints.map(({ id }) => id);
    return [...this.#items.values()].sort(
      (a, b) =>
        endpoints.indexOf(a.endpoint) - endpoints.indexOf(b.endpoint) ||
        tableOrder.indexOf(a.table) - tableOrder.indexOf(b.table) ||
        a.address - b.address,
    );
  }
}
