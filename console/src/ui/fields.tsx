import type { Signal } from '@preact/signals';
import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { useId } from 'preact/hooks';
import { setting } from './set-signal.ts';

const swallow = (event: TargetedMouseEvent<HTMLElement>): void => {
  event.preventDefault();
  event.stopImmediatePropagation();
};

/**
 * Attributes of a control that is temporarily disabled. Unlike `disabled`, they keep the
 * keyboard focus.
 */
export const unusableWhile = (isUnusable: boolean) =>
  isUnusable ? { 'aria-disabled': true, onClickCapture: swallow } : {};

interface ToggleButtonProps {
  readonly isOn: Signal<boolean>;
  readonly testId: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** Shows and hides a form. */
export const ToggleButton = ({ isOn, testId, title, children }: ToggleButtonProps) => (
  <button
    type="button"
    aria-pressed={isOn.value}
    data-testid={testId}
    title={title}
    onClick={setting(isOn, !isOn.value)}
  >
    {children}
  </button>
);

interface FieldProps {
  readonly label: string;
  readonly error?: string | null | undefined;
  readonly hint?: string;
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

interface FieldAttributes {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

export const Field = ({ label, error, hint, children }: FieldProps) => {
  const id = useId();
  const note = error ?? hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': Boolean(error),
        'aria-describedby': note ? `${id}-note` : undefined,
      })}
      {note && (
        <small id={`${id}-note`} data-tone={error ? 'bad' : 'idle'}>
          {note}
        </small>
      )}
    </div>
  );
};

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly error?: string | null | undefined;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly list?: string;
  readonly title?: string;
  readonly testId?: string;
}

export const TextField = ({ label, value, onInput, error, hint, ...rest }: TextFieldProps) => (
  <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
    {(attributes) => (
      <input
        {...attributes}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={value}
        placeholder={rest.placeholder}
        list={rest.list}
        title={rest.title || undefined}
        data-testid={rest.testId}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  </Field>
);

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Adds the current choice if it is no longer offered, so that no other appears selected. */
export const withGone = (
  choices: readonly Choice[],
  chosen: string,
  label: string,
): readonly Choice[] =>
  chosen === '' || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label }];

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
  readonly error?: string | null | undefined;
  readonly hint?: string;
  readonly title?: string;
  readonly testId?: string;
}

export const SelectField = ({
  label,
  value,
  choices,
  onChange,
  error,
  hint,
  title,
  testId,
}: SelectFieldProps) => (
  <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
    {(attributes) => (
      <select
        {...attributes}
        value={value}
        title={title || undefined}
        data-testid={testId}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface CheckFieldProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly error?: string | null;
  readonly title?: string;
  readonly testId?: string;
}

export const CheckField = ({ label, checked, onChange, error, ...rest }: CheckFieldProps) => (
  <label class="check" title={rest.title || undefined}>
    <input
      type="checkbox"
      checked={checked}
      data-testid={rest.testId}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />{' '}
    {label}
    {error && <small data-tone="bad">{error}</small>}
  </label>
);

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value | null;
  readonly choices: readonly (Choice & { readonly value: Value })[];
  readonly onChange: (value: Value) => void;
  readonly hasLegend?: boolean;
  readonly testId?: string;
}

export const Segments = <Value extends string>(props: SegmentsProps<Value>) => {
  const name = useId();
  return (
    <fieldset class="switch segments" data-testid={props.testId} aria-label={props.label}>
      {props.hasLegend && <legend>{props.label}</legend>}
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
