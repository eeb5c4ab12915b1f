import { putItems } from '../modbus/register-field.ts';
import type { ExternalMirror } from './external-mirror.ts';
import type { InputBinding } from './input-binding.ts';

/** Items of a resource: where they are in what came, and where in the memory of the unit. */
export interface BlockFill {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

export interface InputBlockParts {
  /** What is known of all items of the unit. */
  readonly memory: Uint8Array;
  readonly bytesPerItem: 1 | 2;
  readonly items: number;
  readonly fills: readonly BlockFill[];
  /** Bindings of the resources that it fills. */
  readonly bindings: readonly InputBinding[];
  /** Bindings of other resources whose validity it tells. */
  readonly validated: readonly InputBinding[];
  /** Of the bindings that clients write. */
  readonly mirrors: readonly ExternalMirror[];
}

/** Items of a unit that come at once: the answer to a poll, or a resource that a client writes. */
export class InputBlock {
  readonly bindings: readonly InputBinding[];
  readonly validated: readonly InputBinding[];
  readonly items: number;
  /** Something has come of it that no round has seen. */
  isFresh = false;
  /** Which of what waits for the next round is the latest that has come of it. */
  latest = -1;
  readonly #memory: Uint8Array;
  readonly #bytesPerItem: 1 | 2;
  readonly #fills: readonly BlockFill[];
  readonly #mirrors: readonly ExternalMirror[];

  constructor(parts: InputBlockParts) {
    this.bindings = parts.bindings;
    this.validated = parts.validated;
    this.items = parts.items;
    this.#memory = parts.memory;
    this.#bytesPerItem = parts.bytesPerItem;
    this.#fills = parts.fills;
    this.#mirrors = parts.mirrors;
  }

  /** Bytes of what comes at once. */
  get length(): number {
    return this.items * this.#bytesPerItem;
  }

  /** Puts items into bytes, as they are kept until they are taken. */
  pack(items: Uint16Array, first: number, into: Uint8Array, at: number): void {
    putItems(items, first, this.items, this.#bytesPerItem, into, at);
  }

  /** What came is known from now on. All blocks that came together are remembered before any is observed. */
  remember(bytes: Uint8Array, at: number): void {
    const memory = this.#memory;
    for (const { from, to, length } of this.#fills) {
      for (let index = 0; index < length; index++) {
        memory[to + index] = bytes[at + from + index] as number;
      }
    }
  }

  /** Gives its bindings what is remembered. */
  observe(): void {
    const memory = this.#memory;
    for (const binding of this.bindings) binding.observe(memory, 0);
    for (const binding of this.validated) binding.validate(memory, 0);
    for (const mirror of this.#mirrors) mirror.update();
  }

  /** The unit refused to tell. */
  refuse(): void {
    for (const binding of this.bindings) binding.refuse();
  }
}
