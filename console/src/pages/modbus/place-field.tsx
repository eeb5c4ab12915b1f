import type { Bench } from '../../api/client.ts';
import { SuggestedField } from '../../forms/schema-fields.tsx';
import type { Control } from '../../forms/schema-form.ts';
import { bench } from '../../state/bench.ts';
import { nameOf, status } from './modbus-state.ts';

const isModbus = (network: Bench['networks'][string]): boolean => !('channel' in network);

export const networkNames = (): readonly string[] =>
  Object.entries(bench.data.value?.networks ?? {})
    .filter(([, network]) => isModbus(network))
    .map(([name]) => name);

export const knownPlaces = (): readonly string[] => [
  ...new Set([
    ...networkNames(),
    ...(status.value?.servers ?? []).map(nameOf),
    ...(status.value?.sessions ?? []).map(({ endpoint }) => endpoint),
  ]),
];

export const PlaceField = ({ error, problemOf, ...control }: Control<string>) => (
  <SuggestedField
    {...control}
    error={error ?? problemOf('network')}
    placeholder="plc, tcp:10.0.0.5:502, rtu:/dev/ttyUSB0"
    suggestions={knownPlaces()}
  />
);
