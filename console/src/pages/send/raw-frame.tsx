import { computed } from '@preact/signals';
import { counted } from '../../format/figures.ts';
import { shownId } from '../../forms/number-text.ts';
import { SchemaFields } from '../../forms/schema-fields.tsx';
import type { Control, FieldLayout } from '../../forms/schema-form.ts';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { bytesIn, type FrameDraft, idDigits, withId, withWidth } from './frame-draft.ts';
import {
  activeForm,
  chosenBus,
  chosenType,
  frame,
  isResponse,
  isSlaveSending,
  result,
  types,
  visibleFrameFields,
} from './send-state.ts';

const change = (part: Partial<FrameDraft>): void => {
  frame.value = { ...frame.peek(), ...part };
  result.value = null;
  for (const field of Object.keys(part)) activeForm.peek().touch(field);
};

const flags = [
  ['extended', 'Extended'],
  ['fd', 'FD'],
  ['brs', 'BRS'],
  ['esi', 'ESI'],
] as const;

const Flags = () => {
  const shown = flags.filter(([field]) => visibleFrameFields.value.includes(field));
  const problem = shown.map(([field]) => activeForm.value.problemOf(field)).find((each) => each);
  return (
    <div class="field">
      <span class="label">Format</span>
      <div class="checks">
        {shown.map(([field, label]) => (
          <CheckField
            key={field}
            label={label}
            checked={frame.value[field]}
            onChange={(checked) =>
              change(
                field === 'extended' ? withWidth(frame.value.id, checked) : { [field]: checked },
              )
            }
            testId={`send-${field}`}
          />
        ))}
      </div>
      {problem && <small data-tone="bad">{problem}</small>}
    </div>
  );
};

// Padding an ID while typing would move the caret, so it is padded when the field is left.
const identifier = ({ onChange, ...control }: Control<string>, { id, extended }: FrameDraft) => (
  <div onFocusOut={() => change({ id: shownId(id, idDigits(chosenBus.value, extended)) })}>
    <TextField {...control} onInput={onChange} />
  </div>
);

const sizeOf = ({ data }: FrameDraft): string => {
  const count = bytesIn(data);
  return count === null ? 'Two hex digits per byte' : counted(count, 'byte');
};

const has = (field: keyof FrameDraft) => () => visibleFrameFields.value.includes(field);

const layout: readonly FieldLayout<FrameDraft>[] = [
  {
    key: 'type',
    label: 'Type',
    choices: () => types.value.map((type) => ({ value: type, label: type })),
    shown: () => chosenType.value,
    isShown: () => !isResponse.value && !isSlaveSending.value,
    testId: 'send-type',
  },
  {
    key: 'id',
    label: 'Identifier',
    hint: 'Hexadecimal',
    isShown: has('id'),
    change: (id, { extended }) => withId(id, extended),
    render: identifier,
    testId: 'send-id',
  },
  { key: 'extended', label: 'Format', class: 'pair', isShown: has('extended'), render: Flags },
  {
    key: 'dlc',
    label: 'DLC',
    placeholder: () => (chosenType.value === 'data' ? 'Auto' : 'Any'),
    isShown: has('dlc'),
    testId: 'send-dlc',
  },
  {
    key: 'checksum',
    label: 'Checksum',
    none: 'Channel default',
    isShown: has('checksum'),
    testId: 'send-checksum',
  },
  {
    key: 'data',
    label: 'Data',
    class: 'wide',
    placeholder: 'DE AD BE EF',
    hint: sizeOf,
    isShown: has('data'),
    testId: 'send-data',
  },
];

const form = computed(() => ({
  id: activeForm.value.id,
  problemOf: activeForm.value.problemOf,
  draft: frame,
  layout,
  change,
}));

export const RawFrame = () => (
  <div class="fields" data-testid="raw-frame">
    <SchemaFields form={form.value} />
  </div>
);
