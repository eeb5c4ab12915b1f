import { busCode, frameFlag } from '../frame/frm2-layout.ts';

const pageBits = 16;
const bitsOfPage = 2 ** pageBits;
const extendedIds = 2 ** 29;
const standardIds = 2 ** 11;

/**
 * The identifiers that were met. Kept as bits, in pages that appear when they are needed: a file
 * of nothing but new identifiers takes no more than 64 MiB.
 */
export class IdentifierSet {
  readonly #pages = new Map<number, Uint32Array>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Takes an identifier of a bus; those of 11 and of 29 bits, and those of LIN, differ. */
  add(bus: number, flags: number, id: number): void {
    const isLin = bus === busCode.lin;
    const isExtended = (flags & frameFlag.extended) !== 0;
    const base = isLin ? extendedIds + standardIds : extendedIds;
    const key = isExtended ? id : base + id;
    const page = this.#page(Math.floor(key / bitsOfPage));
    const bit = key % bitsOfPage;
    const word = page[bit >>> 5] as number;
    const mask = 1 << (bit & 31);
    if ((word & mask) !== 0) return;
    page[bit >>> 5] = word | mask;
    this.#size++;
  }

  #page(number: number): Uint32Array {
    const known = this.#pages.get(number);
    if (known) return known;
    const page = new Uint32Array(bitsOfPage / 32);
    this.#pages.set(number, page);
    return page;
  }
}
