import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { Channel, ChannelStats } from '../../api/schema.ts';
import { channels } from '../../state/bench.ts';
import { resource } from '../../state/resource.ts';
import { Trend } from './trend.ts';

export interface ChannelTrends {
  readonly rx: Trend;
  readonly tx: Trend;
  readonly load: Trend;
}

/** An open channel with its latest figures and what they have been. */
export interface ChannelReading {
  readonly channel: Channel;
  /** Null where the channel was gone before it could be asked. */
  readonly stats: ChannelStats | null;
  readonly trends: ChannelTrends;
}

/** Opened again is another channel, whose past is not its own. */
const keyOf = ({ selector, opened_at_us }: Channel): string => `${selector}@${opened_at_us}`;

let known: ReadonlyMap<string, ChannelTrends> = new Map();

const newTrends = (): ChannelTrends => ({ rx: new Trend(), tx: new Trend(), load: new Trend() });

const statsOf = async ({ slot }: Channel): Promise<ChannelStats | null> => {
  try {
    return await call('channel.stats', { params: { selector: String(slot) } });
  } catch (thrown) {
    const error = thrown as ApiError;
    // Closed meanwhile: the next list says so.
    if (error.code === 'channel_not_open' || error.code === 'channel_not_found') return null;
    throw error;
  }
};

const readingOf = (channel: Channel, stats: ChannelStats | null): ChannelReading => {
  const trends = known.get(keyOf(channel)) ?? newTrends();
  const nowMs = Date.now();
  if (stats) {
    trends.rx.take(stats.rx_rate_fps, nowMs);
    trends.tx.take(stats.tx_rate_fps, nowMs);
    trends.load.take(stats.bus_load_percent, nowMs);
  }
  return { channel, stats, trends };
};

/** Every open channel as it is now; asking keeps the trends going. */
export const readings = resource(async (): Promise<readonly ChannelReading[]> => {
  await channels.refresh();
  const failure = channels.error.peek();
  if (failure) throw failure;
  const open = channels.data.peek()?.channels ?? [];
  const stats = await Promise.all(open.map(statsOf));
  const found = open.map((channel, at) => readingOf(channel, stats[at] ?? null));
  known = new Map(found.map(({ channel, trends }) => [keyOf(channel), trends]));
  return found;
});
