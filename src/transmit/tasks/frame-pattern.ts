import { type Frame, maxExtendedId, maxStandardId } from '../../frame/frame.ts';
import { linMasterRequestId } from '../../frame/lin.ts';
import type { TxPattern } from './tx-task-request.ts';

/** The last identifier that counting through them comes to; LIN keeps those above for itself. */
const lastIdOf = (frame: Frame): number => {
  if (frame.bus === 'lin') return linMasterRequestId - 1;
  return frame.extended ? maxExtendedId : maxStandardId;
};

/** Spreads the numbers of tasks over the range, so that neighbours do not send alike. */
const seedFactor = 0x9e37_79b1;

/** What changes in a frame from one time to the next, in memory that is used again. */
export class FramePattern {
  id: number;
  readonly data: Uint8Array;
  readonly #pattern: TxPattern;
  readonly #lastId: number;
  #random: number;

  /** Tasks with the same seed send the same random data. */
  constructor(frame: Frame, pattern: TxPattern, seed: number) {
    this.id = frame.id;
    this.data = frame.data.slice();
    this.#pattern = pattern;
    this.#lastId = lastIdOf(frame);
    this.#random = Math.imul(seed, seedFactor) | 1;
    if (pattern === 'random_data') this.#fillRandom();
  }

  /** Goes on to the next frame. */
  next(): void {
    switch (this.#pattern) {
      case 'increment_data':
        this.#increment();
        return;
      case 'increment_id':
        this.id = this.id === this.#lastId ? 0 : this.id + 1;
        return;
      case 'random_data':
        this.#fillRandom();
    }
  }

  /** The data are one big-endian number, which starts anew at zero when it is full. */
  #increment(): void {
    const { data } = this;
    for (let i = data.length - 1; i >= 0; i--) {
      const byte = ((data[i] as number) + 1) & 0xff;
      data[i] = byte;
      if (byte !== 0) return;
    }
  }

  #fillRandom(): void {
    const { data } = this;
    for (let i = 0; i < data.length; i++) {
      // Marsaglia's xorshift with 32 bits: no state beside this number, and never zero.
      let random = this.#random;
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      this.#random = random;
      data[i] = random >>> 24;
    }
  }
}
