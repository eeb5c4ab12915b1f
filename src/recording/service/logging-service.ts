import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, withField } from '../../base/errors/busbar-error.ts';
import type { FileIdentity } from '../../base/files/file-identity.ts';
import type { Broker } from '../../broker/broker.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { RecorderChannel, RecordingRequest } from '../recorder.ts';
import { noRecording, type RecordingRecord } from '../recording-record.ts';
import { checkFileName } from './check-file-name.ts';
import type { RecorderStart, RecorderThread } from './recorder-contract.ts';
import { RecorderSession } from './recorder-session.ts';

export interface LoggingRequest extends Pick<RecordingRequest, 'file' | 'format' | 'overwrite'> {
  /** A default is no choice: the name of the file may speak against it. */
  readonly isFormatGiven: boolean;
  /** Selectors of the channels to log; all, also those opened later, if left out. */
  readonly channels?: readonly string[] | undefined;
}

/** Slots of the channels that selectors name, on the bench of the caller. */
export type FollowChannels = (selectors: readonly string[]) => Promise<readonly number[]>;

export interface LoggingServiceOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly projectRoot: string;
  readonly unixOffsetUs: number;
  readonly startRecorder: (data: RecorderStart) => RecorderThread;
  /** The channels that are open, those being opened included. */
  readonly entries: () => readonly RecorderChannel[];
  /** The file that is being replayed. */
  readonly replayed: () => FileIdentity | null;
  /** Told of every recording that did not end as asked for. */
  readonly onFailed: (record: RecordingRecord) => void;
  readonly onDefect: (thrown: unknown) => void;
}

interface Start {
  readonly done: Promise<RecordingRecord>;
  /** What another start is refused with meanwhile. */
  readonly record: RecordingRecord;
}

const alreadyRunning = (record: RecordingRecord): BusbarError =>
  new BusbarError('already_running', {
    message: `Logging to ${record.file} is running already`,
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
 * Logging as the bench thread offers it: one file at a time, written by a thread that exists only
 * meanwhile. Whatever happens to that thread, the rest of the daemon goes on.
 */
export class LoggingService {
  readonly #options: LoggingServiceOptions;
  /** Sessions whose threads still exist, and may hold memory of channels. */
  readonly #sessions = new Set<RecorderSession>();
  #last: RecordingRecord = noRecording;
  #start: Start | undefined;
  #session: RecorderSession | undefined;
  #isClosed = false;

  constructor(options: LoggingServiceOptions) {
    this.#options = options;
  }

  /** Answers once the file is open: whatever is published afterwards is logged. */
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
   * A file that is still being started is not running yet: a client that reads `running` may count on
   * finding in the file whatever it sends next.
   */
  async status(): Promise<RecordingRecord> {
    return (await this.#session?.record()) ?? this.#last;
  }

  /** Completes the file. Where nothing is logged, there is nothing to do. */
  async stop(): Promise<RecordingRecord> {
    await this.#start?.done.catch(() => undefined);
    return this.#session ? this.#session.finish() : this.#last;
  }

  /** Completes the file and refuses to start another one. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const session of this.#sessions) session.abandonLoading();
    await this.stop();
  }

  /** Resolves once a channel that is about to run is logged, if it is to be. */
  async channelOpening(entry: RecorderChannel): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.channelOpening(entry)));
  }

  /** Resolves once no recorder looks at the channel's memory; rejects if one may do so. */
  async channelClosed(slot: number): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.channelClosed(slot)));
  }

  /** The cursor of the recorder in a channel, for its statistics. */
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
      // Only now: writers must not ring for a thread that is gone, and no other reader have its number.
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
