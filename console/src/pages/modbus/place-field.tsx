import { useId } from 'preact/hooks';
import { TextField } from '../../ui/fields.tsx';
import { knownPlaces } from './places.ts';

interface PlaceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly error: string | null;
  readonly testId: string;
}

/** A network of the bench or an endpoint, with those that are known. */
export const PlaceField = (props: PlaceFieldProps) => {
  const list = useId();
  return (
    <div class="pair">
      <TextField {...props} placeholder="plc, tcp:10.0.0.5:502, rtu:/dev/ttyUSB0" list={list} />
      <datalist id={list}>
        {knownPlaces().map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
    </div>
  );
};
