import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import type { Channel } from '../../bench/channel.ts';
import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import type { ForwardChannel } from '../ports.ts';

export const forwardChannels = async (
  table: ChannelTable,
  selectors: readonly string[],
  bench: BenchSource,
): Promise<ForwardChannel[]> => {
  const found: ForwardChannel[] = [];
  for (const selector of selectors) {
    const { channel } = await table.use(selector, bench).catch((thrown) => {
      throw withField('channels', thrown);
    });
    if (found.some(({ slot }) => slot === channel.slot)) {
      throw invalidArgument('channels', `${selector} is named twice`, { channel: selector });
    }
    found.push(forwardChannel(table, channel, selector));
  }
  return found;
};

const forwardChannel = (table: ChannelTable, channel: Channel, named: string): ForwardChannel => {
  const { slot, selector, hardware } = channel;
  if (hardware.bus === 'lin') {
    throw invalidArgument('channels', `${named} is a LIN channel; only CAN is forwarded`, {
      channel: named,
    });
  }
  const entry = table.entries.find((one) => one.slot === slot);
  if (!entry) {
    throw new BusbarError('channel_not_open', { details: { field: 'channels', channel: named } });
  }
  return {
    slot,
    selector,
    ring: entry.ring,
    get isOpen() {
      return channel.state !== 'closing';
    },
    catchUp: () => void hardware.pending,
    openLane: (owner, most) => channel.outbox.open(owner, { most }),
    onInterrupted: (listener) => channel.onInterrupted(listener),
  };
};
