export const demoDatabase = 'vehicle';
export const doorDatabase = 'doors';

export const demoProjectId = 'vehicle-gateway';

/** LIN address of the door module. */
export const doorNad = 1;

export const demoSenders = {
  powertrain: { node: 'PowertrainController', heardOn: 'powertrain-tap' },
  body: { node: 'BodyController', heardOn: 'body-tap' },
} as const;
