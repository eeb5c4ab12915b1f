import { type Bench, builtInBench } from '../bench/bench.ts';

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

/** Its networks, which the gateway project names: the gateway listens and sends where the car does not. */
export const demoNetworks = {
  powertrain: { name: 'powertrain-bus', channel: 'SIM00001/1' },
  body: { name: 'body-bus', channel: 'SIM00001/3' },
} as const;

/** What its gateway project is called, and the instance of it. */
export const demoProjectId = 'vehicle-gateway';

const networks = Object.values(demoNetworks);

/** The bench where there is no file: the built-in one with the networks of the vehicle. */
export const demoBench: Bench = {
  ...builtInBench,
  networks: Object.fromEntries(networks.map(({ name, channel }) => [name, { channel }])),
};

/** The same networks as a bench file. */
export const demoBenchFile = (): string => {
  const entries = networks.map(({ name, channel }) => [name, channel]);
  return `${JSON.stringify({ networks: Object.fromEntries(entries) }, null, 2)}\n`;
};
