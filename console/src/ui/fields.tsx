import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { useId } from 'preact/hooks';

const swallow = (event: TargetedMouseEvent<HTMLElement>): void => {
  event.preventDefault();
  event.stopImmediatePropagation();
};

/**
 * Attributes of a button or switch that cannot be used for now. Unlike `disabled` they leave it the focus: who
 * works by keys stays where the key was pressed.
 */
export const unusableWhile = (isUnusable: boolean) =>
  isUnusable ? { 'aria-disabled': true, onClickCapture: swallow } : {};

interface FieldProps {
  readonly label: string;
  /** What is wrong with the value, said right below it. */
  readonly error?: string | null | undefined;
  readonly hint?: string;
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

interface FieldAttributes {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

/** A labelled input with its hint, or with what is wrong about it. */
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

/** The choices with the one that was made, although it is gone: it must not look like another. */
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
