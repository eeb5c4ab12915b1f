export const demoDatabase = 'vehicle';
export const doorDatabase = 'doors';

export const demoSenders = {
  powertrain: { node: 'PowertrainController', heardOn: 'powertrain-tap' },
  body: { node: 'BodyController', heardOn: 'body-tap' },
} as const;
