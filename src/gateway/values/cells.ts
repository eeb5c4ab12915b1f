/** A column of eight bytes each: doubles or 64-bit integers, as the type of what they hold says. */
export class Cells {
  static readonly BYTES_PER_ELEMENT = 8;
  readonly floats: Float64Array;
  readonly signed: BigInt64Array;
  readonly unsigned: BigUint64Array;

  constructor(buffer: SharedArrayBuffer, offset: number, count: number) {
    this.floats = new Float64Array(buffer, offset, count);
    this.signed = new BigInt64Array(buffer, offset, count);
    this.unsigned = new BigUint64Array(buffer, offset, count);
  }

  get byteLength(): number {
    return this.floats.byteLength;
  }

  get(index: number, kind: CellKind): number | bigint {
    return this[kind][index] as number | bigint;
  }

  set(index: number, value: number | bigint): void {
    if (typeof value === 'number') this.floats[index] = value;
    else this.signed[index] = BigInt.asIntN(64, value);
  }
}

export type CellKind = 'floats' | 'signed' | 'unsigned';
