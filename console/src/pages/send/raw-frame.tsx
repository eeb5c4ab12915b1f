import { shownId } from '../../forms/number-text.ts';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { type FrameDraft, idDigits, withId, withWidth } from './frame-draft.ts';
import { bytesIn } from './frame-problems.ts';
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
  if (shown.length === 0) return null;
  const problem = shown.map(([field]) => activeForm.value.problemOf(field)).find((each) => each);
  return (
    <div class="field pair">
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

const Identifier = () => {
  const { id, extended } = frame.value;
  const shown = shownId(id, idDigits(chosenBus.value, extended));
  return (
    // Rewriting it while it is typed would move the caret; it has its usual digits once it is left.
    <div onFocusOut={() => change({ id: shown })}>
      <TextField
        label="Identifier"
        value={id}
        onInput={(value) => change(withId(value, extended))}
        error={activeForm.value.problemOf('id')}
        hint="Hex, as it is printed"
        testId="send-id"
      />
    </div>
  );
};

const Payload = () => {
  const count = bytesIn(frame.value.data);
  return (
    <div class="wide">
      <TextField
        label="Data"
        value={frame.value.data}
        onInput={(data) => change({ data })}
        error={activeForm.value.problemOf('data')}
        hint={
          count === null ? 'Two hex digits a byte' : `${count} ${count === 1 ? 'byte' : 'bytes'}`
        }
        placeholder="DE AD BE EF"
        testId="send-data"
      />
    </div>
  );
};

/** The fields of a frame that is typed byte by byte; only those that its type has. */
export const RawFrame = () => {
  const form = activeForm.value;
  const visible = visibleFrameFields.value;
  return (
    <div class="fields" data-testid="raw-frame">
      {!isResponse.value && !isSlaveSending.value && (
        <SelectField
          label="Type"
          value={chosenType.value}
          choices={types.value.map((type) => ({ value: type, label: type }))}
          onChange={(type) => change({ type })}
          error={form.problemOf('type')}
          testId="send-type"
        />
      )}
      {visible.includes('id') && <Identifier />}
      <Flags />
      {visible.includes('dlc') && (
        <TextField
          label="DLC"
          value={frame.value.dlc}
          onInput={(dlc) => change({ dlc })}
          error={form.problemOf('dlc')}
          placeholder={chosenType.value === 'data' ? 'by the data' : 'any'}
          testId="send-dlc"
        />
      )}
      {visible.includes('checksum') && (
        <SelectField
          label="Checksum"
          value={frame.value.checksum}
          choices={[
            { value: '', label: 'of channel' },
            { value: 'classic', label: 'classic' },
            { value: 'enhanced', label: 'enhanced' },
          ]}
          onChange={(checksum) => change({ checksum })}
          error={form.problemOf('checksum')}
          testId="send-checksum"
        />
      )}
      {visible.includes('data') && <Payload />}
    </div>
  );
};
