import { type ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';

/** Types of the compact protocol of Thrift, in which Parquet writes its headers. */
const type = { true: 1, false: 2, i8: 3, i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const;

const shift7 = 128;

/** Writes an unsigned number, seven bits at a time from the lowest. */
export const putVarint = (out: ByteBuffer, value: number): void => {
  let rest = value;
  while (rest >= shift7) {
    out.putByte((rest % shift7) | 0x80);
    rest = Math.floor(rest / shift7);
  }
  out.putByte(rest);
};

const exactlyDoubled = 2 ** 52;

const putLargeZigzag = (out: ByteBuffer, value: bigint): void => {
  let rest = value < 0n ? -2n * value - 1n : 2n * value;
  for (; rest >= 128n; rest >>= 7n) out.putByte(Number(rest & 0x7fn) | 0x80);
  out.putByte(Number(rest));
};

/** Writes a signed integer: 0, -1, 1, -2, … are 0, 1, 2, 3, … */
export const putZigzag = (out: ByteBuffer, value: number): void => {
  if (Math.abs(value) >= exactlyDoubled) putLargeZigzag(out, BigInt(value));
  else putVarint(out, value < 0 ? -2 * value - 1 : 2 * value);
};

/** Writes one struct; fields must be in the order of their ids. */
export class ThriftStruct {
  readonly #out: ByteBuffer;
  #last = 0;

  constructor(out: ByteBuffer) {
    this.#out = out;
  }

  #field(id: number, of: number): void {
    this.#out.putByte(((id - this.#last) << 4) | of);
    this.#last = id;
  }

  i32(id: number, value: number): this {
    this.#field(id, type.i32);
    putZigzag(this.#out, value);
    return this;
  }

  i64(id: number, value: number): this {
    this.#field(id, type.i64);
    putZigzag(this.#out, value);
    return this;
  }

  i8(id: number, value: number): this {
    this.#field(id, type.i8);
    this.#out.putByte(value);
    return this;
  }

  flag(id: number, value: boolean): this {
    this.#field(id, value ? type.true : type.false);
    return this;
  }

  binary(id: number, bytes: Uint8Array): this {
    this.#field(id, type.binary);
    putVarint(this.#out, bytes.length);
    this.#out.put(bytes);
    return this;
  }

  text(id: number, text: string): this {
    return this.binary(id, utf8(text));
  }

  struct(id: number, write: (inside: ThriftStruct) => void): this {
    this.#field(id, type.struct);
    putStruct(this.#out, write);
    return this;
  }

  i32List(id: number, values: readonly number[]): this {
    this.#list(id, type.i32, values.length);
    for (const value of values) putZigzag(this.#out, value);
    return this;
  }

  textList(id: number, texts: readonly string[]): this {
    this.#list(id, type.binary, texts.length);
    for (const text of texts) {
      const bytes = utf8(text);
      putVarint(this.#out, bytes.length);
      this.#out.put(bytes);
    }
    return this;
  }

  /** Starts a list of structs, which the caller writes with `putStruct`. */
  structList(id: number, count: number): this {
    this.#list(id, type.struct, count);
    return this;
  }

  #list(id: number, of: number, count: number): void {
    this.#field(id, type.list);
    if (count < 15) this.#out.putByte((count << 4) | of);
    else {
      this.#out.putByte(0xf0 | of);
      putVarint(this.#out, count);
    }
  }
}

const stop = 0;

export const putStruct = (out: ByteBuffer, write: (inside: ThriftStruct) => void): void => {
  write(new ThriftStruct(out));
  out.putByte(stop);
};
