export const demoDatabase = 'vehicle';

/** Senders by bus, as in the database. */
export const demoSenders = {
  powertrain: { node: 'PowertrainController', heardOn: 'powertrain-tap' },
  body: { node: 'BodyController', heardOn: 'body-tap' },
} as const;
