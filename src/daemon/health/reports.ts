import type { Static } from 'typebox';
import type { Channel } from '../../bench/channel.ts';
import type { ChannelRecord, ChannelStatsRecord } from '../../bench/channel-record.ts';
import type { health } from '../../operations/health.ts';

export type DaemonHealth = Static<typeof health.result>['daemon'];

export interface ChannelReport {
  readonly record: ChannelRecord;
  readonly stats: ChannelStatsRecord;
}

export const reportOf = (channel: Channel): ChannelReport => ({
  record: channel.record(),
  stats: channel.stats(),
});
