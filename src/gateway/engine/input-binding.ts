import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import type { BitField } from '../codecs/bit-field.ts';
import type { Raw } from '../codecs/encode-linear.ts';
import type { WireField, WirePlace } from '../codecs/wire-field.ts';
import type { Quality } from '../values/quality.ts';
import { Slots } from '../values/slots.ts';
import type { InputCheck } from './input-check.ts';
import { type MuxMember, type MuxRangeList, takesPart } from './mux.ts';
import type { RawDecoder } from './native-parts.ts';
import type { RoundTime } from './round-time.ts';
import type { SignalStates } from './signal-states.ts';

export interface InputBindingParts {
  readonly signal: number;
  /** Where it lies in a frame; null where that is a unit. */
  readonly place: WirePlace | null;
  readonly field: WireField;
  readonly decoder: RawDecoder;
  readonly validityBit: BitField | null;
  readonly selector: InputBinding | null;
  readonly ranges: MuxRangeList | null;
  readonly check: InputCheck | null;
  readonly staleUs: number;
}

const slot = new Slots(1);
const never = Number.NaN;

/**
 * A binding that is received, and what its signal is worth. The first of these that applies decides:
 *
 *     e2e_error      frames arrive, and its check fails
 *     disconnected   its endpoint was down, and nothing good has come since
 *     error          what came last is too old, or nothing has ever come, because its unit refuses
 *     initial        nothing has come
 *     timeout        what came last is too old, or nothing good ever came and no more frames arrive
 *     what the last good frame said
 */
export class InputBinding implements MuxMember, HeapEntry {
  readonly signal: number;
  readonly selector: InputBinding | null;
  readonly ranges: MuxRangeList | null;
  readonly staleUs: number;
  isActive = true;
  raw: Raw = 0;
  heapIndex = -1;
  readonly place: WirePlace | null;
  readonly decoder: RawDecoder;
  readonly validityBit: BitField | null;
  /** Its endpoint was down, and nothing good has come since. */
  isDown = false;
  /** What came last is too old. */
  isStale = false;
  /** What the last good frame said. */
  seen: Quality = 'initial';
  readonly #field: WireField;
  readonly #check: InputCheck | null;
  readonly #states: SignalStates;
  readonly #time: RoundTime;
  /** What its age counts from as long as it was never observed. */
  #refusedUs = never;
  #isRefused = false;

  constructor(parts: InputBindingParts, states: SignalStates, time: RoundTime) {
    this.#time = time;
    this.signal = parts.signal;
    this.selector = parts.selector;
    this.ranges = parts.ranges;
    this.staleUs = parts.staleUs;
    this.place = parts.place;
    this.#field = parts.field;
    this.decoder = parts.decoder;
    this.validityBit = parts.validityBit;
    this.#check = parts.check;
    this.#states = states;
  }

  /** When its value will be too old, if nothing comes; Infinity if it never is. */
  get staleAtUs(): number {
    const observedUs = this.#observedUs();
    const sinceUs = Number.isNaN(observedUs) ? this.#refusedUs : observedUs;
    const isAging = this.staleUs > 0 && !this.isStale && !Number.isNaN(sinceUs);
    return isAging ? sinceUs + this.staleUs : Number.POSITIVE_INFINITY;
  }

  reset(): void {
    this.#refusedUs = never;
    this.isDown = false;
    this.isStale = false;
    this.#isRefused = false;
    this.seen = 'initial';
    this.#states.reset(this.signal);
  }

  /** Takes its part of a good frame. Selectors have to be read before what they select. */
  observe(bytes: Uint8Array, at: number): void {
    this.isActive = takesPart(this);
    if (!this.isActive) return;
    this.raw = this.#field.read(bytes, at);
    this.isStale = false;
    this.isDown = false;
    this.#isRefused = false;
    this.#see(bytes, at);
  }

  /** Whether it is valid was read anew, and nothing else of it. That says nothing of a value from before a loss. */
  validate(bytes: Uint8Array, at: number): void {
    const observedUs = this.#observedUs();
    if (Number.isNaN(observedUs) || this.isDown) return;
    this.#time.observedUs = observedUs;
    this.#see(bytes, at);
  }

  #see(bytes: Uint8Array, at: number): void {
    const isInvalid = this.validityBit !== null && this.validityBit.read(bytes, at) === 0;
    this.seen = isInvalid ? 'invalid' : this.decoder.decode(this.raw, slot);
    if (this.seen === 'good' && this.#isTrusted() && !this.isDown && !this.isStale) {
      this.#states.take(this.signal, slot, 0);
      return;
    }
    // A value that comes while its check is not valid is there all the same.
    if (this.seen === 'good') this.#states.keep(this.signal, slot, 0);
    this.#states.judge(this.signal, this.#quality());
  }

  /** Its check has had a frame that is not good, or says something else than before. */
  distrust(): void {
    this.#judge();
  }

  /** Its unit refused to tell: once the value is too old, that is why. */
  refuse(): void {
    this.#isRefused = true;
    this.#refusedUs = this.#time.startUs;
    if (this.isStale) this.#judge();
  }

  disconnect(): void {
    this.isDown = true;
    this.#judge();
  }

  /** Has the value become too old by now? */
  age(): void {
    if (this.#time.nowUs < this.staleAtUs) return;
    this.isStale = true;
    this.#judge();
  }

  /** No other binding writes the signal: it was observed when the binding was. */
  #observedUs(): number {
    return this.#states.observedUs[this.signal] as number;
  }

  /** No getter: V8 calls out of compiled code for those that are private. */
  #isTrusted(): boolean {
    return this.#check === null || this.#check.isValid;
  }

  /** Nothing was observed, but the signal is worth something else. */
  #judge(): void {
    this.#time.observedUs = never;
    this.#states.judge(this.signal, this.#quality());
  }

  #quality(): Quality {
    if (this.#check?.isFailing) return 'e2e_error';
    if (this.isDown) return 'disconnected';
    if (this.isStale && this.#isRefused) return 'error';
    if (this.seen === 'initial') return this.#check?.hasOnlyFailed ? 'timeout' : 'initial';
    if (this.isStale) return 'timeout';
    return this.#isTrusted() ? this.seen : 'e2e_error';
  }
}
