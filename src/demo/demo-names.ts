/** What its database is called. */
export const demoDatabase = 'vehicle';

/** Who sends what is on a bus, by the database, and where it can be heard. */
export const demoSenders = {
  powertrain: { node: 'PowertrainController', heardOn: 'powertrain-tap' },
  body: { node: 'BodyController', heardOn: 'body-tap' },
} as const;
