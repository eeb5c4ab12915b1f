import { addressSpace } from '../pdu/function-codes.ts';

export interface AddressRange {
  readonly address: number;
  readonly count: number;
}

/** Addresses of a table, as ranges that neither touch nor overlap. */
export class AddressRanges {
  static readonly all = new AddressRanges([{ address: 0, count: addressSpace }]);
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  constructor(ranges: readonly AddressRange[]) {
    for (const { address, count } of [...ranges].sort((a, b) => a.address - b.address)) {
      const last = this.#ends.length - 1;
      const end = address + count;
      if (last >= 0 && address <= (this.#ends[last] as number)) {
        this.#ends[last] = Math.max(this.#ends[last] as number, end);
      } else {
        this.#starts.push(address);
        this.#ends.push(end);
      }
    }
  }

  get ranges(): readonly AddressRange[] {
    return this.#starts.map((address, index) => ({
      address,
      count: (this.#ends[index] as number) - address,
    }));
  }

  covers(address: number, count: number): boolean {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= address) low = middle + 1;
      else high = middle;
    }
    return low > 0 && address + count <= (this.#ends[low - 1] as number);
  }
}
