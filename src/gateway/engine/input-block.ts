import { putItems } from '../modbus/register-field.ts';
import type { ExternalMirror } from './external-mirror.ts';
import type { InputBinding } from './input-message.ts';

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
  readonly bindings: readonly InputBinding[];
  /** Bindings of other resources whose validity bit is in this block. */
  readonly validated: readonly InputBinding[];
  readonly mirrors: readonly ExternalMirror[];
}

export class InputBlock {
  readonly bindings: readonly InputBinding[];
  readonly validated: readonly InputBinding[];
  readonly items: number;
  isFresh = false;
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

  pack(items: Uint16Array, first: number, into: Uint8Array, at: number): void {
    putItems(items, first, this.items, this.#bytesPerItem, into, at);
  }

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

  refuse(): void {
    for (const binding of this.bindings) binding.refuse();
  }
}
