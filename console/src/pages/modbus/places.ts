import type { Bench } from '../../api/client.ts';
import { bench } from '../../state/bench.ts';
import { nameOf, status } from './modbus-state.ts';

const isModbus = (network: Bench['networks'][string]): boolean => !('channel' in network);

/** The Modbus networks of the bench. */
export const networkNames = (): readonly string[] =>
  Object.entries(bench.data.value?.networks ?? {})
    .filter(([, network]) => isModbus(network))
    .map(([name]) => name);

/** Every place that is known by now. */
export const knownPlaces = (): readonly string[] => [
  ...new Set([
    ...networkNames(),
    ...(status.value?.servers ?? []).map(nameOf),
    ...(status.value?.sessions ?? []).map(({ endpoint }) => endpoint),
  ]),
];
