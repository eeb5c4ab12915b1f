import { useId, useState } from 'preact/hooks';
import { type JsonSchema, shapeOf } from '../../../../src/base/json-schema/json-schema.ts';
import { cellKind, cellText, tableOf, valueOfText } from '../../project-editor/cell-text.ts';
import { idsOf } from '../../project-editor/project-document.ts';
import { document, endEdit } from './editor-state.ts';

interface FieldInputProps {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly label: string;
  readonly problem: string | null;
  readonly isOptional: boolean;
  readonly onChange: (value: unknown) => void;
  readonly id?: string;
  readonly describedBy?: string;
  readonly isFocused?: boolean;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly onEnd?: () => void;
}

const choicesOf = (schema: JsonSchema): readonly string[] => {
  const shape = shapeOf(schema);
  return shape.kind === 'choice' ? shape.values.map(String) : ['true', 'false'];
};

const maxOffered = 500;

const offered = (table: string, typed: string): readonly string[] => {
  const ids = idsOf(document.value, table);
  const wanted = typed.split(/,\s*/).at(-1)?.toLowerCase() ?? '';
  return ids.length <= maxOffered
    ? ids
    : ids.filter((id) => id.toLowerCase().includes(wanted)).slice(0, maxOffered);
};

/** Control of a field that one line can hold. */
export const FieldInput = (props: FieldInputProps) => {
  const { schema, value, label, problem, isOptional, onChange } = props;
  const list = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const kind = cellKind(schema);
  const target = tableOf(schema);
  const shown = typed ?? cellText(value);
  const standard = schema.default === undefined ? '' : cellText(schema.default);
  const shared = {
    id: props.id,
    'aria-label': props.id === undefined ? label : undefined,
    'aria-invalid': problem !== null,
    'aria-describedby': props.describedBy,
    title: problem ?? schema.description,
    'data-field': label,
    onKeyDown: props.onKeyDown,
    ref: (node: HTMLElement | null) => {
      if (props.isFocused && node && !node.contains(globalThis.document.activeElement))
        node.focus();
    },
  };
  const end = (): void => {
    setTyped(null);
    endEdit();
    props.onEnd?.();
  };
  if (kind === 'choice') {
    const choices = choicesOf(schema);
    const needsNone = isOptional || value === undefined || schema.default !== undefined;
    const isForeign = shown !== '' && !choices.includes(shown);
    return (
      <select
        {...shared}
        value={shown}
        onBlur={end}
        onChange={(event) => onChange(valueOfText(schema, event.currentTarget.value))}
      >
        {needsNone && <option value="">{standard === '' ? '–' : `${standard} (default)`}</option>}
        {isForeign && <option value={shown}>{shown}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  return (
    <>
      <input
        {...shared}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={shown}
        placeholder={standard}
        list={target === null ? undefined : list}
        onBlur={end}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          onChange(valueOfText(schema, event.currentTarget.value));
        }}
      />
      {target !== null && (
        <datalist id={list}>
          {offered(target, shown).map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
      )}
    </>
  );
};
