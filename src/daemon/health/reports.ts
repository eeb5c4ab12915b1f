import type { Static } from 'typebox';
import type { Channel } from '../../bench/channel.ts';
import type { ChannelRecord, ChannelStatsRecord } from '../../bench/channel-record.ts';
import { loggingName } from '../../bench/recorder-entry.ts';
import type { health, RecorderHealth } from '../../operations/health.ts';
import type { RecordingRecord } from '../../recording/recording-record.ts';
import type { RecorderRecord } from '../../recording/service/recorder-record.ts';

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

type Counts = Omit<RecordingRecord, 'state' | 'file' | 'format' | 'channels'> &
  Pick<RecorderRecord, 'state'>;

const recorderReport = (
  name: string,
  { state, frames, bytes, gaps, missed, error }: Counts,
): RecorderReport => ({ name, state, frames, bytes, gaps, missed, error: error?.code ?? null });

/** Logging first, also before it was ever started. */
export const recorderReports = (
  logging: RecordingRecord,
  recorders: readonly RecorderRecord[],
): RecorderReport[] => [
  recorderReport(loggingName, logging),
  ...recorders.map((recorder) => recorderReport(recorder.name, recorder)),
];
