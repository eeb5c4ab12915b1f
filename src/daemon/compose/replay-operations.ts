import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { replayStart, replayStatus, replayStop } from '../../operations/replay.ts';
import { channelMappings } from '../../transmit/replay/channel-mappings.ts';
import type { ReplayService } from '../../transmit/replay/replay-service.ts';

interface ReplayContext {
  readonly replay: ReplayService;
  readonly channels: Pick<ChannelTable, 'use'>;
  /** The bench that a caller has chosen. */
  readonly benchOf: (caller: Caller) => BenchSource;
}

/** Binds what concerns replays. They run in the bench thread, beside the channels. */
export const bindReplayOperations = (dispatcher: Dispatcher, context: ReplayContext): void => {
  const { replay, channels: table, benchOf } = context;
  dispatcher
    .bind(replayStart, ({ arguments: { channels, map, ...request }, caller }) =>
      replay.start({ ...request, channels: channelMappings(channels, map) }, (selector) =>
        table.use(selector, benchOf(caller)),
      ),
    )
    .bind(replayStatus, () => replay.status())
    .bind(replayStop, () => replay.stop());
};
