import { tableRows } from '../../modbus/pdu/data-tables.ts';
import { functionCodes, limits } from '../../modbus/pdu/function-codes.ts';
import {
  writeCoilRequest,
  writeCoilsRequest,
  writeRegisterRequest,
  writeRegistersRequest,
} from '../../modbus/pdu/make-request.ts';
import { packedLength, putBit } from '../../modbus/pdu/packed-bits.ts';
import {
  maskedValue,
  type ReadRegisters,
  type WriteCoil,
  type WriteCoils,
  type WriteRegister,
  type WriteRegisters,
} from '../../modbus/pdu/requests.ts';
import { addressesOf, isRegister, type Resource } from '../project/validate/modbus-words.ts';
import { bytesPerItem, registerAt } from './register-field.ts';

export interface PlainWrite {
  readonly kind: 'write';
  readonly request: WriteCoil | WriteCoils | WriteRegister | WriteRegisters;
}

/**
 * A write of words that share bits with other resources. It reads the words first in the same
 * exchange, and writes nothing if the read fails.
 */
export interface ReadModifyWrite {
  readonly kind: 'read_modify_write';
  readonly reads: readonly ReadRegisters[];
  readonly address: number;
  readonly masks: Uint16Array;
  readonly words: Uint16Array;
}

export type WriteStep = PlainWrite | ReadModifyWrite;

const allBits = 0xffff;

const registersRequest = (address: number, words: Uint16Array): WriteRegister | WriteRegisters =>
  words.length === 1
    ? writeRegisterRequest(address, words[0] as number)
    : writeRegistersRequest(address, words);

export const modifiedRequest = (
  { address, masks, words }: ReadModifyWrite,
  found: Uint16Array,
): WriteRegister | WriteRegisters =>
  registersRequest(
    address,
    words.map((word, index) =>
      maskedValue(found[index] as number, ~(masks[index] as number), word),
    ),
  );

const coilsRequest = (address: number, items: Uint16Array): WriteCoil | WriteCoils => {
  if (items.length === 1) return writeCoilRequest(address, items[0] === 1);
  const packed = new Uint8Array(packedLength(items.length));
  items.forEach((item, index) => {
    putBit(packed, index, item === 1);
  });
  return writeCoilsRequest(address, items.length, packed);
};

const readsOf = (addresses: readonly number[]): ReadRegisters[] => {
  const runs: { first: number; count: number }[] = [];
  for (const address of addresses) {
    const last = runs.at(-1);
    if (last && last.first + last.count === address) last.count += 1;
    else runs.push({ first: address, count: 1 });
  }
  return runs.map(({ first, count }) => ({
    kind: 'read_registers',
    function: functionCodes.readHoldingRegisters,
    address: first,
    count,
  }));
};

interface Member {
  readonly resource: Resource;
  readonly index: number;
}

class WriteExtent {
  readonly #isRegister: boolean;
  readonly #address: number;
  readonly #at: number;
  readonly #masks: Uint16Array;
  readonly #reads: readonly ReadRegisters[];

  constructor(members: readonly Member[], address: number, end: number, at: number) {
    this.#isRegister = members.some(({ resource }) => isRegister(resource));
    this.#address = address;
    this.#at = at;
    this.#masks = new Uint16Array(end - address).fill(allBits);
    this.#reads = this.#isRegister ? this.#maskBits(members) : [];
  }

  step(bytes: Uint8Array): WriteStep {
    const address = this.#address;
    const words = this.#itemsOf(bytes);
    if (!this.#isRegister) return { kind: 'write', request: coilsRequest(address, words) };
    if (this.#reads.length === 0) {
      return { kind: 'write', request: registersRequest(address, words) };
    }
    const masks = this.#masks;
    return { kind: 'read_modify_write', reads: this.#reads, address, masks, words };
  }

  #itemsOf(bytes: Uint8Array): Uint16Array {
    const at = this.#at;
    return Uint16Array.from(this.#masks, (_, item) =>
      this.#isRegister ? registerAt(bytes, at + 2 * item) : (bytes[at + item] as number),
    );
  }

  /**
   * Limits the masks of partly written words to their own bits. Returns the reads of these words.
   */
  #maskBits(members: readonly Member[]): ReadRegisters[] {
    const bits = members.flatMap(({ resource: { address, bit_offset: bit } }) =>
      bit === undefined ? [] : [{ address, mask: 1 << bit }],
    );
    for (const { address } of bits) this.#masks[address - this.#address] = 0;
    for (const { address, mask } of bits) {
      const at = address - this.#address;
      this.#masks[at] = (this.#masks[at] as number) | mask;
    }
    return readsOf([...new Set(bits.map(({ address }) => address))]);
  }
}

/**
 * The request group that writes a task's resources: table by table in task order, each sorted
 * by address. Adjacent resources share a request up to its maximum size. The item bytes of all
 * requests follow each other; bits of one word share it.
 */
export class TaskWrites {
  readonly length: number;
  readonly #runs: WriteExtent[] = [];
  readonly #places: number[] = [];

  constructor(resources: readonly Resource[]) {
    const tables = new Map<string, Member[]>();
    resources.forEach((resource, index) => {
      const members = tables.get(resource.table) ?? [];
      tables.set(resource.table, members);
      members.push({ resource, index });
    });
    let length = 0;
    for (const members of tables.values()) length = this.#addTable(members, length);
    this.length = length;
  }

  placeOf(index: number): number {
    return this.#places[index] as number;
  }

  /** Returns the steps that write these bytes. The group stops at the first failure. */
  steps(bytes: Uint8Array): WriteStep[] {
    return this.#runs.map((run) => run.step(bytes));
  }

  /** Adds the requests of one table. A resource, and all bits of a word, are in one request. */
  #addTable(members: readonly Member[], from: number): number {
    const sorted = [...members].sort((one, other) => one.resource.address - other.resource.address);
    let at = from;
    for (let next = 0; next < sorted.length; ) {
      const { address, table } = (sorted[next] as Member).resource;
      const max = tableRows[table].holdsBits ? limits.writeBits : limits.writeRegisters;
      const run: Member[] = [];
      let end = address;
      for (; next < sorted.length; next++) {
        const member = sorted[next] as Member;
        const { resource, index } = member;
        const endOfBoth = Math.max(end, resource.address + addressesOf(resource));
        if (resource.address > end || endOfBoth - address > max) break;
        run.push(member);
        this.#places[index] = at + bytesPerItem(resource) * (resource.address - address);
        end = endOfBoth;
      }
      this.#runs.push(new WriteExtent(run, address, end, at));
      at += bytesPerItem((run[0] as Member).resource) * (end - address);
    }
    return at;
  }
}
