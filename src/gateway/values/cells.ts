const [lowest] = new Uint8Array(Uint16Array.of(1).buffer);
/** Index of the lower half of eight bytes on this machine. */
export const lowerHalf = lowest === 1 ? 0 : 1;
export const upperHalf = 1 - lowerHalf;

const wrap = 0x1_0000_0000;

/** A column of eight-byte cells: doubles or 64-bit integers, depending on the signal type. */
export class Cells {
  static readonly BYTES_PER_ELEMENT = 8;
  readonly floats: Float64Array;
  readonly signed: BigInt64Array;
  readonly unsigned: BigUint64Array;
  readonly halves: Uint32Array;

  constructor(buffer: SharedArrayBuffer, offset: number, count: number) {
    this.floats = new Float64Array(buffer, offset, count);
    this.signed = new BigInt64Array(buffer, offset, count);
    this.unsigned = new BigUint64Array(buffer, offset, count);
    this.halves = new Uint32Array(buffer, offset, 2 * count);
  }

  get byteLength(): number {
    return this.floats.byteLength;
  }

  get(index: number, kind: CellKind): number | bigint {
    return this[kind][index] as number | bigint;
  }

  /** Stores a number as a 64-bit integer. Allocates nothing. */
  setWhole(index: number, value: number): void {
    // Both are taken modulo 2^32, which is two's complement for negative numbers.
    this.halves[2 * index + lowerHalf] = value;
    this.halves[2 * index + upperHalf] = Math.floor(value / wrap);
  }

  put(index: number, value: number | bigint, isFloat: boolean): void {
    if (isFloat || typeof value === 'bigint') this.set(index, value);
    else this.setWhole(index, value);
  }

  set(index: number, value: number | bigint): void {
    if (typeof value === 'number') this.floats[index] = value;
    else this.signed[index] = BigInt.asIntN(64, value);
  }
}

export type CellKind = 'floats' | 'signed' | 'unsigned';
