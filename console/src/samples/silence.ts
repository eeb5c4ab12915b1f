/** Frames jitter: shorter pauses are no silence, however short the cycle is. */
const leastUs = 200_000;
const cycles = 3;
/** Of a message that the database has no cycle of, until there are intervals to measure. */
const assumedCycleUs = 1_000_000;
/** Intervals at either side that the cycle of a message is measured by. */
const reach = 4;

/**
 * Whether a message was silent for so long before the sample at `index`: more than three of its cycles. The
 * cycle is measured where none is known, around that place, since it may change. `index` can be that of the
 * sample to come.
 */
export const isSilence = (
  spanUs: number,
  cycleUs: number | null,
  times: Float64Array,
  index: number,
  length: number,
): boolean => {
  if (spanUs <= leastUs) return false;
  if (cycleUs !== null) return spanUs > cycles * cycleUs;
  let measured = 0;
  let shorter = 0;
  const last = Math.min(length - 1, index + reach);
  for (let at = Math.max(1, index - reach); at <= last; at++) {
    if (at === index) continue;
    measured++;
    if (spanUs > cycles * ((times[at] as number) - (times[at - 1] as number))) shorter++;
  }
  // More than three times the median, without sorting: this runs for every point that is drawn.
  return measured === 0 ? spanUs > cycles * assumedCycleUs : 2 * shorter > measured;
};
