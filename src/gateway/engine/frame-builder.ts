import type { FieldProtector, FrameProtector } from '../../e2e/protection.ts';
import type { FaultRule, TaskFaults } from './task-faults.ts';

/** Protection of a message, and the offset of the protected data. */
export interface OutputProtection {
  readonly protector: FrameProtector;
  /** Null if a plugin protects the message. */
  readonly fields: FieldProtector | null;
  readonly at: number;
}

export class FrameBuilder {
  readonly bytes: Uint8Array;
  /** Words, because `set` is slower than a loop for short frames. */
  readonly #words: Int32Array;
  readonly #protection: OutputProtection | null;
  readonly #lastGood: Int32Array | null;
  #hasLastGood = false;
  #isGood = false;
  readonly #applyRule = (rule: FaultRule): void => this.#apply(rule);

  constructor(length: number, protection: OutputProtection | null, mayRepeat: boolean) {
    this.#words = new Int32Array(Math.ceil(length / Int32Array.BYTES_PER_ELEMENT));
    this.bytes = new Uint8Array(this.#words.buffer, 0, length);
    this.#lastGood = mayRepeat ? new Int32Array(this.#words.length) : null;
    this.#protection = protection;
  }

  get isProtected(): boolean {
    return this.#protection !== null;
  }

  /** Frames from before a restart are not repeated. */
  reset(): void {
    this.#hasLastGood = false;
  }

  /**
   * `business` must have at least as many words as the frame. Returns false if protecting it
   * failed.
   */
  build(business: Int32Array): boolean {
    this.#copy(business, this.#words);
    const protection = this.#protection;
    this.#isGood = protection === null || protection.protector.protect(this.bytes, protection.at);
    return this.#isGood;
  }

  override(faults: TaskFaults): void {
    this.#isGood = false;
    faults.firing(this.#applyRule);
  }

  bypass(business: Int32Array): void {
    this.#copy(business, this.#words);
    this.#protection?.protector.bypass(this.bytes, this.#protection.at);
    this.#isGood = false;
  }

  repeat(): boolean {
    if (!this.#hasLastGood || this.#lastGood === null) return false;
    this.#copy(this.#lastGood, this.#words);
    this.#isGood = false;
    return true;
  }

  /** Advances the protection after a frame was accepted or intentionally dropped. */
  commit(): void {
    this.#protection?.protector.commit();
  }

  accepted(): void {
    this.commit();
    if (!this.#isGood || this.#lastGood === null) return;
    this.#copy(this.#words, this.#lastGood);
    this.#hasLastGood = true;
  }

  discard(): void {
    this.#protection?.protector.discard();
  }

  #copy(from: Int32Array, to: Int32Array): void {
    for (let index = 0; index < to.length; index++) to[index] = from[index] as number;
  }

  #apply({ kind, byteOffset, mask, value }: FaultRule): void {
    const { bytes } = this;
    const before = bytes[byteOffset] as number;
    if (kind === 'set_byte') bytes[byteOffset] = mask;
    if (kind === 'xor_byte') bytes[byteOffset] = before ^ mask;
    if (!this.#protection?.fields) return;
    const { fields, at } = this.#protection;
    if (kind === 'freeze_counter') fields.freezeCounter(bytes, at, value);
    if (kind === 'counter_jump') fields.jumpCounter(bytes, at, value ?? mask);
    if (kind === 'corrupt_checksum') fields.corruptChecksum(bytes, at, value ?? mask);
  }
}
