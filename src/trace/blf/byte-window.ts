const slack = 4;

export class ByteWindow {
  bytes: Uint8Array;
  view: DataView;
  start = 0;
  end = 0;
  #origin = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity + slack);
    this.view = viewOf(this.bytes);
  }

  get available(): number {
    return this.end - this.start;
  }

  get room(): number {
    return this.bytes.length - slack - this.end;
  }

  offsetOf(index: number): number {
    return this.#origin + index;
  }

  /** Frees room at the end. Stored indices must be relative to the start. */
  reserve(room: number): void {
    const { bytes, start, end, available } = this;
    if (this.room >= room) return;
    if (this.room + start < room) {
      this.bytes = new Uint8Array(Math.max(2 * bytes.length, available + room + slack));
      this.view = viewOf(this.bytes);
      this.bytes.set(bytes.subarray(start, end));
    } else {
      bytes.copyWithin(0, start, end);
    }
    this.#origin += start;
    this.start = 0;
    this.end = available;
  }

  append(more: Uint8Array): void {
    this.reserve(more.length);
    this.bytes.set(more, this.end);
    this.end += more.length;
  }

  clear(): void {
    this.start = this.end;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
