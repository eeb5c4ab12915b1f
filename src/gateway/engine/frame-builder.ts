import type { FieldProtector, FrameProtector } from '../e2e/protection.ts';
import type { FaultRule, TaskFaults } from './task-faults.ts';

/** The protection of a message and where its data begins in it. */
export interface OutputProtection {
  readonly protector: FrameProtector;
  /** The same, where its fields are known. */
  readonly fields: FieldProtector | null;
  readonly at: number;
}

/** Makes the frames of a task out of its business bits: protected, bypassed, changed by rules or repeated. */
export class FrameBuilder {
  /** The frame that was built last. */
  readonly bytes: Uint8Array;
  /** The same by words: for so few bytes a call of `set` costs more than to copy them. */
  readonly #words: Int32Array;
  readonly #protection: OutputProtection | null;
  /** Kept only where a rule may ask for it. */
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

  /** What an earlier run sent is not repeated. */
  reset(): void {
    this.#hasLastGood = false;
  }

  /** `business` has the words of the frame, and perhaps more. False if it could not be protected: there is no frame. */
  build(business: Int32Array): boolean {
    this.#copy(business, this.#words);
    const protection = this.#protection;
    this.#isGood = protection === null || protection.protector.protect(this.bytes, protection.at);
    return this.#isGood;
  }

  /** Rules that fired, all of them such that change frames, change the one that was built. */
  override(faults: TaskFaults): void {
    this.#isGood = false;
    faults.firing(this.#applyRule);
  }

  bypass(business: Int32Array): void {
    this.#copy(business, this.#words);
    this.#protection?.protector.bypass(this.bytes, this.#protection.at);
    this.#isGood = false;
  }

  /** The last frame that was taken as it should be; false if there is none. */
  repeat(): boolean {
    if (!this.#hasLastGood || this.#lastGood === null) return false;
    this.#copy(this.#lastGood, this.#words);
    this.#isGood = false;
    return true;
  }

  /** The frame was taken, or dropped on purpose: protection goes on. */
  commit(): void {
    this.#protection?.protector.commit();
  }

  /** The frame is on its way. */
  accepted(): void {
    this.commit();
    if (!this.#isGood || this.#lastGood === null) return;
    this.#copy(this.#words, this.#lastGood);
    this.#hasLastGood = true;
  }

  /** The frame was not taken: protection is where it was. */
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
