import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Channel, ChannelStats } from '../../api/client.ts';
import { traffic, useTraffic } from '../../live/traffic.ts';
import { minuteOf } from '../../live/traffic-history.ts';
import { channels } from '../../state/bench.ts';
import { isShown } from '../../state/pages.ts';
import { follow } from '../../state/resource.ts';
import { useResource } from '../../ui/use-resource.ts';

export const pickedSelector = signal<string | null>(null);

export const task = signal<'show' | 'configure' | 'open'>('show');

export const wantedPort = signal('');

export const openPort = (selector = ''): void => {
  wantedPort.value = selector;
  task.value = 'open';
};

export const pickedOf = (readings: readonly ChannelReading[]): ChannelReading | null =>
  readings.find(({ channel }) => channel.selector === pickedSelector.value) ?? readings[0] ?? null;

export const pick = (selector: string): void => {
  pickedSelector.value = selector;
  if (task.peek() === 'open') task.value = 'show';
};

export interface ChannelTrends {
  readonly rx: readonly number[];
  readonly tx: readonly number[];
  readonly load: readonly number[];
}

export interface ChannelReading {
  readonly channel: Channel;
  readonly stats: ChannelStats | null;
  readonly trends: ChannelTrends;
}

const stats = signal<ReadonlyMap<number, ChannelStats>>(new Map());

const noTrends: ChannelTrends = { rx: [], tx: [], load: [] };

const trendsOf = ({ slot, opened_at_us }: Channel): ChannelTrends => {
  const rows = traffic.value ?? [];
  const row = rows.find((each) => each.slot === slot && each.opened_at_us === opened_at_us);
  if (!row) return noTrends;
  return {
    rx: minuteOf('rx_rate_fps', row, rows),
    tx: minuteOf('tx_rate_fps', row, rows),
    load: minuteOf('bus_load_percent', row, rows),
  };
};

export const readings = computed<readonly ChannelReading[] | null>(() => {
  const open = channels.data.value?.channels;
  if (!open) return null;
  return open.map((channel) => ({
    channel,
    stats: stats.value.get(channel.slot) ?? null,
    trends: trendsOf(channel),
  }));
});

const takeStats = (answer: unknown): void => {
  const reported = (answer as { readonly channels: readonly ChannelStats[] }).channels;
  stats.value = new Map(reported.map((each) => [each.slot, each]));
};

export const useReadings = (): void => {
  const isInFront = isShown('channels');
  useResource(channels, 'channels');
  useTraffic('channels');
  useEffect(() => {
    if (!isInFront) return;
    return follow({ operation: 'channel.stats', take: takeStats, fail: () => {} });
  }, [isInFront]);
};
