import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import type { Channel } from '../../bench/channel.ts';
import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { remoteStart, remoteStatus, remoteStop } from '../../operations/remote-api.ts';
import type { ForwardChannel } from '../../remote/ports.ts';
import { defaultRemoteListen } from '../../remote/remote-limits.ts';
import type { RemoteService } from '../../remote/remote-service.ts';

interface RemoteContext {
  readonly remote: RemoteService;
  readonly channels: ChannelTable;
  /** The bench that a caller has chosen. */
  readonly benchOf: (caller: Caller) => BenchSource;
}

/** Binds what concerns remote forwarding, which runs in the bench thread. */
export const bindRemoteOperations = (dispatcher: Dispatcher, context: RemoteContext): void => {
  const { remote, channels, benchOf } = context;
  dispatcher
    .bind(remoteStart, ({ arguments: request, given, caller }) =>
      remote.start({
        listen: request.listen ?? defaultRemoteListen,
        peers: request.peer,
        channels: () => forwardChannels(channels, request.channels, benchOf(caller)),
        maxAgeMs: request.max_age_ms ?? null,
        // What is usual may be too long for the age.
        bufferUs: given.has('buffer_us') ? (request.buffer_us ?? null) : null,
      }),
    )
    .bind(remoteStatus, () => remote.status())
    .bind(remoteStop, () => remote.stop());
};

/** The channels that selectors name, all of them CAN and each named once. */
const forwardChannels = async (
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
