import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import type { BitField } from '../codecs/bit-field.ts';
import type { Raw } from '../codecs/encode-linear.ts';
import type { WireField, WireLayout } from '../codecs/wire-field.ts';
import { lowerHalf } from '../values/cells.ts';
import type { Quality } from '../values/quality.ts';
import { Slots } from '../values/slots.ts';
import { generateObserve, type Observe } from './generated/generate-observe.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import type { ValueStoreEmitter } from './generated/value-store-emitter.ts';
import type { InputCheck } from './input-check.ts';
import { type MuxMember, type MuxRangeList, takesPart } from './mux.ts';
import type { RawDecoder } from './native-parts.ts';
import type { RoundTime, SignalStates } from './signal-states.ts';
import type { TaskStates } from './task-states.ts';
export interface InputBindingParts {
  readonly signal: number;
  /** Null for Modbus units. */
  readonly place: WireLayout | null;
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
 * A received binding. The first matching condition is the quality of its signal:
 *
 *     e2e_error      frames arrive, but the check fails
 *     disconnected   the endpoint was down, and no good frame arrived since
 *     error          the unit rejects requests, and the last value is stale or was never received
 *     initial        no frame arrived yet
 *     timeout        the last value is stale, or only bad frames were received and no more arrive
 *     otherwise      the quality in the last good frame
 */
export class InputBinding implements MuxMember, HeapEntry {
  readonly signal: number;
  readonly selector: InputBinding | null;
  readonly ranges: MuxRangeList | null;
  readonly staleUs: number;
  isActive = true;
  raw: Raw = 0;
  heapIndex = -1;
  readonly place: WireLayout | null;
  readonly decoder: RawDecoder;
  readonly validityBit: BitField | null;
  isDown = false;
  isStale = false;
  seen: Quality = 'initial';
  readonly #field: WireField;
  readonly #check: InputCheck | null;
  readonly #states: SignalStates;
  readonly #time: RoundTime;
  /** Start of the age of a binding that was never observed. */
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

  /** Infinity for never. */
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

  observe(bytes: Uint8Array, at: number): void {
    this.isActive = takesPart(this);
    if (!this.isActive) return;
    this.raw = this.#field.read(bytes, at);
    this.isStale = false;
    this.isDown = false;
    this.#isRefused = false;
    this.#see(bytes, at);
  }

  /** Reads the validity bit only. It says nothing about a value from before a loss. */
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
      this.#states.setGood(this.signal, slot, 0);
      return;
    }
    // The value is stored even if the check fails.
    if (this.seen === 'good') this.#states.setValue(this.signal, slot, 0);
    this.#states.setQuality(this.signal, this.#quality());
  }

  distrust(): void {
    this.#setQuality();
  }

  refuse(): void {
    this.#isRefused = true;
    this.#refusedUs = this.#time.startUs;
    if (this.isStale) this.#setQuality();
  }

  disconnect(): void {
    this.isDown = true;
    this.#setQuality();
  }

  age(): void {
    if (this.#time.nowUs < this.staleAtUs) return;
    this.isStale = true;
    this.#setQuality();
  }

  /** This binding is the signal's only writer, so both have the same observation time. */
  #observedUs(): number {
    return this.#states.observedUs[this.signal] as number;
  }

  /** Not a getter, because V8 does not inline private ones. */
  #isTrusted(): boolean {
    return this.#check === null || this.#check.isValid;
  }

  #setQuality(): void {
    this.#time.observedUs = never;
    this.#states.setQuality(this.signal, this.#quality());
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

export interface InputMessageParts {
  readonly number: number;
  readonly length: number;
  readonly bindings: readonly InputBinding[];
  readonly check: InputCheck | null;
  readonly covered: readonly InputBinding[];
}

interface InputMessageContext {
  readonly states: TaskStates;
  readonly hot: HotParts;
  readonly stores: ValueStoreEmitter;
}

export class InputMessage implements HotPart, HeapEntry {
  heapIndex = -1;
  quick: Observe | null = null;
  readonly length: number;
  readonly bindings: readonly InputBinding[];
  readonly #number: number;
  readonly #states: TaskStates;
  readonly #check: InputCheck | null;
  readonly #covered: readonly InputBinding[];
  readonly #others: readonly InputBinding[];
  readonly #runs: RunCounter;
  readonly #stores: ValueStoreEmitter;

  constructor(
    { number, length, bindings, check, covered }: InputMessageParts,
    { states, hot, stores }: InputMessageContext,
  ) {
    this.#number = number;
    this.#states = states;
    this.#runs = hot.counterOf(this);
    this.#stores = stores;
    this.length = length;
    this.bindings = bindings;
    this.#check = check;
    this.#covered = covered;
    this.#others = bindings.filter((binding) => !covered.includes(binding));
  }

  /** Infinity if the check cannot change without a frame. */
  get nextUs(): number {
    return this.#check === null ? Number.POSITIVE_INFINITY : this.#check.nextUs;
  }

  reset(): void {
    this.#check?.reset();
    this.#shareFailing();
    for (const binding of this.bindings) binding.reset();
  }

  disconnect(): void {
    this.silence();
    for (const binding of this.bindings) binding.disconnect();
  }

  silence(): void {
    this.#check?.silence();
    this.#shareFailing();
  }

  age(): void {
    this.#check?.age();
    if (this.#check?.hasTurned) this.#turn();
  }

  generate(): void {
    // Messages with a check are not compiled: the check runs between frame and bindings.
    if (this.#check === null) this.quick = generateObserve(this.bindings, this.#stores);
  }

  /** Decodes a frame of sufficient length. Returns whether its check passed. */
  observe(bytes: Uint8Array, at: number): boolean {
    const check = this.#check;
    this.#runs.count();
    if (check === null) {
      this.#spread(this.bindings, bytes, at);
      return true;
    }
    const isGood = check.accepts(bytes, at);
    this.#spread(isGood ? this.bindings : this.#others, bytes, at);
    // The check also covers bindings of other mux pages.
    if (!isGood || check.hasTurned) this.#turn();
    return isGood;
  }

  #turn(): void {
    this.#shareFailing();
    for (const binding of this.#covered) binding.distrust();
  }

  #shareFailing(): void {
    if (this.#check !== null) this.#states.setFailedCheck(this.#number, this.#check.isFailing);
  }

  #spread(bindings: readonly InputBinding[], bytes: Uint8Array, at: number): void {
    for (let index = 0; index < bindings.length; index++) {
      (bindings[index] as InputBinding).observe(bytes, at);
    }
  }
}

const maxBytes = 64;

const initialCapacity = 256;

const isLittleEndian = lowerHalf === 0;

export class FrameInbox {
  size = 0;
  bytes = new Uint8Array(initialCapacity * maxBytes);
  #words = new Int32Array(this.bytes.buffer);
  #messages: (InputMessage | null)[] = new Array<InputMessage | null>(initialCapacity).fill(null);
  #lengths = new Int16Array(initialCapacity);
  #times = new Float64Array(initialCapacity);

  add(message: InputMessage, record: DataView, at: number, length: number, atUs: number): void {
    if (this.size === this.#messages.length) this.#grow();
    const { size } = this;
    const first = size * maxBytes;
    let index = 0;
    for (; index + 4 <= length; index += 4) {
      this.#words[(first + index) >> 2] = record.getInt32(at + index, isLittleEndian);
    }
    for (; index < length; index++) this.bytes[first + index] = record.getUint8(at + index);
    this.#messages[size] = message;
    this.#lengths[size] = length;
    this.#times[size] = atUs;
    this.size = size + 1;
  }

  messageAt(index: number): InputMessage {
    return this.#messages[index] as InputMessage;
  }

  bytesAt(index: number): number {
    return index * maxBytes;
  }

  lengthAt(index: number): number {
    return this.#lengths[index] as number;
  }

  timeAt(index: number): number {
    return this.#times[index] as number;
  }

  clear(): void {
    this.size = 0;
  }

  #grow(): void {
    const capacity = 2 * this.#messages.length;
    const { bytes } = this;
    this.bytes = new Uint8Array(capacity * maxBytes);
    this.bytes.set(bytes);
    this.#words = new Int32Array(this.bytes.buffer);
    this.#lengths = grown(this.#lengths, new Int16Array(capacity));
    this.#times = grown(this.#times, new Float64Array(capacity));
    this.#messages = [...this.#messages, ...new Array<null>(capacity / 2).fill(null)];
  }
}

const grown = <Numbers extends Int16Array | Float64Array>(from: Numbers, to: Numbers): Numbers => {
  to.set(from);
  return to;
};
