import { exceptionCodes } from '../../modbus/pdu/exception-codes.ts';
import { bitAt } from '../../modbus/pdu/packed-bits.ts';
import type { LinearDecoder } from '../codecs/decode-linear.ts';
import type { Raw } from '../codecs/encode-linear.ts';
import type { ModbusResourceRow, ModbusTable } from '../project/tables/modbus-resources.ts';
import { addressesOf } from '../project/validate/modbus-words.ts';
import type { RegisterField } from './register-field.ts';

/** How a resource is a raw. */
export interface ResourceBinding {
  readonly field: RegisterField;
  /** What clients may write; null where they write nothing, or the bit tells of validity alone. */
  readonly decoder: LinearDecoder | null;
}

/** A resource of a server. What clients write may be read by several bindings, each with its codec. */
export interface ServerResource {
  readonly resource: ModbusResourceRow;
  readonly bindings: readonly [ResourceBinding, ...ResourceBinding[]];
}

/** Items that the server has, and whether clients may write them. */
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

/** All that one request writes: coils packed as on the wire, registers as they are to be. */
export type ClientWrite =
  | (WrittenRange & { readonly table: 'coil'; readonly bits: Uint8Array })
  | (WrittenRange & { readonly table: 'holding'; readonly registers: Uint16Array });

/** A resource that a client wrote, by its place in the image, and its raw for each of its bindings. */
export interface ResourceInput {
  readonly resource: number;
  readonly raws: readonly Raw[];
}

/** The memory that a server answers reads from. */
export interface ServerMemory {
  writeBits(table: 'coil' | 'discrete', address: number, bits: readonly boolean[]): void;
  writeRegisters(table: 'input' | 'holding', address: number, registers: Uint16Array): void;
  changeBits(table: 'input' | 'holding', address: number, mask: number, bits: number): void;
}

interface PlacedResource extends ServerResource {
  readonly index: number;
  /** The addresses from the first to the one behind the last. */
  readonly from: number;
  readonly end: number;
}

const itemsOf = (write: ClientWrite): Uint16Array =>
  write.table === 'holding'
    ? write.registers
    : Uint16Array.from({ length: write.count }, (_, bit) => (bitAt(write.bits, bit) ? 1 : 0));

/** The resources of one table by address. They share no address, but for bits of one word. */
class ResourceTable {
  readonly #sorted: readonly PlacedResource[];

  constructor(placed: readonly PlacedResource[]) {
    this.#sorted = [...placed].sort((one, other) => one.from - other.from);
  }

  /** Resources with an item in this range, in the order of addresses. */
  within({ address, count }: WrittenRange): readonly PlacedResource[] {
    const first = this.#firstBehind(address);
    let next = first;
    while (next < this.#sorted.length && this.#at(next).from < address + count) next += 1;
    return this.#sorted.slice(first, next);
  }

  /** The first that does not end before an address. */
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

/** Whether clients may write every item of a range. */
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
 * What a server endpoint has and takes. A write is taken as a whole, or answered with an exception:
 *
 *     02   an item belongs to no resource, or to one that is served
 *     03   a resource is written in part, or a raw is none of its codec
 *
 * Reads are answered from the memory of the server, which has the ranges of `map`; `put` keeps it up to date.
 */
export class ServerImage {
  /** All that the server has, for it to refuse the rest. */
  readonly map: readonly ServerRange[];
  readonly #resources: readonly ServerResource[];
  readonly #tables: Readonly<Record<ClientWrite['table'], ResourceTable>>;

  constructor(resources: readonly ServerResource[]) {
    this.#resources = resources;
    this.map = resources.map(({ resource }) => ({
      table: resource.table,
      address: resource.address,
      count: addressesOf(resource),
      writable: resource.access === 'external',
    }));
    const placed = resources.map((served, index) => {
      const { address: from } = served.resource;
      return { ...served, index, from, end: from + addressesOf(served.resource) };
    });
    const tableOf = (table: ModbusTable) =>
      new ResourceTable(placed.filter(({ resource }) => resource.table === table));
    this.#tables = { coil: tableOf('coil'), holding: tableOf('holding') };
  }

  /** The exception to answer a write with; undefined if it is to be done. */
  check(write: ClientWrite): number | undefined {
    const resources = this.#tables[write.table].within(write);
    if (!areAllExternal(resources, write)) return exceptionCodes.illegal_data_address;
    const { address, count } = write;
    const items = itemsOf(write);
    for (const { from, end, bindings } of resources) {
      const isWhole = from >= address && end <= address + count;
      if (!isWhole) return exceptionCodes.illegal_data_value;
      for (const { field, decoder } of bindings) {
        const isAccepted = decoder?.accepts(field.read(items, from - address)) ?? true;
        if (!isAccepted) return exceptionCodes.illegal_data_value;
      }
    }
    return undefined;
  }

  /** What a write that was accepted brings, in the order of addresses: to be taken in one round. */
  inputsOf(write: ClientWrite): ResourceInput[] {
    const items = itemsOf(write);
    return this.#tables[write.table].within(write).map(({ index, from, bindings }) => ({
      resource: index,
      raws: bindings.map(({ field }) => field.read(items, from - write.address)),
    }));
  }

  /** Has clients read a raw of a resource, by the first of its bindings. */
  put(memory: ServerMemory, index: number, raw: Raw): void {
    const { resource, bindings } = this.#resources[index] as ServerResource;
    const { table, address, bit_offset: bit } = resource;
    const items = new Uint16Array(addressesOf(resource));
    bindings[0].field.write(items, 0, raw);
    if (table === 'coil' || table === 'discrete') {
      memory.writeBits(table, address, [items[0] === 1]);
    } else if (bit === undefined) memory.writeRegisters(table, address, items);
    else memory.changeBits(table, address, 1 << bit, items[0] as number);
  }
}
