import { FrameChecksum } from './frame-checksum.ts';
import type { E2eLayout } from './layout.ts';
import type { ConstantField, FieldProtector } from './protection.ts';
import { Uint64 } from './uint64.ts';

/**
 * Protects the frames of one sender. Only `commit` advances the counter, so that a frame that the
 * transport rejected is rebuilt with the same counter.
 *
 *     protect ──► freezeCounter, jumpCounter, corruptChecksum ──► commit   accepted
 *        ▲                                                   └──► discard  rejected
 *        └──────────────────── the next frame ◄──────────────────────┘
 */
export class Protector implements FieldProtector {
  readonly #layout: E2eLayout;
  readonly #checksum: FrameChecksum;
  readonly #next = new Uint64();
  /** Counter of the last built frame, without injected faults. `commit` continues from it. */
  readonly #built = new Uint64();
  readonly #value = new Uint64();
  readonly #mask = new Uint64();
  readonly #zero = new Uint64();
  #isBuilt = false;

  constructor(layout: E2eLayout) {
    this.#layout = layout;
    this.#checksum = new FrameChecksum(layout);
    this.reset();
  }

  protect(bytes: Uint8Array, at: number): boolean {
    const { counter, constants } = this.#layout;
    this.#built.copy(this.#next);
    counter.write(bytes, at, this.#built);
    for (let index = 0; index < constants.length; index += 1) {
      const { field, value } = constants[index] as ConstantField;
      field.write(bytes, at, value);
    }
    this.#seal(bytes, at);
    this.#isBuilt = true;
    return true;
  }

  commit(): void {
    if (!this.#isBuilt) return;
    this.#next.copy(this.#built);
    this.#layout.counters.increment(this.#next);
    this.#isBuilt = false;
  }

  discard(): void {
    this.#isBuilt = false;
  }

  bypass(bytes: Uint8Array, at: number): void {
    const { counter, checksum, constants, initialCounter } = this.#layout;
    for (let index = 0; index < constants.length; index += 1) {
      (constants[index] as ConstantField).field.write(bytes, at, this.#zero);
    }
    checksum.write(bytes, at, this.#zero);
    counter.write(bytes, at, initialCounter);
    this.#isBuilt = false;
  }

  freezeCounter(bytes: Uint8Array, at: number, value?: number | bigint): void {
    const { counter, initialCounter } = this.#layout;
    if (value === undefined) this.#value.copy(initialCounter);
    else this.#value.setValue(value);
    counter.write(bytes, at, this.#value);
    this.#seal(bytes, at);
  }

  /** Changes the counter of this frame and all later ones. */
  jumpCounter(bytes: Uint8Array, at: number, by: number | bigint): void {
    const { counter, counters } = this.#layout;
    counters.move(this.#built, by);
    counter.write(bytes, at, this.#built);
    this.#seal(bytes, at);
  }

  corruptChecksum(bytes: Uint8Array, at: number, mask: number | bigint): void {
    const { checksum } = this.#layout;
    this.#mask.setValue(mask);
    checksum.read(bytes, at, this.#value);
    this.#value.xor(this.#mask);
    checksum.write(bytes, at, this.#value);
  }

  reset(): void {
    this.#next.copy(this.#layout.initialCounter);
    this.#isBuilt = false;
  }

  #seal(bytes: Uint8Array, at: number): void {
    this.#layout.checksum.write(bytes, at, this.#checksum.compute(bytes, at));
  }
}
