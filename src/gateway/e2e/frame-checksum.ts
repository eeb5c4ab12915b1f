import type { BitField } from './bit-field.ts';
import type { E2eLayout } from './layout.ts';
import { Uint64 } from './uint64.ts';

/** A byte of the input that the checksum has bits in, which count as 0. */
interface SharedByte {
  readonly position: number;
  readonly keptBits: number;
}

/**
 * The checksum of data in a frame. Its input is put together in a buffer of its own: frames that
 * are checked are not ours to change.
 *
 *     frame      data before | checksum | data behind
 *     input      prefix | data before | data behind | suffix
 */
export class FrameChecksum {
  readonly #layout: E2eLayout;
  readonly #input: Uint8Array;
  /** The bytes that the checksum fills wholly are left out. */
  readonly #gapStart: number;
  readonly #gapEnd: number;
  readonly #shared: readonly SharedByte[];
  readonly #idPosition: number;
  readonly #counter = new Uint64();
  readonly #result = new Uint64();

  constructor(layout: E2eLayout) {
    const { checksum, length } = layout;
    const { prefix, suffix, idsByCounter } = layout.input;
    const filled = checksum.segments.filter(({ bits }) => bits === 8).map(({ byte }) => byte);
    const dataLength = length - filled.length;
    this.#layout = layout;
    this.#gapStart = Math.min(length, ...filled);
    this.#gapEnd = this.#gapStart + filled.length;
    this.#shared = this.#sharedBytes(checksum);
    this.#input = new Uint8Array(prefix.length + dataLength + suffix.length);
    this.#input.set(prefix);
    this.#input.set(suffix, prefix.length + dataLength);
    this.#idPosition = idsByCounter?.place === 'suffix' ? prefix.length + dataLength : 0;
  }

  #sharedBytes({ segments }: BitField): SharedByte[] {
    const { prefix } = this.#layout.input;
    return segments
      .filter(({ bits }) => bits < 8)
      .map(({ byte, shift, bits }) => ({
        position:
          prefix.length + (byte < this.#gapStart ? byte : byte - (this.#gapEnd - this.#gapStart)),
        keptBits: ~(((1 << bits) - 1) << shift),
      }));
  }

  /** The checksum that belongs to data as they are; the result is good until the next call. */
  compute(bytes: Uint8Array, at: number): Uint64 {
    const { length, counter, input } = this.#layout;
    const buffer = this.#input;
    const shared = this.#shared;
    let position = input.prefix.length;
    for (let index = 0; index < this.#gapStart; index += 1, position += 1) {
      buffer[position] = bytes[at + index] as number;
    }
    for (let index = this.#gapEnd; index < length; index += 1, position += 1) {
      buffer[position] = bytes[at + index] as number;
    }
    for (let index = 0; index < shared.length; index += 1) {
      const byte = shared[index] as SharedByte;
      buffer[byte.position] = (buffer[byte.position] as number) & byte.keptBits;
    }
    if (input.idsByCounter !== undefined) {
      const { ids } = input.idsByCounter;
      counter.read(bytes, at, this.#counter);
      buffer[this.#idPosition] = ids[this.#counter.low & (ids.length - 1)] as number;
    }
    input.algorithm.compute(buffer, this.#result);
    return this.#result;
  }
}
