import { type Scratch, type ScratchPool, scratchBytes } from '../base/scratch-pool.ts';
import { copyWords } from '../frame/copy-words.ts';
import { frm2PayloadLength } from '../frame/frm2-codec.ts';
import { frm2HeaderLength, frm2SlotBytes } from '../frame/frm2-layout.ts';

/** Bytes that the copy of a record takes: whole words, as they are copied. */
const copyBytes = (view: DataView, at: number): number =>
  (frm2HeaderLength + frm2PayloadLength(view, at) + 3) & ~3;

/**
 * Copies of FRM2 records one behind the other, in shared scratch memory: added first, then walked
 * through once. Memory that has been walked through is given back at once.
 *
 *   blocks   [ record record … record ] [ record … record ] [ record …       ]
 *                      ▲ view, at                                     ▲ end
 */
export class CopiedRecords {
  readonly #pool: ScratchPool;
  readonly #blocks: Scratch[] = [];
  /** Where the records of each block end. */
  readonly #ends: number[] = [];
  #at = 0;

  constructor(pool: ScratchPool) {
    this.#pool = pool;
  }

  add(view: DataView, from: number): void {
    let end = this.#ends.at(-1) ?? scratchBytes;
    if (end + frm2SlotBytes > scratchBytes) {
      this.#blocks.push(this.#pool.take());
      this.#ends.push(0);
      end = 0;
    }
    const target = this.#blocks.at(-1)?.view as DataView;
    const length = copyBytes(view, from);
    copyWords(target, end, view, from, length);
    this.#ends[this.#ends.length - 1] = end + length;
  }

  get hasNext(): boolean {
    return this.#blocks.length > 0;
  }

  /** The memory that the next record is in, as long as there is one. */
  get view(): DataView {
    return this.#blocks[0]?.view as DataView;
  }

  /** Where in it the record begins. */
  get at(): number {
    return this.#at;
  }

  /** Goes on behind the next record. */
  skip(): void {
    this.#at += copyBytes(this.view, this.#at);
    if (this.#at === this.#ends[0]) this.#dropBlock();
  }

  /** Forgets all that was not walked through. */
  clear(): void {
    while (this.hasNext) this.#dropBlock();
  }

  #dropBlock(): void {
    this.#ends.shift();
    const block = this.#blocks.shift();
    if (block) this.#pool.giveBack(block);
    this.#at = 0;
  }
}
