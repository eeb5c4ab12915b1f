import type { SignalSample } from '../api/client.ts';
import { Trend } from './trend.ts';

/** Tolerates jitter: shorter pauses are not silence, even with a short cycle time. */
const minUs = 200_000;

const cycles = 3;

/** Cycle time of a message without one, until intervals can be measured. */
const assumedCycleUs = 1_000_000;

const reach = 4;

/**
 * Returns whether a message was silent before the sample at `index`, for more than three
 * cycles. An unknown cycle time is measured around that position, because it can change.
 * `index` can be that of the next sample.
 */
export const isSilence = (
  spanUs: number,
  cycleUs: number | null,
  times: Float64Array,
  index: number,
  length: number,
): boolean => {
  if (spanUs <= minUs) return false;
  if (cycleUs !== null) return spanUs > cycles * cycleUs;
  let measured = 0;
  let shorter = 0;
  const last = Math.min(length - 1, index + reach);
  for (let at = Math.max(1, index - reach); at <= last; at++) {
    if (at === index) continue;
    measured++;
    if (spanUs > cycles * ((times[at] as number) - (times[at - 1] as number))) shorter++;
  }
  // More than three times the median, without sorting: this runs for every point drawn.
  return measured === 0 ? spanUs > cycles * assumedCycleUs : 2 * shorter > measured;
};

const pointLimit = 100_000;
/** Share dropped together, because moving the rest is expensive. */
const shed = 0.1;
const firstRoom = 1024;

const isInvalid = 1;
const followsGap = 2;

const grown = <T extends Float64Array | Int32Array | Uint8Array>(old: T, into: T): T => {
  into.set(old);
  return into;
};

export class SampleSeries {
  readonly #limit: number;
  #times = new Float64Array(firstRoom);
  #values = new Float64Array(firstRoom);
  #flags = new Uint8Array(firstRoom);
  #labels = new Int32Array(firstRoom);
  readonly #texts = new Map<number, string>();
  #shed = 0;
  readonly #labelTexts: string[] = [];
  readonly #labelPlaces = new Map<string, number>();
  #labelled = 0;
  #lastSequence = 0;
  #isBroken = false;
  #planId: string | null = null;
  #waiting: SignalSample[] | null = null;
  length = 0;
  latest: SignalSample | null = null;
  trend = new Trend();
  isStale = false;
  isHeld = false;
  /** Cycle time from the database; null if it has to be measured. */
  cycleUs: number | null = null;

  constructor(limit = pointLimit) {
    this.#limit = limit;
  }

  get lastSequence(): number {
    return this.#lastSequence;
  }

  get isLabelled(): boolean {
    return this.#labelled * 2 > this.length;
  }

  /** Switches to the samples of a plan. Returns whether the plan changed. */
  bind(planId: string): boolean {
    if (this.#planId === planId) return false;
    this.#planId = planId;
    this.#lastSequence = 0;
    this.#isBroken = this.length > 0;
    return true;
  }

  /** Interrupts the line after the latest sample, because samples can be missing. */
  break(): void {
    this.#isBroken = this.length > 0;
  }

  /** Holds live samples until `endFill` delivers the older ones. */
  beginFill(): void {
    this.#waiting ??= [];
  }

  endFill(older: Iterable<SignalSample>): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const sample of older) this.take(sample);
    for (const sample of waiting) this.take(sample);
  }

  /** Adds the next sample; rejects known ones and those of other plans. */
  take(sample: SignalSample): boolean {
    if (sample.plan_id !== this.#planId || sample.sequence <= this.#lastSequence) return false;
    this.latest = sample;
    this.isStale = false;
    if (this.#waiting) {
      this.#waiting.push(sample);
      return true;
    }
    this.#lastSequence = sample.sequence;
    this.#append(sample);
    return true;
  }

  clear(): void {
    this.length = 0;
    this.latest = null;
    this.isStale = false;
    this.#labelled = 0;
    this.#isBroken = false;
    this.#texts.clear();
    this.trend = new Trend();
  }

  timeAt(index: number): number {
    return this.#times[index] ?? Number.NaN;
  }

  valueAt(index: number): number {
    return this.#values[index] ?? Number.NaN;
  }

  get hasExactTexts(): boolean {
    return this.#texts.size > 0;
  }

  /** Value exactly as the service sent it. */
  textAt(index: number): string | null {
    const exact = this.#texts.get(index + this.#shed);
    if (exact !== undefined) return exact;
    const value = this.valueAt(index);
    return Number.isNaN(value) ? null : String(value);
  }

  labelAt(index: number): string | null {
    return this.#labelTexts[this.#labels[index] ?? -1] ?? null;
  }

  isValidAt(index: number): boolean {
    return ((this.#flags[index] ?? 0) & isInvalid) === 0;
  }

  followsGapAt(index: number): boolean {
    if (index === 0 || index >= this.length) return false;
    return (
      ((this.#flags[index] ?? 0) & followsGap) !== 0 || this.#isSilent(index, this.timeAt(index))
    );
  }

  isSilentAt(us: number): boolean {
    return this.length > 0 && this.#isSilent(this.length, us);
  }

  /** Number of points up to a time, which is the index of the first later one. */
  countUntil(us: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] ?? 0) <= us) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isSilent(index: number, us: number): boolean {
    const spanUs = us - this.timeAt(index - 1);
    return !this.isHeld && isSilence(spanUs, this.cycleUs, this.#times, index, this.length);
  }

  #append(sample: SignalSample): void {
    if (this.length === this.#limit) this.#shedOldest();
    if (this.length === this.#times.length) this.#grow();
    const at = this.length;
    const value = sample.value === null ? Number.NaN : Number(sample.value);
    // Times must not decrease after a clock adjustment, because they are searched.
    this.#times[at] =
      at === 0 ? sample.timestamp_us : Math.max(sample.timestamp_us, this.timeAt(at - 1));
    this.#values[at] = value;
    this.#flags[at] = (sample.valid ? 0 : isInvalid) | (this.#isBroken ? followsGap : 0);
    this.#labels[at] = this.#labelPlace(sample.label);
    if (sample.label !== null) this.#labelled += 1;
    if (sample.value !== null && sample.value !== String(value)) {
      this.#texts.set(at + this.#shed, sample.value);
    }
    this.#isBroken = false;
    this.length += 1;
    this.trend.take(value, sample.timestamp_us);
  }

  #labelPlace(label: string | null): number {
    if (label === null) return -1;
    const known = this.#labelPlaces.get(label);
    if (known !== undefined) return known;
    this.#labelPlaces.set(label, this.#labelTexts.length);
    return this.#labelTexts.push(label) - 1;
  }

  #grow(): void {
    const room = Math.min(this.#limit, this.#times.length * 2);
    this.#times = grown(this.#times, new Float64Array(room));
    this.#values = grown(this.#values, new Float64Array(room));
    this.#flags = grown(this.#flags, new Uint8Array(room));
    this.#labels = grown(this.#labels, new Int32Array(room));
  }

  #shedOldest(): void {
    const count = Math.max(1, Math.floor(this.#limit * shed));
    for (let at = 0; at < count; at++) {
      if ((this.#labels[at] ?? -1) >= 0) this.#labelled -= 1;
      this.#texts.delete(at + this.#shed);
    }
    for (const column of [this.#times, this.#values, this.#flags, this.#labels]) {
      column.copyWithin(0, count, this.length);
    }
    this.#shed += count;
    this.length -= count;
  }
}
