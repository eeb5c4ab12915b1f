import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { remoteStart, remoteStatus, remoteStop } from '../../operations/remote-api.ts';
import { forwardChannels } from '../../remote/service/forward-channels.ts';
import type { RemoteService } from '../../remote/service/remote-service.ts';

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
        listen: request.listen,
        peers: request.peer,
        channels: () => forwardChannels(channels, request.channels, benchOf(caller)),
        maxAgeMs: request.max_age_ms,
        bufferUs: request.buffer_us,
        isBufferGiven: given.has('buffer_us'),
      }),
    )
    .bind(remoteStatus, () => remote.status())
    .bind(remoteStop, () => remote.stop());
};
