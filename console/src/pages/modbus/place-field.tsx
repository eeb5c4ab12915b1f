import { SuggestedField } from '../../forms/schema-fields.tsx';
import type { Control } from '../../forms/schema-form.ts';
import { knownPlaces } from './places.ts';

/** A network of the bench or an endpoint, with those that are known. */
export const PlaceField = ({ error, problemOf, ...control }: Control<string>) => (
  <SuggestedField
    {...control}
    error={error ?? problemOf('network')}
    placeholder="plc, tcp:10.0.0.5:502, rtu:/dev/ttyUSB0"
    suggestions={knownPlaces()}
  />
);
