import { isSilence, knownSilenceUs } from './silence.ts';

const samplesPerBucket = 64;
const bucketsPerBucket = 4;
/** Samples after one that decide whether it follows silence. */
const lookahead = 4;
const noSample = 0xffff_ffff;

/** Figures of groups of as many samples, in columns. */
interface SampleLevel {
  readonly samples: number;
  /** Index of the first lowest and highest sample; `noSample` without a number. */
  readonly lowestAt: Uint32Array<ArrayBuffer>;
  readonly highestAt: Uint32Array<ArrayBuffer>;
  readonly sums: Float64Array<ArrayBuffer>;
  /** Samples without a number. */
  readonly missing: Uint32Array<ArrayBuffer>;
  /** Longest time before a sample. */
  readonly longestUs: Float64Array<ArrayBuffer>;
  /** Whether a sample follows silence, if the cycle time is not known. */
  readonly silent: Uint8Array<ArrayBuffer>;
}

/**
 * Levels of detail of a signal that no longer changes, so that a range of any length is summed up
 * in the same time:
 *
 *     samples  0 … 63 | 64 … 127 | 128 … 191 | 192 … 255 | 256 …
 *     level 0     ▢         ▢          ▢           ▢          ▢
 *     level 1                     ▢                           ▢
 *
 * Samples after the last whole group of a level have none.
 */
export type SampleLevels = readonly SampleLevel[];

export class RangeSummary {
  /** Index of the first lowest and highest sample; negative without a number. */
  lowestAt = -1;
  highestAt = -1;
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;
  sum = 0;
  missing = 0;
  /** A sample is missing a number or follows a gap. */
  hasBreak = false;

  clear(): void {
    this.lowestAt = -1;
    this.highestAt = -1;
    this.low = Number.POSITIVE_INFINITY;
    this.high = Number.NEGATIVE_INFINITY;
    this.sum = 0;
    this.missing = 0;
    this.hasBreak = false;
  }

  take(index: number, value: number, followsGap: boolean): void {
    if (followsGap) this.hasBreak = true;
    if (Number.isNaN(value)) {
      this.missing++;
      this.hasBreak = true;
      return;
    }
    this.sum += value;
    this.#compare(index, value, index, value);
  }

  /** Takes a group of samples, with the values of its lowest and highest ones. */
  takeGroup(
    level: SampleLevel,
    group: number,
    values: Float64Array,
    followsGap: (level: SampleLevel, group: number) => boolean,
  ): void {
    if (followsGap(level, group)) this.hasBreak = true;
    const missing = level.missing[group] as number;
    if (missing > 0) this.hasBreak = true;
    this.missing += missing;
    if (missing === level.samples) return;
    this.sum += level.sums[group] as number;
    const lowestAt = level.lowestAt[group] as number;
    const highestAt = level.highestAt[group] as number;
    this.#compare(lowestAt, values[lowestAt] as number, highestAt, values[highestAt] as number);
  }

  #compare(lowestAt: number, low: number, highestAt: number, high: number): void {
    if (this.lowestAt < 0 || low < this.low) {
      this.low = low;
      this.lowestAt = lowestAt;
    }
    if (this.highestAt < 0 || high > this.high) {
      this.high = high;
      this.highestAt = highestAt;
    }
  }
}

/** Whether a sample of a group follows a gap, with a cycle time or null if it is not known. */
export const gapInGroup =
  (cycleUs: number | null) =>
  ({ longestUs, silent }: SampleLevel, group: number): boolean =>
    cycleUs === null ? silent[group] === 1 : (longestUs[group] as number) > knownSilenceUs(cycleUs);

/** The highest level with a group that begins at a sample and ends before another. */
export const levelAt = (levels: SampleLevels, first: number, end: number): SampleLevel | null => {
  let found: SampleLevel | null = null;
  for (const level of levels) {
    const group = first / level.samples;
    if (!Number.isInteger(group) || first + level.samples > end) break;
    if (group >= level.sums.length) break;
    found = level;
  }
  return found;
};

const emptyLevel = (samples: number, groups: number): SampleLevel => ({
  samples,
  lowestAt: new Uint32Array(groups),
  highestAt: new Uint32Array(groups),
  sums: new Float64Array(groups),
  missing: new Uint32Array(groups),
  longestUs: new Float64Array(groups),
  silent: new Uint8Array(groups),
});

/** Groups of a level from those of the one below. */
const levelAbove = (below: SampleLevel, values: Float64Array): SampleLevel => {
  const groups = Math.floor(below.sums.length / bucketsPerBucket);
  const level = emptyLevel(below.samples * bucketsPerBucket, groups);
  const summary = new RangeSummary();
  for (let group = 0; group < groups; group++) {
    summary.clear();
    let [longestUs, silent] = [0, 0];
    for (let at = 0; at < bucketsPerBucket; at++) {
      const own = group * bucketsPerBucket + at;
      summary.takeGroup(below, own, values, () => false);
      longestUs = Math.max(longestUs, below.longestUs[own] as number);
      silent |= below.silent[own] as number;
    }
    putSummary(level, group, summary);
    level.longestUs[group] = longestUs;
    level.silent[group] = silent;
  }
  return level;
};

const putSummary = (level: SampleLevel, group: number, summary: RangeSummary): void => {
  level.lowestAt[group] = summary.lowestAt < 0 ? noSample : summary.lowestAt;
  level.highestAt[group] = summary.highestAt < 0 ? noSample : summary.highestAt;
  level.sums[group] = summary.sum;
  level.missing[group] = summary.missing;
};

/** Sums samples up while they are collected. */
export class LevelBuilder {
  #lowest: SampleLevel;
  #groups = 0;
  readonly #summary = new RangeSummary();

  constructor(room: number) {
    this.#lowest = emptyLevel(samplesPerBucket, Math.ceil(room / samplesPerBucket));
  }

  /** Sums up the groups that are complete among the first samples, with what follows them. */
  take(times: Float64Array, values: Float64Array, length: number): void {
    while ((this.#groups + 1) * samplesPerBucket + lookahead <= length) {
      this.#add(times, values, length);
    }
  }

  end(times: Float64Array, values: Float64Array, length: number): SampleLevels {
    while ((this.#groups + 1) * samplesPerBucket <= length) this.#add(times, values, length);
    const levels = [this.#sized(this.#groups)];
    for (;;) {
      const last = levels.at(-1) as SampleLevel;
      if (last.sums.length < bucketsPerBucket) return levels;
      levels.push(levelAbove(last, values));
    }
  }

  #add(times: Float64Array, values: Float64Array, length: number): void {
    const group = this.#groups++;
    if (group === this.#lowest.sums.length) this.#lowest = this.#sized(2 * group + 1);
    const level = this.#lowest;
    const summary = this.#summary;
    summary.clear();
    let [longestUs, silent] = [0, 0];
    const first = group * samplesPerBucket;
    for (let index = first; index < first + samplesPerBucket; index++) {
      summary.take(index, values[index] as number, false);
      if (index === 0) continue;
      const spanUs = (times[index] as number) - (times[index - 1] as number);
      if (spanUs > longestUs) longestUs = spanUs;
      if (isSilence(spanUs, null, times, index, length)) silent = 1;
    }
    putSummary(level, group, summary);
    level.longestUs[group] = longestUs;
    level.silent[group] = silent;
  }

  /** The lowest level with another number of groups. */
  #sized(groups: number): SampleLevel {
    const from = this.#lowest;
    const to = emptyLevel(samplesPerBucket, groups);
    const kept = Math.min(groups, this.#groups);
    to.lowestAt.set(from.lowestAt.subarray(0, kept));
    to.highestAt.set(from.highestAt.subarray(0, kept));
    to.sums.set(from.sums.subarray(0, kept));
    to.missing.set(from.missing.subarray(0, kept));
    to.longestUs.set(from.longestUs.subarray(0, kept));
    to.silent.set(from.silent.subarray(0, kept));
    return to;
  }
}
