import { readBits } from './bits.ts';
import { type E2eLayout, isIntact, layoutOf, wrapCounter } from './e2e.ts';
import type { E2eCodecRow } from './project.ts';

export type CheckResult =
  | 'initial'
  | 'ok'
  | 'ok_some_lost'
  | 'sync'
  | 'repeated'
  | 'wrong_sequence'
  | 'error';

export const isGood = (result: CheckResult): boolean =>
  result === 'initial' || result === 'ok' || result === 'ok_some_lost';

/** State that decides about the next frame after its bytes were checked. */
interface Sequence {
  /** Every frame is checked here first. */
  begin(): void;
  next(counter: bigint): CheckResult;
}

/** Profiles 4 to 7, 11, 22 and free layouts. */
class CommonSequence implements Sequence {
  #last: bigint | undefined;
  readonly #layout: E2eLayout;
  readonly #maxDelta: bigint;

  constructor(layout: E2eLayout, codec: E2eCodecRow) {
    this.#layout = layout;
    this.#maxDelta = BigInt(codec.max_delta_counter ?? 1);
  }

  begin(): void {}

  next(counter: bigint): CheckResult {
    const last = this.#last;
    this.#last = counter;
    if (last === undefined) return 'initial';
    const delta = wrapCounter(this.#layout, counter - last);
    if (delta === 0n) return 'repeated';
    if (delta === 1n) return 'ok';
    return delta <= this.#maxDelta ? 'ok_some_lost' : 'wrong_sequence';
  }
}

/** Profiles 1 and 2. */
class RichSequence implements Sequence {
  #last: bigint | undefined;
  #maxDelta = 0n;
  #repeated = 0n;
  #sync = 0;
  readonly #layout: E2eLayout;
  readonly #maxDeltaInit: bigint;
  readonly #maxRepeated: bigint;
  readonly #syncInit: number;

  constructor(layout: E2eLayout, codec: E2eCodecRow) {
    this.#layout = layout;
    this.#maxDeltaInit = BigInt(codec.max_delta_counter ?? 1);
    this.#maxRepeated = BigInt(codec.max_no_new_or_repeated ?? layout.counterMax);
    this.#syncInit = codec.sync_counter_init ?? 0;
  }

  begin(): void {
    if (this.#maxDelta < this.#layout.counterMax) this.#maxDelta += 1n;
  }

  next(counter: bigint): CheckResult {
    if (this.#last === undefined) {
      this.#accept(counter);
      return 'initial';
    }
    const delta = wrapCounter(this.#layout, counter - this.#last);
    if (delta === 0n) {
      if (this.#repeated < this.#layout.counterMax) this.#repeated += 1n;
      return 'repeated';
    }
    if (delta > this.#maxDelta) {
      this.#repeated = 0n;
      this.#sync = this.#syncInit;
      if (this.#sync > 0) this.#accept(counter);
      return 'wrong_sequence';
    }
    this.#accept(counter);
    const wasRepeated = this.#repeated > this.#maxRepeated;
    this.#repeated = 0n;
    if (wasRepeated) {
      this.#sync = this.#syncInit;
      return 'sync';
    }
    if (this.#sync > 0) {
      this.#sync -= 1;
      return 'sync';
    }
    return delta === 1n ? 'ok' : 'ok_some_lost';
  }

  #accept(counter: bigint): void {
    this.#last = counter;
    this.#maxDelta = this.#maxDeltaInit;
  }
}

/** The check of one message or PDU since a start. */
export class Check {
  readonly layout: E2eLayout;
  readonly #sequence: Sequence;
  readonly #window: E2eCodecRow['window'];
  /** The latest results, up to the window size. */
  #results: CheckResult[] = [];
  isValid = false;
  #hasChecked = false;
  /** The last frame, unless the channel was lost since then. */
  #last: { readonly atUs: number; readonly isGood: boolean } | undefined;
  #lastGoodUs: number | undefined;

  constructor(codec: E2eCodecRow, bytes: number) {
    this.layout = layoutOf(codec, bytes);
    const isRich = ['1A', '1B', '1C', '1LOW', '2'].includes(codec.profile);
    this.#sequence = new (isRich ? RichSequence : CommonSequence)(this.layout, codec);
    this.#window = codec.window;
  }

  /** The result for a frame with these bytes of the message or PDU. */
  check(data: Uint8Array, atUs: number): CheckResult {
    this.#sequence.begin();
    const result = isIntact(this.layout, data)
      ? this.#sequence.next(readBits(data, this.layout.counter))
      : 'error';
    this.#hasChecked = true;
    this.#last = { atUs, isGood: isGood(result) };
    if (isGood(result)) this.#lastGoodUs = atUs;
    this.#setQuality(result);
    return result;
  }

  get hasOnlyFailed(): boolean {
    return this.#hasChecked && this.#lastGoodUs === undefined;
  }

  forgetFrame(): void {
    this.#last = undefined;
  }

  /** Frames arrive but cannot be trusted. With 0, no frame is too old. */
  isFailing(nowUs: number, staleAfterUs: number): boolean {
    const isOld = (atUs: number): boolean => staleAfterUs > 0 && nowUs - atUs >= staleAfterUs;
    if (this.#last === undefined || isOld(this.#last.atUs)) return false;
    if (!this.isValid) return true;
    return !this.#last.isGood && isOld(this.#lastGoodUs ?? 0);
  }

  #setQuality(result: CheckResult): void {
    if (this.#window === undefined) {
      // Without a window, the last good or wrong frame decides.
      if (isGood(result)) this.isValid = true;
      else if (result === 'error') this.isValid = false;
      return;
    }
    const { size, min_ok, max_error } = this.#window;
    this.#results = [...this.#results, result].slice(-size);
    const good = this.#results.filter(isGood).length;
    const errors = this.#results.filter((one) => one === 'error').length;
    this.isValid = good >= min_ok && errors <= max_error;
  }
}
