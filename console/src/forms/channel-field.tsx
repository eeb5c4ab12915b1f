import type { Channel } from '../api/client.ts';
import { SelectField, withGone } from '../ui/fields.tsx';
import { channelOf, type SelectorSources, selectorChoices } from './channel-selectors.ts';

interface ChannelFieldProps {
  readonly label: string;
  readonly value: string;
  readonly sources: SelectorSources;
  /** Which channels can be meant; any where left out. */
  readonly suits?: (channel: Channel) => boolean;
  readonly onChange: (selector: string) => void;
  readonly error?: string | null;
  readonly testId?: string;
}

/** A choice among the open channels and the networks that are bound to one. */
export const ChannelField = ({ value, sources, suits, error, ...rest }: ChannelFieldProps) => {
  const offered = selectorChoices(sources, suits);
  // A channel that was closed meanwhile stays in sight instead of turning into another one.
  const gone = channelOf(value, sources) ? value : `${value} · not open`;
  const nothing = { value: '', label: offered.length === 0 ? 'No channel is open' : 'Choose…' };
  const choices = [...(value === '' ? [nothing] : []), ...withGone(offered, value, gone)];
  return <SelectField {...rest} value={value} choices={choices} error={error} />;
};
