import type { SignalSample } from '../api/client.ts';
import { gapInGroup, levelAt, RangeSummary, type SampleLevels } from './sample-levels.ts';
import { isSilence } from './silence.ts';
import { Trend } from './trend.ts';

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

/** The first of ascending numbers above one. */
const firstAbove = (numbers: Uint32Array, below: number): number | undefined => {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) > below) high = middle;
    else low = middle + 1;
  }
  return numbers[low];
};

/** All values of a signal in a file. */
export interface SampleColumns {
  readonly times: Float64Array<ArrayBuffer>;
  readonly values: Float64Array<ArrayBuffer>;
  /** Index of the label of each value, -1 without one; empty if the signal has no labels. */
  readonly labels: Int32Array<ArrayBuffer>;
  readonly labelTexts: readonly string[];
  /** Number of values with a label. */
  readonly labelled: number;
  /** Indexes of values with another label than the one before. */
  readonly labelStarts: Uint32Array<ArrayBuffer>;
  readonly levels: SampleLevels;
}

export class SampleSeries {
  readonly #limit: number;
  #times = new Float64Array(firstRoom);
  #values = new Float64Array(firstRoom);
  #flags = new Uint8Array(firstRoom);
  #labels = new Int32Array(firstRoom);
  readonly #texts = new Map<number, string>();
  #shed = 0;
  #labelTexts: string[] = [];
  #labelStarts: Uint32Array | null = null;
  /** Of a file; empty for samples that change. */
  #levels: SampleLevels = [];
  readonly #summary = new RangeSummary();
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

  /** Shifts the times of a file, to compare it with others. */
  shiftUs = 0;

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

  /** Replaces all samples by those of a file. */
  load(columns: SampleColumns, latest: SignalSample | null): void {
    const { times, values, labels, labelTexts, labelled, labelStarts, levels } = columns;
    this.#times = times;
    this.#values = values;
    this.#labels = labels;
    this.#labelTexts = [...labelTexts];
    this.#labelStarts = labelStarts;
    this.#levels = levels;
    this.#flags = new Uint8Array(0);
    this.#labelled = labelled;
    this.#texts.clear();
    this.length = times.length;
    this.latest = latest;
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
    return (this.#times[index] ?? Number.NaN) + this.shiftUs;
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

  /** Whether samples are valid and keep their place, so that ranges are summed up in groups. */
  get isFixed(): boolean {
    return this.#labelStarts !== null;
  }

  /** Sums up the samples from `first` to before `end`, until the next call. */
  summaryOf(first: number, end: number): RangeSummary {
    const summary = this.#summary;
    const levels = this.#levels;
    const hasGap = this.isHeld ? () => false : gapInGroup(this.cycleUs);
    summary.clear();
    for (let index = first; index < end; ) {
      const level = levels.length === 0 ? null : levelAt(levels, index, end);
      if (level === null) {
        summary.take(index, this.valueAt(index), this.followsGapAt(index));
        index++;
      } else {
        summary.takeGroup(level, index / level.samples, this.#values, hasGap);
        index += level.samples;
      }
    }
    return summary;
  }

  /** The next sample with another label or after a gap, or `end` if it comes first. */
  sameLabelUntil(index: number, end: number): number {
    const starts = this.#labelStarts;
    const other = starts === null ? end : Math.min(end, firstAbove(starts, index) ?? end);
    if (starts !== null && !this.summaryOf(index + 1, other).hasBreak) return other;
    let next = index + 1;
    while (next < other && !this.followsGapAt(next) && this.#labels[next] === this.#labels[index]) {
      next++;
    }
    return next;
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
      if ((this.#times[middle] ?? 0) + this.shiftUs <= us) low = middle + 1;
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
