/** How the demonstration uses the built-in bench. */

/** The ports it opens: those that the vehicle sends on, and who hears them. */
export const demoPorts = [
  { channel: 'SIM00001/0', name: 'powertrain' },
  { channel: 'SIM00001/1', name: 'powertrain-tap' },
  { channel: 'SIM00001/2', name: 'body' },
  { channel: 'SIM00001/3', name: 'body-tap' },
  { channel: 'SIM00001/4', name: 'door-master' },
  { channel: 'SIM00001/5', name: 'door-slave' },
] as const;

/** What its database is called. */
export const demoDatabase = 'vehicle';

/** Who sends what is on a bus, by the database, and where it can be heard. */
export const demoSenders = {
  powertrain: { node: 'PowertrainController', heardOn: 'powertrain-tap' },
  body: { node: 'BodyController', heardOn: 'body-tap' },
} as const;
