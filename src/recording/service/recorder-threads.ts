import type { Clock } from '../../base/clock/clock.ts';
import { within } from '../../base/clock/pause.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Broker } from '../../broker/broker.ts';
import type { RecorderChannel } from '../recorder.ts';
import type { RecorderStatus } from '../recording-record.ts';
import type { RecorderStart, RecorderThread } from './recorder-contract.ts';
import { RecorderSession } from './recorder-session.ts';

export interface RecorderThreadsOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly projectRoot: string;
  readonly unixOffsetUs: number;
  readonly startRecorder: (data: RecorderStart) => RecorderThread;
  readonly entries: () => readonly RecorderChannel[];
  readonly onDefect: (thrown: unknown) => void;
}

const settleMs = 10_000;

/** Threads of all recorders, each with a reader of the rings. Channels are reported to each. */
export class RecorderThreads {
  readonly #options: RecorderThreadsOptions;
  readonly #sessions = new Set<RecorderSession>();
  #isClosed = false;

  constructor(options: RecorderThreadsOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Starts a thread that records nothing yet. Its record is `record` until it reports one. */
  async open(name: string | null, record: RecorderStatus): Promise<RecorderSession> {
    const earlier = [...this.#sessions].filter((session) => session.name === name);
    await Promise.all(earlier.map((session) => session.leave()));
    if (this.#isClosed) throw new BusbarError('operation_cancelled');
    const { broker, clock, onDefect } = this.#options;
    const reader = broker.claimReader();
    const thread = this.#startThread(reader);
    const session = new RecorderSession({ name, thread, clock, record, onDefect });
    this.#sessions.add(session);
    void session.gone.promise.then(() => {
      this.#sessions.delete(session);
      // Released last, because writers must not wake a stopped thread whose number can be
      // reused.
      broker.releaseReader(reader);
    });
    return session;
  }

  async channelOpening(entry: RecorderChannel): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.channelOpening(entry)));
  }

  /** Resolves once no recorder reads the channel's memory; rejects if one still can. */
  async channelClosed(slot: number): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.channelClosed(slot)));
  }

  /** Starts no more threads, and ends those that are not loaded yet. */
  close(): void {
    this.#isClosed = true;
    for (const session of this.#sessions) session.abandonLoading();
  }

  /** Waits for threads that compress their last file. What takes longer stays as it is. */
  async settled(): Promise<void> {
    const gone = [...this.#sessions].map((session) => session.gone.promise);
    await within(this.#options.clock, settleMs, Promise.all(gone));
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
