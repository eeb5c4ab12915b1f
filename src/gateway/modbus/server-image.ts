import { exceptionCodes } from '../../modbus/pdu/exception-codes.ts';
import { bitAt } from '../../modbus/pdu/packed-bits.ts';
import type { LinearDecoder } from '../codecs/decode-linear.ts';
import type { WireField } from '../codecs/wire-field.ts';
import type { ModbusTable } from '../project/tables/modbus-resources.ts';
import { addressesOf, type Resource } from '../project/validate/modbus-words.ts';
import { bytesPerItem, itemBytesOf, putItems, registerAt } from './register-field.ts';

export interface ExternalBinding {
  readonly field: WireField;
  readonly decoder: Pick<LinearDecoder, 'accepts'>;
}

export interface ServerResource {
  readonly resource: Resource;
  readonly at: number;
  /** Empty if clients cannot write the resource, or if it is only a validity bit. */
  readonly bindings: readonly ExternalBinding[];
}

export interface ServerRange {
  readonly table: ModbusTable;
  readonly address: number;
  readonly count: number;
  readonly writable: boolean;
}

interface WrittenRange {
  readonly address: number;
  readonly count: number;
}

/** One write request: coils packed as on the wire, registers as they will be. */
export type ClientWrite =
  | (WrittenRange & { readonly table: 'coil'; readonly bits: Uint8Array })
  | (WrittenRange & { readonly table: 'holding'; readonly registers: Uint16Array });

interface MemoryOf<Item> {
  get(address: number): Item;
  put(address: number, item: Item): void;
}

export interface ServerMemory {
  readonly tables: Readonly<
    Record<'coil' | 'discrete', MemoryOf<boolean>> & Record<'input' | 'holding', MemoryOf<number>>
  >;
}

interface ItemLayout {
  readonly table: ModbusTable;
  readonly address: number;
  readonly count: number;
  readonly at: number;
  readonly mask: number;
}

interface PlacedResource extends ServerResource {
  readonly index: number;
  /** The end is exclusive. */
  readonly from: number;
  readonly end: number;
}

const wholeRegister = 0xffff;

const itemsOf = (write: ClientWrite): Uint16Array =>
  write.table === 'holding'
    ? write.registers
    : Uint16Array.from({ length: write.count }, (_, bit) => (bitAt(write.bits, bit) ? 1 : 0));

/** Resources of one table, sorted by address. Only bits of one word share an address. */
class ResourceTable {
  readonly #sorted: PlacedResource[] = [];
  #isSorted = true;

  add(placed: PlacedResource): void {
    const last = this.#sorted.at(-1);
    if (last && last.from > placed.from) this.#isSorted = false;
    this.#sorted.push(placed);
  }

  within({ address, count }: WrittenRange): readonly PlacedResource[] {
    if (!this.#isSorted) this.#sorted.sort((one, other) => one.from - other.from);
    this.#isSorted = true;
    const first = this.#firstBehind(address);
    let next = first;
    while (next < this.#sorted.length && this.#at(next).from < address + count) next += 1;
    return this.#sorted.slice(first, next);
  }

  #firstBehind(address: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#at(middle).end <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #at(index: number): PlacedResource {
    return this.#sorted[index] as PlacedResource;
  }
}

const areAllExternal = (
  resources: readonly PlacedResource[],
  { address, count }: WrittenRange,
): boolean => {
  let reached = address;
  for (const { resource, from, end } of resources) {
    if (from > reached || resource.access !== 'external') return false;
    reached = end;
  }
  return reached >= address + count;
};

/**
 * Resources of a server endpoint. A write is accepted as a whole, or rejected with an exception:
 *
 *     02   an item belongs to no resource, or to a read-only one
 *     03   a resource is only partly written, or its codec does not allow the raw value
 */
export class ServerImage {
  readonly map: ServerRange[] = [];
  /** Computed in advance, because `put` runs for every frame. */
  readonly #places: ItemLayout[] = [];
  readonly #declaredBits = new Map<number, number>();
  readonly #tables = { coil: new ResourceTable(), holding: new ResourceTable() };
  #length = 0;
  /** Memory after a write, for validating it. */
  #wanted = new Uint8Array(0);

  constructor(resources: readonly ServerResource[] = []) {
    for (const served of resources) this.add(served);
  }

  get length(): number {
    return this.#length;
  }

  /** Call before clients connect. */
  add({ resource, at, bindings }: ServerResource): void {
    const { table, address, bit_offset: bit, access } = resource;
    const count = addressesOf(resource);
    const index = this.#places.length;
    const mask = bit === undefined ? wholeRegister : 1 << bit;
    this.#places.push({ table, address, count, at, mask });
    this.map.push({ table, address, count, writable: access === 'external' });
    if (table === 'holding' && bit !== undefined) {
      this.#declaredBits.set(address, (this.#declaredBits.get(address) ?? 0) | mask);
    }
    if (table === 'coil' || table === 'holding') {
      const [from, end] = [address, address + count];
      this.#tables[table].add({ resource, at, bindings, index, from, end });
    }
    this.#length = Math.max(this.#length, at + itemBytesOf(resource));
  }

  /** Returns the exception for a write, or undefined if it is allowed. */
  check(write: ClientWrite): number | undefined {
    const resources = this.#tables[write.table].within(write);
    if (!areAllExternal(resources, write)) return exceptionCodes.illegal_data_address;
    const { address, count } = write;
    const items = itemsOf(write);
    if (this.#wanted.length < this.#length) this.#wanted = new Uint8Array(this.#length);
    const wanted = this.#wanted;
    for (const { resource, at, from, end, bindings } of resources) {
      const isWhole = from >= address && end <= address + count;
      if (!isWhole) return exceptionCodes.illegal_data_value;
      putItems(items, from - address, end - from, bytesPerItem(resource), wanted, at);
      for (const { field, decoder } of bindings) {
        if (!decoder.accepts(field.read(wanted, 0))) return exceptionCodes.illegal_data_value;
      }
    }
    return undefined;
  }

  /** Clears written bits that no resource declares, so that they read as 0. */
  clearUndeclared({ tables }: ServerMemory, { table, address, count }: ClientWrite): void {
    if (table !== 'holding' || this.#declaredBits.size === 0) return;
    for (let word = address; word < address + count; word++) {
      const declared = this.#declaredBits.get(word);
      if (declared !== undefined) tables.holding.put(word, tables.holding.get(word) & declared);
    }
  }

  /**
   * Returns the resources of an accepted write, sorted by address, and the offsets of their items.
   */
  spread(
    write: ClientWrite,
    take: (resource: number, items: Uint16Array, first: number) => void,
  ): void {
    const items = itemsOf(write);
    for (const { index, from } of this.#tables[write.table].within(write)) {
      take(index, items, from - write.address);
    }
  }

  /** Copies the items of a resource into the memory that clients read. */
  put({ tables }: ServerMemory, index: number, bytes: Uint8Array): void {
    const { table, address, count, at, mask } = this.#places[index] as ItemLayout;
    if (table === 'coil' || table === 'discrete') {
      tables[table].put(address, bytes[at] === 1);
      return;
    }
    const registers = tables[table];
    if (mask !== wholeRegister) {
      // The other bits of the word belong to other resources.
      const others = registers.get(address) & ~mask;
      registers.put(address, others | (registerAt(bytes, at) & mask));
      return;
    }
    for (let item = 0; item < count; item++) {
      registers.put(address + item, registerAt(bytes, at + 2 * item));
    }
  }
}
