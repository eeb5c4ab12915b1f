/** How long ago something was, as a figure that can be compared at a glance. */
export const ageText = (observedUs: number | null, nowUs: number): string => {
  if (observedUs === null) return 'never';
  const seconds = Math.max(0, nowUs - observedUs) / 1_000_000;
  if (seconds < 1) return '< 1 s';
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
};
