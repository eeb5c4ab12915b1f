import type { ByteLink } from '../../../base/serial/byte-link.ts';

/** A link whose other end accepts bytes, or does not. */
export class FakeLink implements ByteLink {
  readonly peer = 'test';
  /** Bytes of each write, in hex. */
  readonly writes: string[] = [];
  takes = true;
  isPaused = false;
  isClosed = false;
  maxBuffered = 0;
  /** The memory that was handed over but not accepted. */
  #kept: Uint8Array[] = [];

  get bufferedBytes(): number {
    return this.#kept.reduce((sum, bytes) => sum + bytes.length, 0);
  }

  get sent(): string {
    return this.writes.join('');
  }

  write(bytes: Uint8Array): void {
    this.#kept.push(bytes);
    this.maxBuffered = Math.max(this.maxBuffered, this.bufferedBytes);
    if (this.takes) this.take();
  }

  /** The other end accepts all waiting bytes. */
  take(): void {
    for (const bytes of this.#kept) this.writes.push(Buffer.from(bytes).toString('hex'));
    this.#kept = [];
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  close(): void {
    this.isClosed = true;
  }
}
