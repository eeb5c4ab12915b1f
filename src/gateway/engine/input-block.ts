import { putItems } from '../modbus/register-field.ts';
import type { ExternalMirror } from './external-mirror.ts';
import type { InputBinding } from './input-message.ts';

/** Items of a resource in the input and in the unit's memory. */
export interface BlockFill {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

export interface InputBlockParts {
  readonly memory: Uint8Array;
  readonly bytesPerItem: 1 | 2;
  readonly items: number;
  readonly fills: readonly BlockFill[];
  /** Bindings of its resources. */
  readonly bindings: readonly InputBinding[];
  /** Bindings of other resources whose validity it has. */
  readonly validated: readonly InputBinding[];
  /** Mirrors of bindings that clients write. */
  readonly mirrors: readonly ExternalMirror[];
}

/** Items that arrive together: the answer to a poll, or a client's write. */
export class InputBlock {
  readonly bindings: readonly InputBinding[];
  readonly validated: readonly InputBinding[];
  readonly items: number;
  /** Not yet seen by a round. */
  isFresh = false;
  /** Index of its latest entry in the inbox. */
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

  get length(): number {
    return this.items * this.#bytesPerItem;
  }

  /** Packs items into bytes. */
  pack(items: Uint16Array, first: number, into: Uint8Array, at: number): void {
    putItems(items, first, this.items, this.#bytesPerItem, into, at);
  }

  /** Stores the items. All blocks that arrived together are stored before any is observed. */
  remember(bytes: Uint8Array, at: number): void {
    const memory = this.#memory;
    for (const { from, to, length } of this.#fills) {
      for (let index = 0; index < length; index++) {
        memory[to + index] = bytes[at + from + index] as number;
      }
    }
  }

  observe(): void {
    const memory = this.#memory;
    for (const binding of this.bindings) binding.observe(memory, 0);
    for (const binding of this.validated) binding.validate(memory, 0);
    for (const mirror of this.#mirrors) mirror.update();
  }

  /** The unit refused. */
  refuse(): void {
    for (const binding of this.bindings) binding.refuse();
  }
}
