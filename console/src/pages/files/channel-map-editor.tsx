import { selectorChoices } from '../../forms/channel-selectors.ts';
import { addRow, type ChannelMap, changeRow, removeRow } from './channel-map.ts';
import { sources } from './work-resources.ts';

interface EditorProps {
  readonly map: ChannelMap;
  readonly onChange: (map: ChannelMap) => void;
  readonly error: string | null;
}

/** Which channel of a file is sent where. */
export const ChannelMapEditor = ({ map, onChange, error }: EditorProps) => {
  const choices = selectorChoices(sources.value);
  return (
    <fieldset class="channel-map field" data-testid="channel-map">
      <legend>Channel of the file → sent on</legend>
      {map.map(({ key, from, to }, at) => (
        <div class="map-row" key={key} data-testid="map-row">
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            aria-label={`Channel of the file, row ${at + 1}`}
            value={from}
            onInput={({ currentTarget: { value } }) =>
              onChange(changeRow(map, key, { from: value }))
            }
          />
          <span aria-hidden="true">→</span>
          <select
            aria-label={`Sent on, row ${at + 1}`}
            value={to}
            onChange={({ currentTarget: { value } }) =>
              onChange(changeRow(map, key, { to: value }))
            }
          >
            <option value="">{choices.length === 0 ? 'No channel is open' : 'Choose…'}</option>
            {choices.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <button
            type="button"
            aria-label={`Remove row ${at + 1}`}
            onClick={() => onChange(removeRow(map, key))}
          >
            ×
          </button>
        </div>
      ))}
      <div class="actions">
        <button type="button" onClick={() => onChange(addRow(map))} data-testid="map-add">
          Add channel
        </button>
        {error && <small data-tone="bad">{error}</small>}
      </div>
    </fieldset>
  );
};
