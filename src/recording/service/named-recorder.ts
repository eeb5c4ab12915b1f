import { BusbarError, type ErrorRecord } from '../../base/errors/busbar-error.ts';
import { Mutex } from '../../base/mutex.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { RecorderSettings } from '../recorder-settings.ts';
import { noRecorderStatus, type RecorderStatus } from '../recording-record.ts';
import type { RecordingRequest } from '../recording-request.ts';
import { RecorderControl } from './recorder-control.ts';
import type { RecorderRecord, RecorderSource } from './recorder-record.ts';
import type { RecorderThreads } from './recorder-threads.ts';

/** How a channel is known to a recorder's thread. */
export interface FollowedChannel {
  readonly slot: number;
  readonly number: number;
}

/** The bench that gives the selectors of a recorder their meaning. */
export interface RecorderBench {
  name(): Promise<string>;
  follow(selectors: readonly string[]): Promise<readonly FollowedChannel[]>;
}

export interface NamedRecorderOptions {
  readonly name: string;
  readonly source: RecorderSource;
  readonly threads: RecorderThreads;
  readonly unixUs: () => number;
  readonly requestOf: (
    settings: RecorderSettings,
    bench: RecorderBench,
  ) => Promise<RecordingRequest>;
  readonly onFailed: (record: RecorderRecord) => void;
}

/** Errors of a recorder whose channels can still be opened. */
const channelErrors: readonly string[] = [
  'channel_not_found',
  'channel_not_open',
  'network_unbound',
];

const alreadyRunning = (record: RecorderRecord): BusbarError =>
  new BusbarError('already_running', {
    message: `Recorder ${record.name} is ${record.state}`,
    details: { ...record },
    hint: `busbar recorder stop ${record.name} stops it.`,
  });

/**
 * A recorder with its settings. One of the bench file is started without a request: while one
 * of its channels is not open it waits for it, idle and with an error.
 */
export class NamedRecorder {
  readonly source: RecorderSource;
  readonly #options: NamedRecorderOptions;
  readonly #control: RecorderControl;
  readonly #attempts = new Mutex();
  #settings: RecorderSettings;
  #bench: RecorderBench;
  /** Starts when its channels open. */
  #isAwaited = false;
  #isStopping = false;
  #refusal: { readonly state: 'idle' | 'failed'; readonly error: ErrorRecord } | undefined;

  constructor(options: NamedRecorderOptions, settings: RecorderSettings, bench: RecorderBench) {
    this.#options = options;
    this.source = options.source;
    this.#settings = settings;
    this.#bench = bench;
    this.#control = new RecorderControl({
      threads: options.threads,
      onEnded: (final) => this.#ended(final),
    });
  }

  get settings(): RecorderSettings {
    return this.#settings;
  }

  /** The last report, without asking the thread. */
  get latest(): RecorderRecord {
    return this.#record(this.#control.latest);
  }

  async show(): Promise<RecorderRecord> {
    return this.#record(await this.#control.status());
  }

  get isActive(): boolean {
    return this.#control.isActive;
  }

  async activeError(): Promise<BusbarError> {
    return alreadyRunning(this.#recordOf(await this.#control.current()));
  }

  /** Changes a recorder that is not active. */
  change(settings: RecorderSettings, bench: RecorderBench): void {
    this.#settings = settings;
    this.#bench = bench;
    this.channelOpened();
  }

  async start(): Promise<RecorderRecord> {
    if (this.isActive) throw await this.activeError();
    try {
      return await this.#start();
    } catch (thrown) {
      // A recorder that waits for its channels still does, and one can have opened meanwhile.
      this.channelOpened();
      throw thrown;
    }
  }

  /** Starts it now or as soon as its channels are open. Its record has the error. */
  async keepStarted(): Promise<void> {
    this.#isAwaited = true;
    await this.#attempts.take(() => this.#attempt());
  }

  /** One attempt for each channel: one that opens during an attempt is not missed. */
  channelOpened(): void {
    if (this.#isAwaited) void this.#attempts.take(() => this.#attempt());
  }

  async stop(): Promise<RecorderRecord> {
    this.#isAwaited = false;
    if (this.#refusal?.state === 'idle') this.#refusal = undefined;
    this.#isStopping = true;
    try {
      return this.#record(await this.#control.stop());
    } finally {
      this.#isStopping = false;
    }
  }

  consumersOf(slot: number): Promise<readonly Consumer[]> {
    return this.#control.consumersOf(slot);
  }

  async #start(): Promise<RecorderRecord> {
    const { unixUs, requestOf } = this.#options;
    const { file, format, trigger } = this.#settings;
    const state = trigger?.start === undefined ? 'running' : 'armed';
    const first = { ...noRecorderStatus, state, file, format, started_at_us: unixUs() } as const;
    const begun = await this.#control.start(first, () => requestOf(this.#settings, this.#bench));
    this.#isAwaited = false;
    this.#refusal = undefined;
    return this.#record(begun);
  }

  async #attempt(): Promise<void> {
    if (!this.#isAwaited || this.#control.isActive) return;
    try {
      await this.#start();
    } catch (thrown) {
      // Not if it was stopped meanwhile.
      if (this.#isAwaited) this.#refused(BusbarError.from(thrown));
    }
  }

  #refused(error: BusbarError): void {
    const isWaiting = channelErrors.includes(error.code);
    this.#refusal = { state: isWaiting ? 'idle' : 'failed', error: error.toRecord() };
    if (isWaiting) return;
    this.#isAwaited = false;
    this.#options.onFailed(this.latest);
  }

  #ended(final: RecorderStatus): void {
    if (final.state === 'failed') this.#options.onFailed(this.#record(final));
    const { channels, trigger } = this.#settings;
    const isOnce = trigger !== null && (trigger.once === true || trigger.start === undefined);
    const isOver = final.state === 'failed' || channels === null || isOnce;
    if (this.source !== 'bench' || this.#isStopping || isOver) return;
    // Its channels were closed: it continues when they open again, which they can have done.
    this.#isAwaited = true;
    this.channelOpened();
  }

  #record(status: RecorderStatus): RecorderRecord {
    return { ...this.#recordOf(status), ...this.#refusal };
  }

  #recordOf({ channels: recorded, ...status }: RecorderStatus): RecorderRecord {
    const { name, source } = this.#options;
    return { name, source, ...status, ...this.#settings, recorded };
  }
}
