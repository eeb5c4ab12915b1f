import type { ChecksumAlgorithm } from './checksums.ts';
import type { E2eLayout } from './layout.ts';
import { Uint64, type Uint64Field } from './uint64.ts';

interface SharedByte {
  readonly position: number;
  readonly keptBits: number;
}

const noIds = new Uint8Array(0);

/**
 * Computes the checksum of data in a frame. Its input is assembled in a separate buffer, because
 * checked frames must not change.
 *
 *     frame      data before | checksum | data after
 *     input      prefix | data before | data after | suffix
 */
export class FrameChecksum {
  readonly #algorithm: ChecksumAlgorithm;
  readonly #counterField: Uint64Field;
  readonly #length: number;
  /** Bytes that contain only checksum bits are skipped. */
  readonly #gapStart: number;
  readonly #gapEnd: number;
  readonly #input: Uint8Array;
  readonly #dataPosition: number;
  readonly #shared: readonly SharedByte[];
  readonly #ids: Uint8Array;
  readonly #idPosition: number;
  readonly #counter = new Uint64();
  readonly #result = new Uint64();

  constructor({ checksum, counter, length, input }: E2eLayout) {
    const { prefix, suffix, idsByCounter } = input;
    const filled = checksum.segments.filter(({ bits }) => bits === 8).map(({ byte }) => byte);
    const suffixPosition = prefix.length + length - filled.length;
    this.#algorithm = input.algorithm;
    this.#counterField = counter;
    this.#length = length;
    this.#gapStart = Math.min(length, ...filled);
    this.#gapEnd = this.#gapStart + filled.length;
    this.#input = new Uint8Array(suffixPosition + suffix.length);
    this.#input.set(prefix);
    this.#input.set(suffix, suffixPosition);
    this.#dataPosition = prefix.length;
    this.#shared = this.#sharedBytes(checksum);
    this.#ids = idsByCounter?.ids ?? noIds;
    this.#idPosition = idsByCounter?.place === 'suffix' ? suffixPosition : 0;
  }

  #sharedBytes({ segments }: Uint64Field): SharedByte[] {
    const gap = this.#gapEnd - this.#gapStart;
    return segments
      .filter(({ bits }) => bits < 8)
      .map(({ byte, shift, bits }) => ({
        position: this.#dataPosition + (byte < this.#gapStart ? byte : byte - gap),
        keptBits: ~(((1 << bits) - 1) << shift),
      }));
  }

  compute(bytes: Uint8Array, at: number): Uint64 {
    this.#takeData(bytes, at);
    const ids = this.#ids;
    if (ids.length > 0) {
      this.#counterField.read(bytes, at, this.#counter);
      this.#input[this.#idPosition] = ids[this.#counter.low & (ids.length - 1)] as number;
    }
    this.#algorithm.compute(this.#input, this.#result);
    return this.#result;
  }

  #takeData(bytes: Uint8Array, at: number): void {
    const input = this.#input;
    const shared = this.#shared;
    let position = this.#dataPosition;
    for (let index = 0; index < this.#gapStart; index += 1, position += 1) {
      input[position] = bytes[at + index] as number;
    }
    for (let index = this.#gapEnd; index < this.#length; index += 1, position += 1) {
      input[position] = bytes[at + index] as number;
    }
    for (let index = 0; index < shared.length; index += 1) {
      const byte = shared[index] as SharedByte;
      input[byte.position] = (input[byte.position] as number) & byte.keptBits;
    }
  }
}
