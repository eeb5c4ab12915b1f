import { useId, useState } from 'preact/hooks';
import { JsonSource } from '../../../../src/base/json/json-source.ts';
import { parseJson } from '../../../../src/base/json/parse-json.ts';
import { stringifyJson } from '../../../../src/base/json/stringify-json.ts';
import type { SchemaField } from '../../../../src/base/json-schema/json-schema.ts';
import { endEdit } from './editor-state.ts';

interface JsonFieldProps {
  readonly name: string;
  readonly field: SchemaField;
  readonly value: unknown;
  readonly problem: string | null;
  readonly onChange: (value: unknown) => void;
}

const errorOf = (text: string): string | null => {
  if (text.trim() === '') return null;
  try {
    parseJson(text);
    return text.trim().startsWith('{') ? null : 'Must be a JSON object';
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

/** A JSON object as text. Its spelling is kept, because plugins receive it as text. */
export const JsonField = ({ name, field, value, problem, onChange }: JsonFieldProps) => {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (value === undefined ? '' : stringifyJson(value));
  const error = typed === null ? null : errorOf(typed);
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <textarea
        id={id}
        rows={4}
        spellcheck={false}
        aria-invalid={error !== null || problem !== null}
        aria-describedby={`${id}-note`}
        value={text}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          if (errorOf(currentTarget.value) !== null) return;
          const isEmpty = currentTarget.value.trim() === '';
          onChange(isEmpty ? undefined : new JsonSource(currentTarget.value));
        }}
        onBlur={() => {
          if (error === null) setTyped(null);
          endEdit();
        }}
      />
      <small id={`${id}-note`} data-tone={(error ?? problem) ? 'bad' : 'idle'}>
        {error ?? problem ?? field.schema.description}
      </small>
    </div>
  );
};
