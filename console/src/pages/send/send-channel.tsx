import { ChannelField } from '../../forms/channel-field.tsx';
import { selectorChoices } from '../../forms/channel-selectors.ts';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { activeForm, isAdvanced, result, selector, sources } from './send-state.ts';

const listId = 'send-selectors';

/** The channel to send on: one of those that are open, or with Advanced whatever is typed. */
export const SendChannel = () => {
  const form = activeForm.value;
  const change = (value: string): void => {
    selector.value = value;
    result.value = null;
    form.touch('channel');
  };
  const error = form.problemOf('channel');
  return (
    <div class="send-channel">
      {isAdvanced.value ? (
        <TextField
          label="Channel"
          value={selector.value}
          onInput={change}
          error={error}
          placeholder="<sn>/<port>, name, network or slot"
          list={listId}
          testId="send-channel"
        />
      ) : (
        <ChannelField
          label="Channel"
          value={selector.value}
          sources={sources.value}
          onChange={change}
          error={error}
          testId="send-channel"
        />
      )}
      <CheckField
        label="Advanced"
        checked={isAdvanced.value}
        onChange={(checked) => {
          isAdvanced.value = checked;
          form.touch('channel');
        }}
        testId="send-advanced"
      />
      <datalist id={listId}>
        {selectorChoices(sources.value).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
    </div>
  );
};
