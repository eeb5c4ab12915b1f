import { extname } from 'node:path';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import type { FileIdentity } from '../../base/files/file-identity.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import {
  type TraceFormat,
  traceFiles,
  traceFormats,
  withArticle,
} from '../../trace/trace-format.ts';
import { loggingRecord, noRecorderStatus, type RecordingRecord } from '../recording-record.ts';
import { plainRecording, type RecordingRequest } from '../recording-request.ts';
import { RecorderControl } from './recorder-control.ts';
import type { RecorderThreads } from './recorder-threads.ts';

const foreignFiles: Readonly<Record<string, string>> = {
  '.bz2': 'compressed file',
  '.csv': 'CSV table',
  '.gz': 'compressed file',
  '.mdf': 'MDF measurement',
  '.pcap': 'packet capture',
  '.pcapng': 'packet capture',
  '.trc': 'TRC trace',
  '.xz': 'compressed file',
  '.zip': 'compressed file',
  '.zst': 'compressed file',
};

/** A misnamed file would only be noticed when it is needed. */
const refuseMisnamed = (file: string, format: TraceFormat): void => {
  const ending = extname(file).toLowerCase();
  const trace = traceFormats.find((each) => traceFiles[each].ending === ending);
  if (trace === format) return;
  const other = trace ? traceFiles[trace].title : foreignFiles[ending];
  if (other === undefined) return;
  throw invalidArgument(
    'file',
    `${file} has the extension of ${withArticle(other, 'a')}, but the format is ${format}: set format to log in another one`,
    { reason: 'other_format', path: file },
  );
};

export interface LoggingRequest extends Pick<RecordingRequest, 'file' | 'format' | 'overwrite'> {
  /** The file name can contradict a default, but not a specified format. */
  readonly isFormatGiven: boolean;
  readonly channels?: readonly string[] | undefined;
}

export type FollowChannels = (selectors: readonly string[]) => Promise<readonly number[]>;

export interface LoggingServiceOptions {
  readonly threads: RecorderThreads;
  readonly clock: Clock;
  readonly replayed: () => readonly FileIdentity[];
  readonly onFailed: (record: RecordingRecord) => void;
}

export const slotsOf = async (
  channels: readonly string[],
  follow: FollowChannels,
): Promise<readonly number[]> => {
  const slots = await follow(channels).catch((thrown: unknown) => {
    throw withField('channels', thrown);
  });
  return [...new Set(slots)];
};

const alreadyLogging = (record: RecordingRecord): BusbarError =>
  new BusbarError('already_running', {
    message: `Already logging to ${record.file}`,
    details: { ...record },
  });

/** Logging: the recorder without a name, which writes one file at a time. */
export class LoggingService {
  readonly #options: LoggingServiceOptions;
  readonly #control: RecorderControl;

  constructor(options: LoggingServiceOptions) {
    this.#options = options;
    this.#control = new RecorderControl({
      threads: options.threads,
      onEnded: (final) => {
        if (final.state === 'failed') options.onFailed(loggingRecord(final));
      },
    });
  }

  get latest(): RecordingRecord {
    return loggingRecord(this.#control.latest);
  }

  /** Resolves when the file is open: all events published later are logged. */
  async start(request: LoggingRequest, follow: FollowChannels): Promise<RecordingRecord> {
    const { file, format, overwrite, channels, isFormatGiven } = request;
    if (!isFormatGiven) refuseMisnamed(file, format);
    const control = this.#control;
    if (control.isActive) throw alreadyLogging(loggingRecord(await control.current()));
    const { clock, replayed } = this.#options;
    const started_at_us = clock.unixUs();
    const begun = await control.start(
      { ...noRecorderStatus, state: 'running', file, format, started_at_us },
      async () => {
        const slots = channels ? await slotsOf(channels, follow) : null;
        return plainRecording({ file, format, overwrite, slots, replayed: replayed() });
      },
    );
    return loggingRecord(begun);
  }

  async status(): Promise<RecordingRecord> {
    return loggingRecord(await this.#control.status());
  }

  async stop(): Promise<RecordingRecord> {
    return loggingRecord(await this.#control.stop());
  }

  consumersOf(slot: number): Promise<readonly Consumer[]> {
    return this.#control.consumersOf(slot);
  }
}
