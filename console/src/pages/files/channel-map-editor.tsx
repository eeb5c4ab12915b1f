import type { Channel } from '../../api/client.ts';
import { counted } from '../../format/figures.ts';
import { sources } from '../../forms/bench-sources.ts';
import { selectorChoices } from '../../forms/channel-selectors.ts';
import { withGone } from '../../ui/fields.tsx';
import {
  addRow,
  type ChannelMap,
  changeRow,
  type FileChannel,
  isCalled,
  removeRow,
} from './channel-map.ts';

interface EditorProps {
  readonly map: ChannelMap;
  readonly channels: readonly FileChannel[];
  readonly onChange: (map: ChannelMap) => void;
  readonly error: string | null;
}

const factsOf = ({ note, bus, events }: FileChannel): string =>
  [...(note === null ? [] : [note]), bus.toUpperCase(), counted(events, 'event')].join(', ');

const takes =
  (source: FileChannel | undefined) =>
  ({ bus }: Channel): boolean =>
    !source || (bus === 'lin') === (source.bus === 'lin');

export const ChannelMapEditor = ({ map, channels, onChange, error }: EditorProps) => {
  const choicesFor = (source: FileChannel | undefined, to: string) =>
    withGone(selectorChoices(sources.value, takes(source)), to, `${to} · wrong bus type`);
  return (
    <fieldset class="channel-map field" data-testid="channel-map">
      <legend>File channel → bench channel</legend>
      {map.map(({ key, from, to, isTyped }, at) => {
        const source = channels.find((channel) => isCalled(channel, from.trim()));
        const choices = choicesFor(source, to);
        const nothing = isTyped || !source ? 'Choose…' : 'Not sent';
        return (
          <div class="map-row" key={key} data-testid="map-row">
            <input
              type="text"
              autocomplete="off"
              spellcheck={false}
              aria-label={`File channel, row ${at + 1}`}
              value={from}
              onInput={({ currentTarget: { value } }) =>
                onChange(changeRow(map, key, { from: value }))
              }
            />
            {source && <span class="quiet">{factsOf(source)}</span>}
            <span aria-hidden="true">→</span>
            <select
              aria-label={`Bench channel, row ${at + 1}`}
              value={to}
              onChange={({ currentTarget: { value } }) =>
                onChange(changeRow(map, key, { to: value }))
              }
            >
              <option value="">{choices.length === 0 ? 'No open channels' : nothing}</option>
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
        );
      })}
      <div class="actions">
        <button type="button" onClick={() => onChange(addRow(map))} data-testid="map-add">
          Add channel
        </button>
        {error && <small data-tone="bad">{error}</small>}
      </div>
    </fieldset>
  );
};
