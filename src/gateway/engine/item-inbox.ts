import type { InputBlock } from './input-block.ts';

const initialCapacity = 64;
const initialBytes = 4096;

/** Items that have come from units and wait for the next round, in the order in which they came. */
export class ItemInbox {
  size = 0;
  bytes = new Uint8Array(initialBytes);
  #used = 0;
  readonly #blocks: InputBlock[] = [];
  #offsets = new Uint32Array(initialCapacity);
  #times = new Float64Array(initialCapacity);
  /** Which of them came together. */
  #groups = new Uint32Array(initialCapacity);
  #isRefusal = new Uint8Array(initialCapacity);
  #group = 0;

  /** What is added from now on has come together. */
  beginGroup(): void {
    this.#group += 1;
  }

  add(block: InputBlock, items: Uint16Array, first: number, atUs: number): void {
    const { length } = block;
    while (this.#used + length > this.bytes.length) {
      this.bytes = grown(this.bytes, new Uint8Array(2 * this.bytes.length));
    }
    block.pack(items, first, this.bytes, this.#used);
    block.latest = this.size;
    this.#push(block, atUs, 0);
    this.#used += length;
  }

  /** The unit refused to tell. */
  addRefusal(block: InputBlock, atUs: number): void {
    this.beginGroup();
    this.#push(block, atUs, 1);
  }

  blockAt(index: number): InputBlock {
    return this.#blocks[index] as InputBlock;
  }

  offsetAt(index: number): number {
    return this.#offsets[index] as number;
  }

  timeAt(index: number): number {
    return this.#times[index] as number;
  }

  isRefusalAt(index: number): boolean {
    return this.#isRefusal[index] === 1;
  }

  /** Whether newer items of the same block have come. */
  isReplacedAt(index: number): boolean {
    return this.#isRefusal[index] === 0 && this.blockAt(index).latest !== index;
  }

  /** Behind the last of those that came together with this one. */
  endOfGroup(index: number): number {
    const group = this.#groups[index];
    let end = index + 1;
    while (end < this.size && this.#groups[end] === group) end += 1;
    return end;
  }

  clear(): void {
    this.size = 0;
    this.#used = 0;
  }

  #push(block: InputBlock, atUs: number, refusal: 0 | 1): void {
    const { size } = this;
    if (size === this.#times.length) this.#grow();
    this.#blocks[size] = block;
    this.#offsets[size] = this.#used;
    this.#times[size] = atUs;
    this.#groups[size] = this.#group;
    this.#isRefusal[size] = refusal;
    this.size = size + 1;
  }

  #grow(): void {
    const capacity = 2 * this.#times.length;
    this.#offsets = grown(this.#offsets, new Uint32Array(capacity));
    this.#times = grown(this.#times, new Float64Array(capacity));
    this.#groups = grown(this.#groups, new Uint32Array(capacity));
    this.#isRefusal = grown(this.#isRefusal, new Uint8Array(capacity));
  }
}

const grown = <Numbers extends Uint8Array | Uint32Array | Float64Array>(
  from: Numbers,
  to: Numbers,
): Numbers => {
  to.set(from);
  return to;
};
