import type { Clock } from '../../base/clock/clock.ts';
import { within } from '../../base/clock/pause.ts';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { RpcPort } from '../../base/threads/rpc-port.ts';
import { failureText } from '../../base/threads/thread.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { RecorderChannel } from '../recorder.ts';
import { fileFailure } from '../recording-file.ts';
import type { RecorderStatus } from '../recording-record.ts';
import type { RecordingRequest } from '../recording-request.ts';
import type { RecorderRpc, RecorderThread, RecordingRpc } from './recorder-contract.ts';

export interface RecorderSessionOptions {
  /** null for logging. */
  readonly name: string | null;
  readonly thread: RecorderThread;
  readonly clock: Clock;
  readonly record: RecorderStatus;
  readonly onDefect: (thrown: unknown) => void;
}

const fileMs = 10_000;
const answerMs = 1000;
const leaveMs = 1000;

const died = (failure: string | null): BusbarError =>
  new BusbarError('internal_error', {
    message: 'The recorder exited unexpectedly',
    details: { reason: 'recorder_died', failure },
  });

/** One recording and its thread, on the bench thread. Outlives both. */
export class RecorderSession {
  readonly name: string | null;
  readonly ended = new Deferred<RecorderStatus>();
  readonly gone = new Deferred<void>();
  readonly #ready = new Deferred<void>();
  readonly #thread: RecorderThread;
  readonly #clock: Clock;
  readonly #calls: RpcPort<RecorderRpc>;
  #latest: RecorderStatus;
  #isOver = false;
  #isGone = false;
  #isFinishing = false;
  #isReady = false;
  #isAbandoned = false;
  /** Whether closed files are compressed or removed, and listed. */
  #hasCleanup = false;

  constructor({ name, thread, clock, record, onDefect }: RecorderSessionOptions) {
    this.name = name;
    this.#thread = thread;
    this.#clock = clock;
    this.#latest = record;
    const offer: RecordingRpc = {
      ready: () => {
        this.#isReady = true;
        this.#ready.resolve();
      },
      progress: (progress) => this.#note(progress),
      ended: (final) => this.#end(final),
    };
    this.#calls = new RpcPort<RecorderRpc>(thread, offer, onDefect);
    let failure: string | null = null;
    thread.on('error', (error) => {
      failure = failureText(error);
    });
    thread.on('exit', () => {
      this.#isGone = true;
      this.#fail(died(failure));
      this.#calls.break();
      this.gone.resolve();
    });
  }

  /**
   * Opens the file. If that fails, the thread stops. Loading the thread has no timeout; the
   * disk has one.
   */
  async begin(request: RecordingRequest): Promise<RecorderStatus> {
    const begun = this.#calls.remote.begin(request);
    this.#hasCleanup = request.name !== null;
    try {
      await Promise.race([this.#ready.promise, begun]);
      const record = await within(this.#clock, fileMs, begun);
      if (!record) throw fileFailure(request.file, 'stalled');
      this.#note(record);
      return this.#latest;
    } catch (thrown) {
      this.#isOver = true;
      void this.#thread.terminate();
      throw this.#isAbandoned ? new BusbarError('operation_cancelled') : thrown;
    }
  }

  /** The last report, without asking the thread. */
  get latest(): RecorderStatus {
    return this.#latest;
  }

  abandonLoading(): void {
    if (this.#isReady || this.#isGone) return;
    this.#isAbandoned = true;
    void this.#thread.terminate();
  }

  async record(): Promise<RecorderStatus> {
    if (!this.#isOver) {
      const record = await within(this.#clock, answerMs, this.#calls.remote.record()).catch(
        () => null,
      );
      if (record) this.#note(record);
    }
    return this.#latest;
  }

  finish(): Promise<RecorderStatus> {
    if (!this.#isFinishing) {
      this.#isFinishing = true;
      void this.#finish();
    }
    return this.ended.promise;
  }

  /**
   * Leaves the files of an ended recording to the next one, which compresses what is left over.
   * Two threads must not write the same list of files.
   */
  async leave(): Promise<void> {
    if (!this.#isOver) return;
    await within(this.#clock, leaveMs, this.gone.promise);
    if (this.#isGone) return;
    void this.#thread.terminate();
    await within(this.#clock, leaveMs, this.gone.promise);
  }

  async consumersOf(slot: number): Promise<readonly Consumer[]> {
    if (this.#isOver) return [];
    const asked = this.#calls.remote.consumersOf(slot);
    return (await within(this.#clock, answerMs, asked).catch(() => null)) ?? [];
  }

  async channelOpening(entry: RecorderChannel): Promise<void> {
    if (this.#isOver) return;
    await within(this.#clock, answerMs, this.#calls.remote.channelOpening(entry)).catch(() => null);
  }

  /** Resolves once the recorder has released the channel; rejects if it can still hold it. */
  async channelClosed(slot: number): Promise<void> {
    const asked = this.#calls.remote.channelClosed(slot).then(() => true);
    const isFree = await within(this.#clock, answerMs, asked).catch(() => this.#isGone);
    if (isFree) return;
    throw new BusbarError('busy', { message: 'The recorder does not release a channel' });
  }

  async #finish(): Promise<void> {
    const finished = this.#calls.remote.finish();
    try {
      const record = await within(this.#clock, fileMs, finished);
      if (record) this.#end(record);
      else this.#fail(fileFailure(this.#latest.file ?? '', 'stalled'));
    } catch (thrown) {
      this.#fail(BusbarError.from(thrown));
    }
  }

  #note(record: RecorderStatus): void {
    if (!this.#isOver) this.#latest = record;
  }

  #fail(error: BusbarError): void {
    this.#end({
      ...this.#latest,
      state: 'failed',
      stopped_at_us: this.#clock.unixUs(),
      error: error.toRecord(),
    });
  }

  #end(record: RecorderStatus): void {
    if (this.#isOver) return;
    this.#latest = record;
    this.#isOver = true;
    this.ended.resolve(record);
    void this.#retire(record);
  }

  /** A failed thread may not respond any more. */
  async #retire({ state }: RecorderStatus): Promise<void> {
    if (this.#hasCleanup && state === 'idle') {
      const { remote } = this.#calls;
      const settled = remote.settled().then(() => remote.record());
      const { files } = (await settled.catch(() => null)) ?? this.#latest;
      this.#latest = { ...this.#latest, files };
    }
    if (!this.#isGone) await this.#thread.terminate();
  }
}
