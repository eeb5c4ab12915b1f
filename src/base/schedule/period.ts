/**
 * The whole periods that went by unserved between a deadline and now: 0 while less than one period
 * late.
 */
export const skippedPeriods = (dueUs: number, periodUs: number, nowUs: number): number =>
  nowUs < dueUs + periodUs ? 0 : Math.floor((nowUs - dueUs) / periodUs);

/**
 * The first deadline after now on the grid that `dueUs` lies on. It is counted from the deadline,
 * not from the time it was served, so that lateness never becomes drift.
 */
export const nextPeriod = (dueUs: number, periodUs: number, nowUs: number): number => {
  const next = dueUs + (skippedPeriods(dueUs, periodUs, nowUs) + 1) * periodUs;
  return next > nowUs ? next : next + periodUs;
};
