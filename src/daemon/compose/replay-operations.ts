import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { replayStart, replayStatus, replayStop } from '../../operations/replay.ts';
import type { ReplayService } from '../../transmit/replay/replay-service.ts';

interface ReplayContext {
  readonly replay: ReplayService;
  readonly channels: Pick<ChannelTable, 'use'>;
  /** The bench that a caller has chosen. */
  readonly benchOf: (caller: Caller) => BenchSource;
}

type Mappings = Readonly<Record<string, string>>;

/** The mappings of a command line, which names them one by one. */
const mappingsOf = (
  channels: Mappings | undefined,
  map: readonly string[] | undefined,
): Mappings => {
  if (channels && map) {
    throw invalidArgument('map', 'map says the same as channels: leave one of them out', {
      reason: 'exclusive',
    });
  }
  if (!map) {
    if (channels) return channels;
    throw invalidArgument('channels', 'channels is required: which channel is sent where', {
      reason: 'missing',
    });
  }
  const mappings = new Map<string, string>();
  for (const text of map) {
    const [key = '', ...selector] = text.split('=');
    if (mappings.has(key)) {
      throw invalidArgument('map', `Channel ${key} of the file is mapped more than once`, {
        reason: 'duplicate_key',
      });
    }
    mappings.set(key, selector.join('='));
  }
  return Object.fromEntries(mappings);
};

/** Binds what concerns replays. They run in the bench thread, beside the channels. */
export const bindReplayOperations = (dispatcher: Dispatcher, context: ReplayContext): void => {
  const { replay, channels: table, benchOf } = context;
  dispatcher
    .bind(replayStart, ({ arguments: { channels, map, ...request }, caller }) =>
      replay.start({ ...request, channels: mappingsOf(channels, map) }, (selector) =>
        table.use(selector, benchOf(caller)),
      ),
    )
    .bind(replayStatus, () => replay.status())
    .bind(replayStop, () => replay.stop());
};
