const firstBytes = 64 * 1024;

/** Bytes that are appended to. `bytes` is replaced when it grows. */
export class ByteBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(bytes: number | ArrayBuffer = firstBytes) {
    this.bytes = typeof bytes === 'number' ? new Uint8Array(bytes) : new Uint8Array(bytes);
  }

  /** Makes room for more bytes after `length`. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
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

export const utf8 = (text: string): Uint8Array => encoder.encode(text);
