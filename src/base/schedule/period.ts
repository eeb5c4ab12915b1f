export const skippedPeriods = (dueUs: number, periodUs: number, nowUs: number): number =>
  nowUs < dueUs + periodUs ? 0 : Math.floor((nowUs - dueUs) / periodUs);

export const nextPeriod = (dueUs: number, periodUs: number, nowUs: number): number => {
  const next = dueUs + (skippedPeriods(dueUs, periodUs, nowUs) + 1) * periodUs;
  return next > nowUs ? next : next + periodUs;
};
