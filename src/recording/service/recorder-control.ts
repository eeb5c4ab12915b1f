import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import { noRecorderStatus, type RecorderStatus } from '../recording-record.ts';
import type { RecordingRequest } from '../recording-request.ts';
import type { RecorderSession } from './recorder-session.ts';
import type { RecorderThreads } from './recorder-threads.ts';

interface Start {
  readonly done: Promise<RecorderStatus>;
  /** Record of the recording that begins. */
  readonly record: RecorderStatus;
}

export interface RecorderControlOptions {
  readonly threads: RecorderThreads;
  /** Called when a recording has ended, however it did. */
  readonly onEnded: (record: RecorderStatus) => void;
}

/** One recorder: at most one recording at a time, each with a thread of its own. */
export class RecorderControl {
  readonly #options: RecorderControlOptions;
  /** The ended recording, whose files can still be compressed or removed. */
  #last: Pick<RecorderSession, 'latest'> = { latest: noRecorderStatus };
  #start: Start | undefined;
  #session: RecorderSession | undefined;

  constructor(options: RecorderControlOptions) {
    this.#options = options;
  }

  /** Whether a recording is being started or has not ended. */
  get isActive(): boolean {
    return this.#start !== undefined || this.#session !== undefined;
  }

  /** The last report, without asking the thread. */
  get latest(): RecorderStatus {
    return (this.#session ?? this.#last).latest;
  }

  /** What is being started, or what the recorder does. */
  async current(): Promise<RecorderStatus> {
    return this.#start?.record ?? this.status();
  }

  /** Resolves when the file is open: all events published later are recorded. */
  async start(
    record: RecorderStatus,
    prepare: () => Promise<RecordingRequest>,
  ): Promise<RecorderStatus> {
    if (this.isActive) throw new BusbarError('already_running');
    if (this.#options.threads.isClosed) throw new BusbarError('operation_cancelled');
    const done = this.#begin(record, prepare);
    this.#start = { done, record };
    try {
      return await done;
    } finally {
      this.#start = undefined;
    }
  }

  /**
   * Not what is being started: after a client reads `running`, everything it sends is in the
   * file.
   */
  async status(): Promise<RecorderStatus> {
    return (await this.#session?.record()) ?? this.#last.latest;
  }

  async stop(): Promise<RecorderStatus> {
    await this.#start?.done.catch(() => undefined);
    return this.#session ? this.#session.finish() : this.#last.latest;
  }

  async consumersOf(slot: number): Promise<readonly Consumer[]> {
    return (await this.#session?.consumersOf(slot)) ?? [];
  }

  async #begin(
    record: RecorderStatus,
    prepare: () => Promise<RecordingRequest>,
  ): Promise<RecorderStatus> {
    const request = await prepare();
    const session = await this.#options.threads.open(request.name, record);
    const begun = await session.begin(request);
    this.#session = session;
    void session.ended.promise.then((final) => {
      this.#last = session;
      this.#session = undefined;
      this.#options.onEnded(final);
    });
    return begun;
  }
}
