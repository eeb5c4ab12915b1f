export interface PooledStrings {
  readonly bytes: SharedArrayBuffer;
  readonly ends: SharedArrayBuffer;
}

export const noText = 0;

const sharedCopy = (bytes: Uint8Array): SharedArrayBuffer => {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
};

const initialBytes = 64 * 1024;

export class StringPoolBuilder {
  readonly #encoder = new TextEncoder();
  readonly #numbers = new Map<string, number>();
  readonly #ends: number[] = [];
  #bytes = new Uint8Array(initialBytes);
  #length = 0;

  /** Returns the number of a string, from 1; `noText` for undefined. */
  add(text: string | undefined): number {
    if (text === undefined) return noText;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    // UTF-8 needs at most three bytes per UTF-16 unit.
    this.#reserve(3 * text.length);
    this.#length += this.#encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
    this.#ends.push(this.#length);
    this.#numbers.set(text, this.#ends.length);
    return this.#ends.length;
  }

  finish(): PooledStrings {
    return {
      bytes: sharedCopy(this.#bytes.subarray(0, this.#length)),
      ends: sharedCopy(new Uint8Array(Uint32Array.from(this.#ends).buffer)),
    };
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * this.#bytes.length + bytes);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

export class StringPool {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;

  constructor({ bytes, ends }: PooledStrings) {
    this.#bytes = Buffer.from(bytes);
    this.#ends = new Uint32Array(ends);
  }

  at(number: number): string | undefined {
    if (number === noText) return undefined;
    const start = number === 1 ? 0 : this.#ends[number - 2];
    return this.#bytes.toString('utf8', start, this.#ends[number - 1]);
  }
}
