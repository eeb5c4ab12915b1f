const firstBytes = 64 * 1024;

/** Bytes that are appended to. `bytes` is replaced when it grows. */
export class ByteBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  /** The same memory as `bytes`. */
  view: DataView;
  length = 0;

  constructor(bytes = firstBytes) {
    this.bytes = new Uint8Array(bytes);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for more bytes after `length`. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  put(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  putByte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** Returns the content, valid until the next write, and empties the buffer. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }
}

const encoder = new TextEncoder();

/** Bytes of a constant text, with a copy that is faster than `set` for short texts. */
export class FixedText {
  readonly length: number;
  readonly #words: Uint32Array;

  constructor(text: string) {
    const bytes = encoder.encode(text);
    this.length = bytes.length;
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    this.#words = new Uint32Array(padded.buffer);
  }

  /** Returns the end of the copy; up to three bytes after it are written too. */
  copyTo(view: DataView, at: number): number {
    const words = this.#words;
    for (let i = 0, to = at; i < words.length; i++, to += 4) {
      view.setUint32(to, words[i] as number, true);
    }
    return at + this.length;
  }
}

/** Copies within a view, where the target is after the source; may write three bytes more. */
export const copyWithin = (view: DataView, from: number, end: number, at: number): number => {
  for (let source = from, to = at; source < end; source += 4, to += 4) {
    view.setUint32(to, view.getUint32(source, true), true);
  }
  return at + end - from;
};

export const copySlack = 4;

export const utf8 = (text: string): Uint8Array => encoder.encode(text);
