/** What a value is worth, in the order of the numbers that stand for it in memory. */
export const qualities = [
  'initial',
  'good',
  'timeout',
  'disconnected',
  'invalid',
  'not_available',
  'error',
  'e2e_error',
  'transform_error',
  'skew',
  'expired',
  'input_invalid',
] as const;
export type Quality = (typeof qualities)[number];

export const qualityNumber = (quality: Quality): number => qualities.indexOf(quality);
