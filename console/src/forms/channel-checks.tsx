import type { Channel } from '../api/client.ts';
import { CheckField } from '../ui/fields.tsx';
import { sources } from './bench-sources.ts';
import type { Control } from './schema-form.ts';

interface ChannelChecksProps extends Control<readonly string[]> {
  readonly suits?: (channel: Channel) => boolean;
}

export const ChannelChecks = (props: ChannelChecksProps) => {
  const { label, value: chosen, suits = () => true, onChange, hint, error, testId } = props;
  const offered = sources.value.channels
    .filter(suits)
    .map(({ selector, name }) => ({ selector, label: name ?? selector }));
  // A selected channel that was closed stays visible, because the request still contains it.
  const gone = chosen
    .filter((each) => !offered.some(({ selector }) => selector === each))
    .map((selector) => ({ selector, label: `${selector} · not open` }));
  const toggle = (selector: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, selector] : chosen.filter((each) => each !== selector));
  return (
    <fieldset class="channel-checks field" data-testid={testId}>
      <legend>{label}</legend>
      <div class="checks">
        {[...offered, ...gone].map(({ selector, label }) => (
          <CheckField
            key={selector}
            label={label}
            checked={chosen.includes(selector)}
            onChange={(checked) => toggle(selector, checked)}
          />
        ))}
        {offered.length === 0 && (
          <span class="quiet">No open channels. Open one on the Channels page.</span>
        )}
      </div>
      {(error || offered.length > 0) && (
        <small data-tone={error ? 'bad' : 'idle'}>{error ?? hint}</small>
      )}
    </fieldset>
  );
};
