import type { Clock, Timer } from '../base/clock/clock.ts';
import { BusbarError, type ErrorRecord } from '../base/errors/busbar-error.ts';
import type { FileIdentity } from '../base/files/file-identity.ts';
import type { SubscriptionHandle } from '../base/subscription.ts';
import type { BrokerMemory } from '../broker/broker-memory.ts';
import type { Bell } from '../broker/doorbell.ts';
import { ReaderHub } from '../broker/reader-hub.ts';
import { takeWatermark } from '../broker/reader-steps.ts';
import type { Consumer } from '../broker/retention-record.ts';
import { wholeRing } from '../broker/ring-cursor.ts';
import type { RingHandle } from '../broker/ring-memory.ts';
import type { CreateTrace } from '../trace/trace-format.ts';
import { type FileCalls, fileFailure, RecordingFile } from './recording-file.ts';
import type { RecordedChannel, RecordingRecord, recordingFormats } from './recording-record.ts';
import { RecordingSink } from './recording-sink.ts';
import { TraceFile } from './trace-file.ts';
export interface RecorderChannel {
  readonly slot: number;
  readonly selector: string;
  readonly name: string | null;
  readonly number: number;
  readonly ring: RingHandle;
}

export interface RecordingRequest {
  readonly file: string;
  readonly format: (typeof recordingFormats)[number];
  readonly overwrite: boolean;
  readonly slots: readonly number[] | null;
  readonly replayed?: readonly FileIdentity[];
}

export interface RecorderOptions {
  readonly memory: BrokerMemory;
  readonly bell: Bell;
  readonly clock: Clock;
  readonly channels: readonly RecorderChannel[];
  readonly projectRoot: string;
  readonly createTrace: CreateTrace;
  readonly onProgress: (record: RecordingRecord) => void;
  /** Called once: after a stop, without channels, or on failure. */
  readonly onEnded: (record: RecordingRecord) => void;
  readonly onDefect: (thrown: unknown) => void;
  readonly calls?: FileCalls;
}

interface Recording {
  readonly request: RecordingRequest;
  readonly startedAtUs: number;
  readonly file: RecordingFile;
  readonly trace: TraceFile;
  readonly sink: RecordingSink;
}

const slotCount = 65_536;
const checkMs = 1000;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #hub: ReaderHub;
  readonly #open = new Map<number, RecorderChannel>();
  readonly #numbers = new Uint16Array(slotCount);
  readonly #recorded = new Map<number, RecordedChannel>();
  #recording: Recording | undefined;
  #subscription: SubscriptionHandle | undefined;
  #check: Timer | undefined;
  #state: RecordingRecord['state'] = 'idle';
  #stoppedAtUs: number | null = null;
  #error: ErrorRecord | null = null;

  constructor(options: RecorderOptions) {
    const { memory, bell, clock, channels, onDefect } = options;
    this.#options = options;
    this.#hub = new ReaderHub({ memory, bell, clock, onDefect });
    for (const channel of channels) this.open(channel);
  }

  begin(request: RecordingRequest): RecordingRecord {
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
    this.#watch();
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

  finish(): RecordingRecord {
    this.#recording?.sink.endAfter(takeWatermark(this.#options.memory) - 1);
    for (const slot of this.#open.keys()) this.#hub.removeRing(slot);
    this.#open.clear();
    this.#hub.close();
    return this.record();
  }

  consumersOf(slot: number): readonly Consumer[] {
    return this.#hub.consumersOf(slot);
  }

  record(): RecordingRecord {
    const { request, startedAtUs, file, trace, sink } = this.#recording ?? {};
    return {
      state: this.#state,
      file: request?.file ?? null,
      format: request?.format ?? null,
      channels: [...this.#recorded.values()],
      frames: trace?.frames ?? 0,
      bytes: file?.size ?? 0,
      gaps: sink?.gaps ?? 0,
      missed: sink?.missed ?? 0,
      started_at_us: startedAtUs ?? null,
      stopped_at_us: this.#stoppedAtUs,
      error: this.#error,
    };
  }

  #start(request: RecordingRequest): Recording {
    const { projectRoot, clock, calls, createTrace } = this.#options;
    const file = RecordingFile.open({ projectRoot, ...request }, calls);
    try {
      const startUnixUs = clock.unixUs();
      const channelName = (channel: number): string => this.#nameOf(channel);
      const trace = new TraceFile(file, createTrace, { startUnixUs, channelName });
      if (!trace.begin()) throw fileFailure(request.file, trace.failure ?? '');
      const sink = new RecordingSink({
        clock,
        trace,
        startUnixUs,
        numberOf: (slot) => this.#numbers[slot] as number,
        onFailed: (defect) => this.#fail(defect),
        onEnd: () => this.#complete(),
      });
      return { request, startedAtUs: startUnixUs, file, trace, sink };
    } catch (thrown) {
      file.discard();
      throw thrown;
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
    this.#recorded.set(slot, { channel: number, slot, selector, name });
  }

  #watch(): void {
    if (this.#state !== 'running') return;
    this.#check = this.#options.clock.after(checkMs, () => {
      const reason = this.#recording?.file.lossReason() ?? null;
      if (reason === null) this.#options.onProgress(this.record());
      else this.#abandon(reason);
      this.#watch();
    });
  }

  /** A moved file is still completed. */
  #abandon(reason: string): void {
    const { trace, sink, request } = this.#recording ?? {};
    sink?.writeAll();
    // After a failure the file is already complete.
    if (this.#state !== 'running') return;
    trace?.end();
    this.#end(fileFailure(request?.file ?? '', reason));
  }

  #fail(defect: BusbarError | undefined): void {
    if (defect) this.#options.onDefect(defect.cause ?? defect);
    const { trace, request } = this.#recording ?? {};
    this.#end(defect ?? fileFailure(request?.file ?? '', trace?.failure ?? ''));
  }

  #complete(): void {
    if (this.#state !== 'running') return;
    const { trace, file, request } = this.#recording ?? {};
    const reason = trace?.end() ? file?.sync() : trace?.failure;
    this.#end(reason ? fileFailure(request?.file ?? '', reason) : undefined);
  }

  #end(error: BusbarError | undefined): void {
    if (this.#state !== 'running') return;
    this.#state = error ? 'failed' : 'idle';
    this.#error = error?.toRecord() ?? null;
    this.#stoppedAtUs = this.#options.clock.unixUs();
    this.#check?.cancel();
    this.#recording?.sink.close();
    this.#subscription?.close();
    this.#recording?.file.close();
    this.#options.onEnded(this.record());
  }
}
