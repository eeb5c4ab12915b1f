import { extname } from 'node:path';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import type { FileIdentity } from '../../base/files/file-identity.ts';
import type { Broker } from '../../broker/broker.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import { traceFiles, traceFormats } from '../../trace/trace-format.ts';
import type { RecorderChannel, RecordingRequest } from '../recorder.ts';
import { noRecording, type RecordingRecord } from '../recording-record.ts';
import type { RecorderStart, RecorderThread } from './recorder-contract.ts';
import { RecorderSession } from './recorder-session.ts';

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
const refuseMisnamed = (file: string): void => {
  const ending = extname(file).toLowerCase();
  const trace = traceFormats.find((format) => traceFiles[format].ending === ending);
  if (trace === 'asc') return;
  const other = trace ? traceFiles[trace].title : foreignFiles[ending];
  if (other === undefined) return;
  throw invalidArgument(
    'file',
    `Logging writes ASC only: ${file} has the extension of a ${other}`,
    { reason: 'other_format', path: file },
  );
};

const checkFileName = ({
  file,
  isFormatGiven,
}: {
  readonly file: string;
  readonly isFormatGiven: boolean;
}): void => {
  if (!isFormatGiven) refuseMisnamed(file);
};

export interface LoggingRequest extends Pick<RecordingRequest, 'file' | 'format' | 'overwrite'> {
  /** The file name can contradict a default, but not a specified format. */
  readonly isFormatGiven: boolean;
  readonly channels?: readonly string[] | undefined;
}

export type FollowChannels = (selectors: readonly string[]) => Promise<readonly number[]>;

export interface LoggingServiceOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly projectRoot: string;
  readonly unixOffsetUs: number;
  readonly startRecorder: (data: RecorderStart) => RecorderThread;
  readonly entries: () => readonly RecorderChannel[];
  readonly replayed: () => FileIdentity | null;
  readonly onFailed: (record: RecordingRecord) => void;
  readonly onDefect: (thrown: unknown) => void;
}

interface Start {
  readonly done: Promise<RecordingRecord>;
  /** Record of the running recording, included in the error of a second start. */
  readonly record: RecordingRecord;
}

const alreadyRunning = (record: RecordingRecord): BusbarError =>
  new BusbarError('already_running', {
    message: `Already logging to ${record.file}`,
    details: { ...record },
  });

const slotsOf = async (
  channels: readonly string[],
  follow: FollowChannels,
): Promise<readonly number[]> => {
  const slots = await follow(channels).catch((thrown: unknown) => {
    throw withField('channels', thrown);
  });
  return [...new Set(slots)];
};

/**
 * Logging on the bench thread: one file at a time, written by its own thread. A failure of that
 * thread does not affect the daemon.
 */
export class LoggingService {
  readonly #options: LoggingServiceOptions;
  readonly #sessions = new Set<RecorderSession>();
  #last: RecordingRecord = noRecording;
  #start: Start | undefined;
  #session: RecorderSession | undefined;
  #isClosed = false;

  constructor(options: LoggingServiceOptions) {
    this.#options = options;
  }

  /** Resolves when the file is open: all events published later are logged. */
  async start(request: LoggingRequest, follow: FollowChannels): Promise<RecordingRecord> {
    checkFileName(request);
    if (this.#start) throw alreadyRunning(this.#start.record);
    if (this.#session) throw alreadyRunning(await this.status());
    if (this.#isClosed) throw new BusbarError('operation_cancelled');
    const { clock } = this.#options;
    const { file, format } = request;
    const record: RecordingRecord = {
      ...noRecording,
      state: 'running',
      file,
      format,
      started_at_us: clock.unixUs(),
    };
    const done = this.#begin(request, record, follow);
    this.#start = { done, record };
    try {
      return await done;
    } finally {
      this.#start = undefined;
    }
  }

  /**
   * Waits for a start in progress: after a client reads `running`, everything it sends is in
   * the file.
   */
  async status(): Promise<RecordingRecord> {
    return (await this.#session?.record()) ?? this.#last;
  }

  async stop(): Promise<RecordingRecord> {
    await this.#start?.done.catch(() => undefined);
    return this.#session ? this.#session.finish() : this.#last;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const session of this.#sessions) session.abandonLoading();
    await this.stop();
  }

  async channelOpening(entry: RecorderChannel): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.channelOpening(entry)));
  }

  /** Resolves once no recorder reads the channel's memory; rejects if one still can. */
  async channelClosed(slot: number): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.channelClosed(slot)));
  }

  async consumersOf(slot: number): Promise<readonly Consumer[]> {
    return (await this.#session?.consumersOf(slot)) ?? [];
  }

  async #begin(
    { file, format, overwrite, channels }: LoggingRequest,
    record: RecordingRecord,
    follow: FollowChannels,
  ): Promise<RecordingRecord> {
    const slots = channels ? await slotsOf(channels, follow) : null;
    const session = this.#open(record);
    const replayed = this.#options.replayed();
    const begun = await session.begin({ file, format, overwrite, slots, replayed });
    this.#session = session;
    void session.ended.promise.then((final) => {
      this.#last = final;
      this.#session = undefined;
      if (final.state === 'failed') this.#options.onFailed(final);
    });
    return begun;
  }

  #open(record: RecordingRecord): RecorderSession {
    const { broker, clock, onDefect } = this.#options;
    const reader = broker.claimReader();
    const thread = this.#startThread(reader);
    const session = new RecorderSession({ thread, clock, record, onDefect });
    this.#sessions.add(session);
    void session.gone.promise.then(() => {
      this.#sessions.delete(session);
      // Released last, because writers must not wake a stopped thread whose number can be
      // reused.
      broker.releaseReader(reader);
    });
    return session;
  }

  #startThread(reader: number): RecorderThread {
    const { broker, projectRoot, unixOffsetUs, entries, startRecorder } = this.#options;
    const channels = entries();
    try {
      return startRecorder({
        projectRoot,
        unixOffsetUs,
        broker: { memory: broker.memory.buffer, reader, channels },
      });
    } catch (thrown) {
      broker.releaseReader(reader);
      throw thrown;
    }
  }
}
