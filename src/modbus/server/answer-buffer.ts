import type { ByteLink } from '../../base/serial/byte-link.ts';

/**
 * Collects the responses to one read for a single write. Shared by all clients served in one
 * turn.
 */
export class AnswerBuffer {
  readonly #size: number;
  #bytes: Buffer;
  end = 0;

  constructor(size: number) {
    this.#size = size;
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  flush(link: ByteLink): number {
    const length = this.end;
    if (length === 0) return 0;
    this.end = 0;
    const answers = this.#bytes.subarray(0, length);
    if (link.bufferedBytes > 0) {
      // A copy, because queued bytes must not retain the whole buffer.
      link.write(Buffer.from(answers));
      return length;
    }
    link.write(answers);
    // Bytes that the system has not accepted belong to the link.
    if (link.bufferedBytes > 0) this.#bytes = Buffer.allocUnsafeSlow(this.#size);
    return length;
  }
}
