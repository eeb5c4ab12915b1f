/** Jitter of adapters and computers: shorter pauses are not silence, even with a short cycle time. */
const minUs = 50_000;

/** The latest sample can be this late on its way to the page. */
const minLiveUs = 200_000;

const cycles = 3;

/** Silence of a message without a known cycle time. */
const unknownUs = 1_000_000;

/** Intervals measured on each side of a position. */
const reach = 4;

const sorted = new Float64Array(reach);

/**
 * Pause that is silence next to the samples `first` to `last`: three times their median interval
 * if most intervals are like it, else that of an unknown cycle time. Null with too few intervals.
 */
const limitFrom = (times: Float64Array, first: number, last: number): number | null => {
  const count = last - first;
  if (count < 1) return null;
  for (let at = 0; at < count; at++) {
    const interval = (times[first + at + 1] as number) - (times[first + at] as number);
    let place = at;
    for (; place > 0 && (sorted[place - 1] as number) > interval; place--) {
      sorted[place] = sorted[place - 1] as number;
    }
    sorted[place] = interval;
  }
  const median = sorted[(count - 1) >> 1] as number;
  let alike = 0;
  for (let at = 0; at < count; at++) {
    const interval = sorted[at] as number;
    if (2 * interval >= median && interval <= 2 * median) alike++;
  }
  if (2 * alike > count) return cycles * median;
  return count > 2 ? unknownUs : null;
};

/** A pause must be longer to be silence, if the cycle time is known. */
export const knownSilenceUs = (cycleUs: number): number => Math.max(minUs, cycles * cycleUs);

/** Whether a pause is at most three times the median of several intervals, without sorting them. */
const isUsual = (spanUs: number, times: Float64Array, first: number, last: number): boolean => {
  let shorter = 0;
  for (let at = first; at < last; at++) {
    if (cycles * ((times[at + 1] as number) - (times[at] as number)) < spanUs) shorter++;
  }
  return last - first > 2 && 2 * shorter < last - first;
};

/**
 * Returns whether a message was silent before the sample at `index`: for more than three cycles,
 * or for more than a second without a known cycle time. A cycle time that the database does not
 * contain is measured before and after that position, because it can change there.
 * `index` can be that of the next sample.
 */
export const isSilence = (
  spanUs: number,
  cycleUs: number | null,
  times: Float64Array,
  index: number,
  length: number,
): boolean => {
  if (spanUs <= (index < length ? minUs : minLiveUs)) return false;
  if (cycleUs !== null) return spanUs > cycles * cycleUs;
  const first = Math.max(0, index - 1 - reach);
  // Decides nearly all pauses: this runs for every sample in view.
  if (spanUs <= unknownUs && isUsual(spanUs, times, first, index - 1)) return false;
  const before = limitFrom(times, first, index - 1);
  const after = limitFrom(times, index, Math.min(length - 1, index + reach));
  return spanUs > Math.max(before ?? after ?? unknownUs, after ?? before ?? unknownUs);
};
