import { BusbarError } from '../base/errors/busbar-error.ts';
import type { FoundChannel } from '../bench/channel-table.ts';
import type { SelectorKind } from '../bench/selector.ts';

/** An open channel in the record of what goes on there. */
export interface SelectedChannel {
  /** The selector as it was submitted. */
  readonly channel: string;
  readonly selector_kind: SelectorKind;
  /** The physical selector that a logical network stands for. */
  readonly resolved: string | null;
  /** The stable selector of the channel. */
  readonly selector: string;
  readonly slot: number;
}

export const selectedChannel = ({
  channel,
  text,
  kind,
  resolved,
}: FoundChannel): SelectedChannel => ({
  channel: text,
  selector_kind: kind,
  resolved,
  selector: channel.selector,
  slot: channel.slot,
});

/**
 * Refuses a channel that began to close after it was found, and will not say so again. `field` is
 * what the caller named it in.
 */
export const checkInService = ({ channel, text }: FoundChannel, field = 'channel'): void => {
  if (channel.state !== 'closing') return;
  throw new BusbarError('channel_not_open', {
    message: `${text} is being closed`,
    details: { field },
  });
};
