import { BusbarError } from '../base/errors/busbar-error.ts';
import type { FoundChannel } from '../bench/channel-table.ts';
import type { SelectedChannel } from './record-fields.ts';

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

/** Rejects a channel that began to close after it was found. */
export const checkInService = ({ channel, text }: FoundChannel, field = 'channel'): void => {
  if (channel.state !== 'closing') return;
  throw new BusbarError('channel_not_open', {
    message: `${text} is being closed`,
    details: { field },
  });
};
