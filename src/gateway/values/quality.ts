/** Quality of a value. The index is its number in shared memory. */
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

export const qualityMeanings: Readonly<Record<Quality, string>> = {
  initial: 'Nothing was observed yet; the value, if there is one, is the initial one',
  good: 'The value can be used',
  timeout: 'Nothing was received for longer than values hold',
  disconnected: 'The endpoint is down',
  invalid: 'The sender says that the value is invalid',
  not_available: 'The sender says that there is no value',
  error: 'The sender says that there is an error, or the value is out of the range of the signal',
  e2e_error: 'Frames fail their check',
  transform_error: 'The result is not a value of the signal',
  skew: 'The inputs were observed too far apart',
  expired: 'The inputs were observed too long ago',
  input_invalid: 'An input is invalid',
};

const { initial, good, ...signalErrors } = qualityMeanings;

export const signalErrorMessages = signalErrors;

export const qualityNumber = (quality: Quality): number => qualities.indexOf(quality);
