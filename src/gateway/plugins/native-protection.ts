import type { CheckResult } from '../e2e/check-result.ts';
import { LastFrameState } from '../e2e/check-state.ts';
import type { FrameChecker, FrameProtector } from '../e2e/frame-protection.ts';
import { status } from './abi.ts';
import type { CallMarker, NativeInstance } from './native-instance.ts';
import type { NativeFunction } from './native-library.ts';

interface ProtectionCalls {
  readonly instance: NativeInstance;
  readonly marker: CallMarker;
  readonly stateSize: number;
  /** Bytes that are protected or checked. */
  readonly length: number;
}

/** Memory of a length of 0 has no address. */
const stateOf = (size: number): Uint8Array => new Uint8Array(Math.max(1, size));

/** Copies frame by frame, so that the plugin writes into nothing but its own. */
const copy = (from: Uint8Array, at: number, to: Uint8Array, toAt: number, length: number): void => {
  for (let index = 0; index < length; index++) to[toAt + index] = from[at + index] as number;
};

/** Protects frames with a plugin. Where its fields are is not known, so it cannot be told to make errors. */
export class NativeProtector implements FrameProtector {
  readonly #calls: ProtectionCalls;
  readonly #protect: NativeFunction;
  readonly #state: Uint8Array;
  /** What the plugin made of the state with the frame that was built; `commit` makes it the state. */
  readonly #following: Uint8Array;
  readonly #frame: Uint8Array;
  #isBuilt = false;

  constructor(calls: ProtectionCalls, protect: NativeFunction) {
    this.#calls = calls;
    this.#protect = protect;
    this.#state = stateOf(calls.stateSize);
    this.#following = stateOf(calls.stateSize);
    this.#frame = stateOf(calls.length);
  }

  protect(bytes: Uint8Array, at: number): boolean {
    const { instance, marker, length } = this.#calls;
    copy(this.#state, 0, this.#following, 0, this.#state.length);
    copy(bytes, at, this.#frame, 0, length);
    marker.enter();
    const outcome = this.#protect(instance.pointer, this.#following, this.#frame, length);
    marker.leave();
    this.#isBuilt = outcome === status.ok;
    if (this.#isBuilt) copy(this.#frame, 0, bytes, at, length);
    return this.#isBuilt;
  }

  commit(): void {
    if (this.#isBuilt) copy(this.#following, 0, this.#state, 0, this.#state.length);
    this.#isBuilt = false;
  }

  discard(): void {
    this.#isBuilt = false;
  }

  /** The frame goes out as its signals made it. */
  bypass(): void {
    this.#isBuilt = false;
  }
}

const results: Readonly<Partial<Record<number, CheckResult>>> = {
  [status.ok]: 'ok',
  [status.someLost]: 'ok_some_lost',
  [status.repeated]: 'repeated',
  [status.wrongSequence]: 'wrong_sequence',
};

/** Checks frames with a plugin. A check that fails leaves its state as it was. */
export class NativeChecker implements FrameChecker {
  readonly #calls: ProtectionCalls;
  readonly #check: NativeFunction;
  readonly #state: Uint8Array;
  readonly #following: Uint8Array;
  readonly #frame: Uint8Array;
  readonly #validity = new LastFrameState();

  constructor(calls: ProtectionCalls, check: NativeFunction) {
    this.#calls = calls;
    this.#check = check;
    this.#state = stateOf(calls.stateSize);
    this.#following = stateOf(calls.stateSize);
    this.#frame = stateOf(calls.length);
  }

  get isValid(): boolean {
    return this.#validity.isValid;
  }

  check(bytes: Uint8Array, at: number): CheckResult {
    const { instance, marker, length } = this.#calls;
    copy(this.#state, 0, this.#following, 0, this.#state.length);
    copy(bytes, at, this.#frame, 0, length);
    marker.enter();
    const outcome = this.#check(instance.pointer, this.#following, this.#frame, length);
    marker.leave();
    const result = results[outcome] ?? 'error';
    if (result !== 'error') copy(this.#following, 0, this.#state, 0, this.#state.length);
    this.#validity.add(result);
    return result;
  }

  reset(): void {
    this.#state.fill(0);
    this.#validity.reset();
    this.#calls.instance.reset();
  }
}
