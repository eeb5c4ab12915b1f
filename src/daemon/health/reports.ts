import type { Static } from 'typebox';
import type { Channel } from '../../bench/channel.ts';
import type { ChannelRecord, ChannelStatsRecord } from '../../bench/channel-record.ts';
import { loggingName } from '../../bench/recorder-entry.ts';
import type { health, RecorderHealth } from '../../operations/health.ts';
import type { RecordingRecord } from '../../recording/recording-record.ts';
import type { RecorderCounts } from '../../recording/service/recorder-record.ts';

export type RecorderReport = Static<typeof RecorderHealth>;

export type DaemonHealth = Static<typeof health.result>['daemon'];

export interface ChannelReport {
  readonly record: ChannelRecord;
  readonly stats: ChannelStatsRecord;
}

export const reportOf = (channel: Channel): ChannelReport => ({
  record: channel.record(),
  stats: channel.stats(),
});

const fieldOf = ({ field }: Readonly<Record<string, unknown>>): string | null =>
  typeof field === 'string' ? field : null;

const recorderReport = (recorder: RecorderCounts): RecorderReport => {
  const { name, state, frames, bytes, gaps, missed, error } = recorder;
  return {
    ...{ name, state, frames, bytes, gaps, missed },
    error: error?.code ?? null,
    field: error && fieldOf(error.details),
    message: error?.message ?? null,
  };
};

/** Logging first, also before it was ever started. */
export const recorderReports = (
  logging: RecordingRecord,
  recorders: readonly RecorderCounts[],
): RecorderReport[] => [{ name: loggingName, ...logging }, ...recorders].map(recorderReport);
