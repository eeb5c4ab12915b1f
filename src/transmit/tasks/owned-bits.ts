import type { E2eSettings } from '../../e2e/codec-fields.ts';
import { CounterRange, compileLayout } from '../../e2e/layout.ts';
import { protectedFields } from '../../e2e/profiles.ts';
import { Protector } from '../../e2e/protector.ts';
import { Uint64, Uint64Field } from '../../e2e/uint64.ts';
import { type BitPlace, ownedMask } from './owned-mask.ts';

export interface CounterBits {
  readonly place: BitPlace;
  readonly max: bigint;
}

export interface OwnedParts {
  readonly counter?: CounterBits | undefined;
  readonly e2e?: E2eSettings | undefined;
  /** Bytes of the message, without those that pad its frame. */
  readonly length: number;
}

class Counter {
  readonly #field: Uint64Field;
  readonly #range: CounterRange;
  readonly #next = new Uint64();

  constructor({ place, max }: CounterBits) {
    const { startBit, length, byteOrder } = place;
    this.#field = new Uint64Field({ startBit, bitLength: length, byteOrder });
    this.#range = new CounterRange(max);
  }

  write(data: Uint8Array): void {
    this.#field.write(data, 0, this.#next);
  }

  advance(): void {
    this.#range.increment(this.#next);
  }
}

/**
 * Bits that a task writes into each of its frames: a counter, then E2E protection. Both advance
 * only when the channel accepts the frame.
 */
export class OwnedBits {
  readonly #counter: Counter | undefined;
  readonly #protector: Protector | undefined;
  readonly #mask: Uint8Array;

  constructor({ counter, e2e, length }: OwnedParts) {
    this.#counter = counter && new Counter(counter);
    this.#protector = e2e && new Protector(compileLayout(e2e, length));
    const places = [...(counter ? [counter.place] : []), ...(e2e ? protectedFields(e2e) : [])];
    this.#mask = ownedMask(places, length);
  }

  prepare(data: Uint8Array): void {
    this.#counter?.write(data);
    this.#protector?.protect(data, 0);
  }

  settle(isAccepted: boolean): void {
    if (isAccepted) {
      this.#counter?.advance();
      this.#protector?.commit();
    } else this.#protector?.discard();
  }

  /** Takes over the bits of the next payload that are not its own. */
  change(data: Uint8Array, next: Uint8Array): void {
    for (let at = 0; at < data.length; at++) {
      const own = this.#mask[at] ?? 0;
      data[at] = ((data[at] as number) & own) | ((next[at] as number) & ~own);
    }
  }
}
