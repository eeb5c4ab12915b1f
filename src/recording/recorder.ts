import type { Clock } from '../base/clock/clock.ts';
import { BusbarError, type ErrorRecord, invalidArgument } from '../base/errors/busbar-error.ts';
import type { SubscriptionHandle } from '../base/subscription.ts';
import type { BrokerMemory } from '../broker/broker-memory.ts';
import type { Bell } from '../broker/doorbell.ts';
import { ReaderHub } from '../broker/reader-hub.ts';
import { takeWatermark } from '../broker/reader-steps.ts';
import type { Consumer } from '../broker/retention-record.ts';
import { wholeRing } from '../broker/ring-cursor.ts';
import type { RingHandle } from '../broker/ring-memory.ts';
import type { CreateTrace } from '../trace/trace-format.ts';
import type { Compress, CountEvents } from './compress-file.ts';
import { FileSeries } from './file-series.ts';
import { PreTrigger } from './pre-trigger.ts';
import { minSplitBytes } from './recorder-settings.ts';
import { type FileCalls, fileFailure } from './recording-file.ts';
import type { RecordedChannel, RecorderStatus, RecordingFormat } from './recording-record.ts';
import type { RecordingRequest } from './recording-request.ts';
import { RecordingSink } from './recording-sink.ts';
import { RepeatedTimer } from './repeated-timer.ts';
import { NumberedFiles, SingleFile } from './series-files.ts';
import { compileTrigger } from './trigger-conditions.ts';
import { type EarlierEvents, TriggeredSeries } from './triggered-series.ts';

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
  readonly count: CountEvents;
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
  readonly triggered: TriggeredSeries | null;
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

/** How often a trigger lets time pass, and how late an event can be in its ring. */
const triggerMs = 100;
const lateNs = 500e6;

/** States of a recording. Logging has no state `waiting`: it fails. */
const activeStates: readonly RecorderStatus['state'][] = ['armed', 'running', 'waiting'];

/** Each file repeats the databases: most of it has to be events. */
const refuseCrowdedFiles = ({ embed_databases, databases, split }: RecordingRequest): void => {
  if (!embed_databases || split?.max_bytes === undefined) return;
  const bytes = databases.reduce((sum, { content }) => sum + content.length, 0);
  const minimum = minSplitBytes + 2 * bytes;
  if (bytes === 0 || minimum <= split.max_bytes) return;
  throw invalidArgument(
    'split.max_bytes',
    `split.max_bytes must be at least ${minimum}: each file contains the databases, of ${bytes} bytes`,
    { reason: 'too_small', minimum },
  );
};

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #hub: ReaderHub;
  readonly #open = new Map<number, RecorderChannel>();
  readonly #numbers = new Uint16Array(slotCount);
  readonly #recorded = new Map<number, RecordedChannel>();
  /** By the number of the channel. */
  readonly #isRecorded = new Uint8Array(slotCount);
  readonly #timers: RepeatedTimer[] = [];
  #recording: Recording | undefined;
  #subscription: SubscriptionHandle | undefined;
  #state: RecorderStatus['state'] = 'idle';
  #stoppedAtUs: number | null = null;
  #error: ErrorRecord | null = null;
  /** Events that were not passed on to a file when the recording ended. */
  #unwritten = 0;

  constructor(options: RecorderOptions) {
    const { memory, bell, clock, channels, onDefect } = options;
    this.#options = options;
    this.#hub = new ReaderHub({ memory, bell, clock, onDefect });
    for (const channel of channels) this.open(channel);
  }

  begin(request: RecordingRequest): RecorderStatus {
    const { slots, trigger } = request;
    const read = slots && [...new Set([...slots, ...(trigger?.slots ?? [])])];
    const missing = read?.find((slot) => !this.#open.has(slot));
    if (missing !== undefined) {
      throw new BusbarError('channel_not_open', { details: { channel: String(missing) } });
    }
    const recording = this.#start(request);
    for (const channel of this.#open.values()) {
      if (slots?.includes(channel.slot) ?? true) this.#include(channel);
    }
    const { sink } = recording;
    this.#recording = recording;
    this.#state = this.#activeState;
    this.#watch(recording);
    this.#subscription = this.#hub.subscribe({
      channels: read,
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
    if (!this.#open.has(slot)) return;
    this.#checkTrigger();
    this.#open.delete(slot);
    this.#hub.removeRing(slot);
    const slots = this.#recording?.request.slots;
    const isNamed = slots?.includes(slot);
    // A trigger alone can still read other channels.
    if (isNamed && !slots?.some((each) => this.#open.has(each))) {
      this.#subscription?.end('channel_closed');
    }
    // A channel without events is not listed.
    if (!isNamed && !this.#recording?.sink.hasSeen(slot)) this.#recorded.delete(slot);
  }

  finish(): RecorderStatus {
    if (this.#state === 'waiting') this.#retry();
    this.#checkTrigger();
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
    const { request, startedAtUs, series, triggered, sink } = this.#recording ?? {};
    // A recorder that waits has not received the gap yet.
    const lost = this.#subscription ? this.#hub.lostBy(this.#subscription) : 0;
    const gaps = (sink?.gaps ?? 0) + (triggered?.gaps ?? 0);
    return {
      state: this.#state,
      file: request?.file ?? null,
      format: request?.format ?? null,
      channels: [...this.#recorded.values()],
      frames: series?.frames ?? 0,
      bytes: series?.bytes ?? 0,
      gaps: lost > 0 ? gaps + 1 : gaps,
      missed: (sink?.missed ?? 0) + (series?.lost ?? 0) + lost + this.#unwritten,
      started_at_us: startedAtUs ?? null,
      stopped_at_us: this.#stoppedAtUs,
      error: this.#error,
      files: [...(series?.files ?? [])],
    };
  }

  get #isActive(): boolean {
    return activeStates.includes(this.#state);
  }

  get #activeState(): 'armed' | 'running' {
    return this.#recording?.triggered?.isRecording === false ? 'armed' : 'running';
  }

  #start(request: RecordingRequest): Recording {
    refuseCrowdedFiles(request);
    const { projectRoot, clock, calls, writers, compress, count } = this.#options;
    const { name, format } = request;
    const startUnixUs = clock.unixUs();
    const channelName = (channel: number): string => this.#nameOf(channel);
    const create = writers[format];
    const options = { clock, request, projectRoot, create, channelName, compress, count, calls };
    const files = name === null ? new SingleFile(options) : NumberedFiles.prepare(options, name);
    const series = new FileSeries({ request, clock, files, startUnixUs });
    const triggered = this.#triggered(request, series, startUnixUs);
    if (triggered?.isRecording === false) series.check();
    else series.open();
    const sink = new RecordingSink({
      kind: 'logging',
      clock,
      target: triggered ?? series,
      startUnixUs,
      numberOf: (slot) => this.#numbers[slot] as number,
      onBlocked: (defect) => this.#blocked(defect),
      onEnd: () => this.#complete(),
    });
    return { request, startedAtUs: startUnixUs, series, triggered, sink };
  }

  #triggered(
    request: RecordingRequest,
    series: FileSeries,
    startUnixUs: number,
  ): TriggeredSeries | null {
    const { trigger: settings, databases } = request;
    if (!settings) return null;
    const isRecorded = (channel: number): boolean => this.#isRecorded[channel] === 1;
    return new TriggeredSeries({
      trigger: compileTrigger(settings, { databases, startUnixUs, isRecorded }),
      settings,
      series,
      startUnixUs,
      isRecorded,
      readEarlier: (range) => this.#readEarlier(range),
      onChange: () => this.#changed(),
      onOver: () => this.#over(),
    });
  }

  #readEarlier({ fromNs, afterNs, row }: EarlierEvents): PreTrigger {
    const { request, startedAtUs, sink } = this.#recording as Recording;
    return new PreTrigger({
      hub: this.#hub,
      channels: request.slots?.filter((slot) => this.#open.has(slot)) ?? null,
      startUnixUs: startedAtUs,
      numberOf: (slot) => this.#numbers[slot] as number,
      fromNs,
      afterNs,
      newestId: sink.newestId,
      later: sink.idsFrom(row),
    });
  }

  #changed(): void {
    if (this.#state !== 'armed' && this.#state !== 'running') return;
    this.#state = this.#activeState;
    this.#options.onProgress(this.record());
  }

  /** Evaluates all that was published while the rings still have what came before it. */
  #checkTrigger(): void {
    const { triggered, sink } = this.#recording ?? {};
    if (!triggered || !sink || this.#state !== 'armed' || !this.#subscription) return;
    this.#hub.drain(this.#subscription);
    sink.writeAll();
  }

  /** Conditions and times of a trigger can be met without an event. */
  #passTime(): void {
    const { triggered, sink, startedAtUs } = this.#recording as Recording;
    if (!triggered || !this.#subscription || !this.#hub.drain(this.#subscription)) return;
    if (this.#state !== 'armed' && this.#state !== 'running') return;
    const nowNs = (this.#options.clock.unixUs() - startedAtUs) * 1000;
    try {
      triggered.advance(Math.min(nowNs - lateNs, sink.oldestNs));
      if (triggered.isBlocked) this.#blocked(undefined);
    } catch (thrown) {
      this.#blocked(BusbarError.from(thrown));
    }
  }

  /** The port can have been reopened, so its current name is used. */
  #nameOf(channel: number): string {
    const recorded = [...this.#recorded.values()].findLast((one) => one.channel === channel);
    if (!recorded) return '';
    const { name, selector } = recorded;
    return name === null ? selector : `${name} (${selector})`;
  }

  #include({ slot, selector, name, number }: RecorderChannel): void {
    this.#isRecorded[number] = 1;
    this.#recorded.set(slot, { channel: number, slot, selector, name });
  }

  #watch({ request, series, triggered }: Recording): void {
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
    if (triggered) this.#timers.push(new RepeatedTimer(clock, triggerMs, () => this.#passTime()));
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
      this.#fail(fileFailure(request.file, reason));
    }
  }

  #blocked(defect: BusbarError | undefined): void {
    const { series, request } = this.#recording as Recording;
    if (defect) {
      this.#options.onDefect(defect.cause ?? defect);
      this.#fail(defect);
      return;
    }
    const error = series.blockedBy;
    if (request.name === null) {
      series.complete();
      this.#fail(error ?? undefined);
      return;
    }
    this.#state = 'waiting';
    this.#error = error?.toRecord() ?? null;
  }

  #retry(): void {
    const { series, triggered, sink } = this.#recording as Recording;
    if (!series.retry() || triggered?.resume() === false) {
      this.#error = series.blockedBy?.toRecord() ?? null;
      return;
    }
    // The trigger can have ended the recording.
    if (this.#state !== 'waiting') return;
    this.#state = this.#activeState;
    this.#error = null;
    sink.resume();
    this.#subscription?.resume();
  }

  #complete(): void {
    if (!this.#isActive) return;
    const { series, triggered, sink } = this.#recording as Recording;
    this.#endWith(() => {
      triggered?.finish();
      this.#unwritten += sink.waiting;
      return series.finish();
    });
  }

  #over(): void {
    const { series } = this.#recording as Recording;
    this.#endWith(() => series.finish());
  }

  /** Ends the recording, also where the disk or the format fails. */
  #endWith(finish: () => BusbarError | null): void {
    let failure: BusbarError | null;
    try {
      failure = finish();
    } catch (thrown) {
      this.#options.onDefect(thrown);
      failure = BusbarError.from(thrown);
    }
    const unsaved = this.#recording?.series.saveList() ?? null;
    this.#end(failure ?? undefined, unsaved);
  }

  /** Ends the recording. What was published until now and is in no file is lost. */
  #fail(error: BusbarError | undefined): void {
    const { sink } = this.#recording as Recording;
    this.#unwritten += sink.waiting;
    if (this.#subscription) {
      if (this.#hub.lostBy(this.#subscription) > 0) sink.gaps += 1;
      this.#unwritten += this.#hub.unreadBy(this.#subscription);
    }
    this.#end(error);
  }

  /** `unsaved`: why the list of files lacks some, although all events are in them. */
  #end(error: BusbarError | undefined, unsaved: BusbarError | null = null): void {
    if (!this.#isActive) return;
    this.#state = error ? 'failed' : 'idle';
    this.#error = (error ?? unsaved)?.toRecord() ?? null;
    this.#stoppedAtUs = this.#options.clock.unixUs();
    for (const timer of this.#timers.splice(0)) timer.cancel();
    this.#recording?.sink.close();
    this.#subscription?.close();
    this.#recording?.series.close();
    this.#options.onEnded(this.record());
  }
}
