import type { ByteLink } from '../../base/serial/byte-link.ts';

/**
 * Where answers are put together, so that all that belong to one read leave in one write. All
 * clients that are answered within one turn share it.
 */
export class AnswerBuffer {
  readonly #size: number;
  #bytes: Buffer;
  /** Where the next answer goes. */
  end = 0;

  constructor(size: number) {
    this.#size = size;
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Hands over what there is; returns how many bytes that was. */
  flush(link: ByteLink): number {
    const length = this.end;
    if (length === 0) return 0;
    this.end = 0;
    const answers = this.#bytes.subarray(0, length);
    if (link.bufferedBytes > 0) {
      // They will have to wait, and should not keep more memory than they need.
      link.write(Buffer.from(answers));
      return length;
    }
    link.write(answers);
    // What the system has not taken belongs to the link; what it has taken is ours again.
    if (link.bufferedBytes > 0) this.#bytes = Buffer.allocUnsafeSlow(this.#size);
    return length;
  }
}
