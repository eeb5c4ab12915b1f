import { bypass, type E2eLayout, layoutOf, protect, wrapCounter } from './e2e.ts';
import { override, type ProtectedFrame } from './faults.ts';
import type { Outputs } from './outputs.ts';
import { containerOf, e2eCodecOf, type FaultRow, type MessageRow, type Tables } from './project.ts';

/** A frame with its protection, and a function that updates the context when it is accepted. */
export interface BuiltFrame {
  readonly data: Uint8Array;
  readonly nextCounter: bigint;
  readonly isAltered: boolean;
}

/** Builds the frames of one message and stores the context of its protection. */
export class FrameBuilder {
  readonly #message: MessageRow;
  readonly #outputs: Outputs;
  readonly #layout: E2eLayout | undefined;
  readonly #byteOffset: number = 0;
  readonly #bytes: number = 0;
  #counter = 0n;
  /** The last accepted frame without a fault. */
  lastUnaltered: Uint8Array | undefined;

  constructor(tables: Tables, message: MessageRow, outputs: Outputs) {
    this.#message = message;
    this.#outputs = outputs;
    const row = tables.e2e.find(
      (candidate) =>
        candidate.direction === 'protect' && containerOf(tables, candidate).message === message,
    );
    if (row === undefined) return;
    const container = containerOf(tables, row);
    this.#layout = layoutOf(e2eCodecOf(tables, row), container.length);
    this.#byteOffset = container.byteOffset;
    this.#bytes = container.length;
    this.#counter = this.#layout.counterInitial;
  }

  start(): void {
    this.lastUnaltered = undefined;
  }

  #protectedPart(data: Uint8Array): Uint8Array {
    return data.subarray(this.#byteOffset, this.#byteOffset + this.#bytes);
  }

  /** A frame with the next counter and the overrides; the context does not change. */
  protect(overrides: readonly FaultRow[]): BuiltFrame {
    const data = this.#outputs.build(this.#message);
    let protection: ProtectedFrame | undefined;
    if (this.#layout !== undefined) {
      protection = {
        layout: this.#layout,
        data: this.#protectedPart(data),
        nextCounter: wrapCounter(this.#layout, this.#counter + 1n),
      };
      protect(this.#layout, protection.data, this.#counter);
    }
    for (const rule of overrides) override(rule, data, protection);
    const nextCounter = protection?.nextCounter ?? 0n;
    return { data, nextCounter, isAltered: overrides.length > 0 };
  }

  /** A frame with the current values and no protection. */
  bypass(): Uint8Array {
    const data = this.#outputs.build(this.#message);
    if (this.#layout !== undefined) bypass(this.#layout, this.#protectedPart(data));
    return data;
  }

  /** The frame was accepted. */
  commit({ nextCounter }: BuiltFrame): void {
    this.#counter = nextCounter;
  }

  /** The frame was accepted: it can be repeated if it has no fault. */
  remember({ data, isAltered }: BuiltFrame): void {
    if (!isAltered) this.lastUnaltered = data;
  }
}
