import type { Clock } from '../base/clock/clock.ts';
import { BusbarError, type ErrorRecord } from '../base/errors/busbar-error.ts';
import type { SubscriptionHandle } from '../base/subscription.ts';
import type { BrokerMemory } from '../broker/broker-memory.ts';
import type { Bell } from '../broker/doorbell.ts';
import { ReaderHub } from '../broker/reader-hub.ts';
import { takeWatermark } from '../broker/reader-steps.ts';
import type { Consumer } from '../broker/retention-record.ts';
import { wholeRing } from '../broker/ring-cursor.ts';
import type { RingHandle } from '../broker/ring-memory.ts';
import type { CreateTrace } from '../trace/trace-format.ts';
import type { Compress } from './compress-file.ts';
import { FileSeries } from './file-series.ts';
import { type FileCalls, fileFailure } from './recording-file.ts';
import type { RecordedChannel, RecorderStatus, RecordingFormat } from './recording-record.ts';
import type { RecordingRequest } from './recording-request.ts';
import { RecordingSink } from './recording-sink.ts';
import { RepeatedTimer } from './repeated-timer.ts';
import { NumberedFiles, SingleFile } from './series-files.ts';

export interface RecorderChannel {
  readonly slot: number;
  readonly selector: string;
  readonly name: string | null;
  readonly number: number;
  readonly ring: RingHandle;
}

export interface RecorderOptions {
  readonly memory: BrokerMemory;
  readonly bell: Bell;
  readonly clock: Clock;
  readonly channels: readonly RecorderChannel[];
  readonly projectRoot: string;
  readonly writers: Readonly<Record<RecordingFormat, CreateTrace>>;
  readonly compress: Compress;
  readonly onProgress: (record: RecorderStatus) => void;
  /** Called once: after a stop, without channels, or on failure. */
  readonly onEnded: (record: RecorderStatus) => void;
  readonly onDefect: (thrown: unknown) => void;
  readonly calls?: FileCalls;
}

interface Recording {
  readonly request: RecordingRequest;
  readonly startedAtUs: number;
  readonly series: FileSeries;
  readonly sink: RecordingSink;
}

const slotCount = 65_536;
const checkMs = 1000;
/**
 * With 250 ms for sorting, an event is with the operating system, which a killed daemon does not
 * take along, after less than half of the shortest sync time.
 */
const flushShare = 0.2;
/** A sync that begins now is over in time if the device needs less than the rest. */
const syncShare = 0.5;

/** States of a recording. Logging has no state `waiting`: it fails. */
const activeStates: readonly RecorderStatus['state'][] = ['armed', 'running', 'waiting'];

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #hub: ReaderHub;
  readonly #open = new Map<number, RecorderChannel>();
  readonly #numbers = new Uint16Array(slotCount);
  readonly #recorded = new Map<number, RecordedChannel>();
  readonly #timers: RepeatedTimer[] = [];
  #recording: Recording | undefined;
  #subscription: SubscriptionHandle | undefined;
  #state: RecorderStatus['state'] = 'idle';
  #stoppedAtUs: number | null = null;
  #error: ErrorRecord | null = null;
  /** Events that were read and could not be written. */
  #unwritten = 0;

  constructor(options: RecorderOptions) {
    const { memory, bell, clock, channels, onDefect } = options;
    this.#options = options;
    this.#hub = new ReaderHub({ memory, bell, clock, onDefect });
    for (const channel of channels) this.open(channel);
  }

  begin(request: RecordingRequest): RecorderStatus {
    const { slots } = request;
    const missing = slots?.find((slot) => !this.#open.has(slot));
    if (missing !== undefined) {
      throw new BusbarError('channel_not_open', { details: { channel: String(missing) } });
    }
    const recording = this.#start(request);
    for (const channel of this.#open.values()) {
      if (slots?.includes(channel.slot) ?? true) this.#include(channel);
    }
    const { sink } = recording;
    this.#recording = recording;
    this.#state = 'running';
    this.#watch(recording);
    this.#subscription = this.#hub.subscribe({
      channels: slots,
      after: null,
      capacity: wholeRing,
      sink,
    });
    const record = this.record();
    // The first events can already have failed.
    if (record.state === 'failed') this.#subscription.close();
    return record;
  }

  open(channel: RecorderChannel): void {
    if (this.#open.has(channel.slot)) return;
    this.#open.set(channel.slot, channel);
    this.#numbers[channel.slot] = channel.number;
    if (this.#recording?.request.slots === null) this.#include(channel);
    this.#hub.addRing(channel.ring);
  }

  close(slot: number): void {
    if (!this.#open.delete(slot)) return;
    this.#hub.removeRing(slot);
    const isNamed = this.#recording?.request.slots?.includes(slot);
    // A channel without events is not listed.
    if (!isNamed && !this.#recording?.sink.hasSeen(slot)) this.#recorded.delete(slot);
  }

  finish(): RecorderStatus {
    if (this.#state === 'waiting') this.#retry();
    this.#recording?.sink.endAfter(takeWatermark(this.#options.memory) - 1);
    for (const slot of this.#open.keys()) this.#hub.removeRing(slot);
    this.#open.clear();
    this.#hub.close();
    return this.record();
  }

  /** Resolves when closed files are compressed and the list of files is saved. */
  async settled(): Promise<void> {
    await this.#recording?.series.settled();
  }

  consumersOf(slot: number): readonly Consumer[] {
    return this.#hub.consumersOf(slot);
  }

  record(): RecorderStatus {
    const { request, startedAtUs, series, sink } = this.#recording ?? {};
    return {
      state: this.#state,
      file: request?.file ?? null,
      format: request?.format ?? null,
      channels: [...this.#recorded.values()],
      frames: series?.frames ?? 0,
      bytes: series?.bytes ?? 0,
      gaps: sink?.gaps ?? 0,
      missed: (sink?.missed ?? 0) + this.#unwritten,
      started_at_us: startedAtUs ?? null,
      stopped_at_us: this.#stoppedAtUs,
      error: this.#error,
      files: [...(series?.files ?? [])],
    };
  }

  get #isActive(): boolean {
    return activeStates.includes(this.#state);
  }

  #start(request: RecordingRequest): Recording {
    const { projectRoot, clock, calls, writers, compress } = this.#options;
    const { name, format } = request;
    const startUnixUs = clock.unixUs();
    const channelName = (channel: number): string => this.#nameOf(channel);
    const create = writers[format];
    const options = { request, projectRoot, create, channelName, compress, calls };
    const files = name === null ? new SingleFile(options) : NumberedFiles.prepare(options, name);
    const series = new FileSeries({ request, clock, files, startUnixUs });
    series.open();
    const sink = new RecordingSink({
      kind: 'logging',
      clock,
      target: series,
      startUnixUs,
      numberOf: (slot) => this.#numbers[slot] as number,
      onBlocked: (defect) => this.#blocked(defect),
      onEnd: () => this.#complete(),
    });
    return { request, startedAtUs: startUnixUs, series, sink };
  }

  /** The port can have been reopened, so its current name is used. */
  #nameOf(channel: number): string {
    const recorded = [...this.#recorded.values()].findLast((one) => one.channel === channel);
    if (!recorded) return '';
    const { name, selector } = recorded;
    return name === null ? selector : `${name} (${selector})`;
  }

  #include({ slot, selector, name, number }: RecorderChannel): void {
    this.#recorded.set(slot, { channel: number, slot, selector, name });
  }

  #watch({ request, series }: Recording): void {
    const { clock } = this.#options;
    const syncMs = request.sync_seconds * 1000;
    const flush = (): void => {
      series.flush();
      series.expire();
    };
    this.#timers.push(
      new RepeatedTimer(clock, checkMs, () => this.#check()),
      new RepeatedTimer(clock, syncMs * flushShare, flush),
      new RepeatedTimer(clock, syncMs * syncShare, () => series.sync()),
    );
  }

  #check(): void {
    if (this.#state === 'waiting') this.#retry();
    const reason = this.#recording?.series.lossReason() ?? null;
    if (reason !== null) this.#lose(reason);
    if (this.#isActive) this.#options.onProgress(this.record());
  }

  /** A moved file is still completed. */
  #lose(reason: string): void {
    const { series, sink, request } = this.#recording as Recording;
    sink.writeAll();
    // After a failure the file is already complete.
    if (!this.#isActive) return;
    if (series.hasNumber) series.leave();
    else {
      series.complete();
      this.#end(fileFailure(request.file, reason));
    }
  }

  #blocked(defect: BusbarError | undefined): void {
    const { series, request } = this.#recording as Recording;
    if (defect) {
      this.#options.onDefect(defect.cause ?? defect);
      this.#end(defect);
      return;
    }
    const error = series.blockedBy;
    if (request.name === null) {
      series.complete();
      this.#end(error ?? undefined);
      return;
    }
    this.#state = 'waiting';
    this.#error = error?.toRecord() ?? null;
  }

  #retry(): void {
    const { series, sink } = this.#recording as Recording;
    if (!series.retry()) {
      this.#error = series.blockedBy?.toRecord() ?? null;
      return;
    }
    this.#state = 'running';
    this.#error = null;
    sink.resume();
    this.#subscription?.resume();
  }

  #complete(): void {
    if (!this.#isActive) return;
    const { series, sink, request } = this.#recording as Recording;
    this.#unwritten += sink.waiting + series.pending;
    const { frames } = series;
    const reason = series.finish();
    this.#unwritten -= series.frames - frames;
    this.#end(reason ? fileFailure(request.file, reason) : undefined);
  }

  #end(error: BusbarError | undefined): void {
    if (!this.#isActive) return;
    this.#state = error ? 'failed' : 'idle';
    this.#error = error?.toRecord() ?? null;
    this.#stoppedAtUs = this.#options.clock.unixUs();
    for (const timer of this.#timers.splice(0)) timer.cancel();
    this.#recording?.sink.close();
    this.#subscription?.close();
    this.#recording?.series.close();
    this.#options.onEnded(this.record());
  }
}
