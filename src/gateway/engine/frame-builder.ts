import type { FieldProtector, FrameProtector } from '../e2e/protection.ts';
import type { FaultRule, TaskFaults } from './task-faults.ts';

/** Protection of a message, and the offset of its data. */
export interface OutputProtection {
  readonly protector: FrameProtector;
  /** Set if its fields are known. */
  readonly fields: FieldProtector | null;
  readonly at: number;
}

/** Builds the frames of a task: protected, bypassed, changed by rules or repeated. */
export class FrameBuilder {
  readonly bytes: Uint8Array;
  /** As words, since `set` costs more than copying few of them. */
  readonly #words: Int32Array;
  readonly #protection: OutputProtection | null;
  /** Only if a rule may need it. */
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

  /** Frames of an earlier start are not repeated. */
  reset(): void {
    this.#hasLastGood = false;
  }

  /** `business` has at least the words of the frame. False if it could not be protected. */
  build(business: Int32Array): boolean {
    this.#copy(business, this.#words);
    const protection = this.#protection;
    this.#isGood = protection === null || protection.protector.protect(this.bytes, protection.at);
    return this.#isGood;
  }

  /** Applies the fired rules that change frames. */
  override(faults: TaskFaults): void {
    this.#isGood = false;
    faults.firing(this.#applyRule);
  }

  bypass(business: Int32Array): void {
    this.#copy(business, this.#words);
    this.#protection?.protector.bypass(this.bytes, this.#protection.at);
    this.#isGood = false;
  }

  /** Restores the last good frame; false if none. */
  repeat(): boolean {
    if (!this.#hasLastGood || this.#lastGood === null) return false;
    this.#copy(this.#lastGood, this.#words);
    this.#isGood = false;
    return true;
  }

  /** The frame was accepted or dropped on purpose: advances the protection. */
  commit(): void {
    this.#protection?.protector.commit();
  }

  /** The frame was accepted. */
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
