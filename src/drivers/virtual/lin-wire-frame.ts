import { maxLinLength } from '../../frame/lin.ts';

/** The response on the bus, merged from all senders. */
export class LinWireFrame {
  id = 0;
  readonly data = new Uint8Array(maxLinLength);
  length = 0;
  checksum = 0;
  publishers = 0;
  collided = false;

  clear(id: number): void {
    this.id = id;
    this.length = 0;
    this.publishers = 0;
    this.collided = false;
  }

  /** Merges a node's bytes: dominant bits win. */
  merge(data: Uint8Array, offset: number, length: number, checksum: number): void {
    this.publishers += 1;
    if (this.publishers === 1) {
      for (let i = 0; i < length; i++) this.data[i] = data[offset + i] as number;
      this.length = length;
      this.checksum = checksum;
      return;
    }
    if (length !== this.length || checksum !== this.checksum) this.collided = true;
    for (let i = 0; i < Math.max(length, this.length); i++) {
      const already = i < this.length ? (this.data[i] as number) : 0xff;
      const added = i < length ? (data[offset + i] as number) : 0xff;
      if (already !== added) this.collided = true;
      this.data[i] = already & added;
    }
    this.length = Math.max(length, this.length);
    this.checksum &= checksum;
  }
}
