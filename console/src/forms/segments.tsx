import { useId } from 'preact/hooks';
import type { Choice } from '../ui/fields.tsx';

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (Choice & { readonly value: Value })[];
  readonly onChange: (value: Value) => void;
  readonly testId?: string;
}

/** A choice out of two or three, all of them in sight. */
export const Segments = <Value extends string>(props: SegmentsProps<Value>) => {
  const name = useId();
  return (
    <fieldset class="switch segments" data-testid={props.testId} aria-label={props.label}>
      {props.choices.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={props.value === value}
            onChange={() => props.onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
};
