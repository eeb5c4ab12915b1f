import { Deferred } from '../../../base/deferred.ts';
import { BusbarError } from '../../../base/errors/busbar-error.ts';
import { lengthToDlc, maxFdLength } from '../../../frame/dlc.ts';
import { busCode, frameFlag } from '../../../frame/frm2-layout.ts';
import { TraceBatch } from '../../../trace/trace-batch.ts';
import type { TraceFormat } from '../../../trace/trace-format.ts';
import { MappedChannels } from '../mapped-channels.ts';
import { IdChanges } from '../replay-ids.ts';
import {
  rowChannel,
  type TraceOrder,
  type TracePiece,
  type TraceSource,
  type TraceStream,
} from '../trace-stream.ts';

/** An event of a trace, in the notation of the tests. */
export interface TracedEvent {
  readonly atUs: number;
  readonly id: number;
  readonly channel?: number;
  readonly data?: readonly number[];
  readonly flags?: number;
  /** Bits of `traceDetail`. */
  readonly detail?: number;
  readonly bus?: keyof typeof busCode;
  readonly sent?: boolean;
  /** Only if it differs from the length of the data. */
  readonly dlc?: number;
}

const append = (batch: TraceBatch, event: TracedEvent): void => {
  const { atUs, id, channel = 1, data = [], flags = 0, bus = 'can', sent = false } = event;
  const row = batch.count++;
  batch.timeNs[row] = atUs * 1000;
  batch.id[row] = id;
  batch.flags[row] = flags;
  batch.channel[row] = channel;
  batch.kind[row] = sent ? 2 : 1;
  batch.bus[row] = busCode[bus];
  batch.dlc[row] = event.dlc ?? lengthToDlc(data.length, (flags & frameFlag.fd) !== 0);
  batch.length[row] = data.length;
  batch.detail[row] = event.detail ?? 0;
  batch.payload.set(data, row * maxFdLength);
};

export interface MemoryTraceOptions {
  readonly events: readonly TracedEvent[];
  readonly format?: TraceFormat;
  /** Events of a batch, in steps of eight. */
  readonly batchSize?: number;
  readonly channelNames?: readonly (readonly [key: number, name: string])[];
  readonly malformed?: number;
  readonly skipped?: TracePiece['skipped'];
  readonly truncated?: boolean;
  /** Identifiers of events that the filter excludes. */
  readonly filtered?: readonly number[];
  /** Channels are not searched for before the start, as when this takes too long. */
  readonly isUnsearched?: boolean;
}

/** Traces in memory, whose reader can be slow or end unexpectedly. */
export class MemoryTraces implements TraceSource {
  readonly opened: MemoryTrace[] = [];
  readonly #options: MemoryTraceOptions;
  refusal: BusbarError | undefined;
  /** Called while a trace is being opened. */
  onOpening: () => Promise<void> = async () => undefined;

  constructor(options: MemoryTraceOptions) {
    this.#options = options;
  }

  async open(order: TraceOrder): Promise<TraceStream> {
    await this.onOpening();
    if (this.refusal) throw this.refusal;
    const trace = new MemoryTrace(this.#options, order);
    this.opened.push(trace);
    return trace;
  }

  get last(): MemoryTrace {
    const trace = this.opened.at(-1);
    if (!trace) throw new TypeError('No trace was opened');
    return trace;
  }
}

export class MemoryTrace implements TraceStream {
  readonly format: TraceFormat;
  readonly size: number;
  readonly identities = [{ device: 1n, inode: 1n }];
  readonly order: TraceOrder;
  readonly #options: MemoryTraceOptions;
  readonly #channels: MappedChannels;
  readonly #ids: IdChanges;
  #lapsLeft: number;
  readonly #held: Deferred<void>[] = [];
  readonly #buffers = new Set<ArrayBuffer>();
  #next = 0;
  #isOver = false;
  isClosed = false;
  /** Pieces wait until they are released. */
  isHeld = false;
  /** Makes all further reads fail. */
  failure: BusbarError | undefined;
  reads = 0;

  constructor(options: MemoryTraceOptions, order: TraceOrder) {
    this.#options = options;
    this.order = order;
    this.#lapsLeft = order.laps;
    this.#ids = new IdChanges(order.ids);
    this.format = options.format ?? 'asc';
    this.#channels = this.#mappedChannels();
    this.#channels.check();
    this.size = options.events.length * 10;
  }

  /** Number of buffers ever created. */
  get buffers(): number {
    return this.#buffers.size;
  }

  async read(spare: ArrayBuffer | null): Promise<TracePiece> {
    this.reads += 1;
    if (this.isHeld) {
      const gate = new Deferred<void>();
      this.#held.push(gate);
      await gate.promise;
    }
    if (this.failure) throw this.failure;
    return this.#piece(new TraceBatch(spare ?? this.#options.batchSize ?? 64));
  }

  async findChannels(): Promise<void> {
    const { events, isUnsearched = false } = this.#options;
    if (isUnsearched) return;
    const batch = new TraceBatch(events.length);
    for (const event of events) append(batch, event);
    const channels = this.#mappedChannels();
    channels.files[0]?.route(batch);
    if (channels.refusal) throw channels.refusal;
  }

  /** Releases the oldest waiting piece. */
  release(): void {
    this.#held.shift()?.resolve();
  }

  /** Its reader ends with all pending requests. */
  die(): void {
    this.failure = new BusbarError('internal_error');
    for (const gate of this.#held.splice(0)) gate.resolve();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  #filter(batch: TraceBatch): void {
    const { filtered = [] } = this.#options;
    for (let row = 0; row < batch.count; row++) {
      if (filtered.includes(batch.id[row] as number)) batch.channel[row] = rowChannel.filtered;
    }
  }

  #mappedChannels(): MappedChannels {
    const [file = ''] = this.order.files;
    const channels = new MappedChannels(this.order.mapped, [{ file, format: this.format }]);
    channels.files[0]?.learn(this.#options.channelNames ?? []);
    return channels;
  }

  #piece(batch: TraceBatch): TracePiece {
    this.#buffers.add(batch.buffer);
    const { events, malformed = 0, skipped = {} } = this.#options;
    const facts = { buffer: batch.buffer, malformed, skipped, truncated: false };
    if (this.#next === events.length) {
      const [first] = events;
      const last = events.at(-1);
      const durationUs = first && last ? last.atUs - first.atUs : 0;
      if (this.#channels.refusal) throw this.#channels.refusal;
      if (!this.#isOver) this.#lapsLeft -= 1;
      const kind = this.#lapsLeft > 0 && events.length > 0 && !this.#isOver ? 'lap' : 'end';
      if (kind === 'lap') this.#next = 0;
      else this.#isOver = true;
      const { truncated = false } = this.#options;
      return { ...facts, kind, count: 0, position: this.size, durationUs, truncated };
    }
    for (; !batch.isFull && this.#next < events.length; this.#next++) {
      append(batch, events[this.#next] as TracedEvent);
    }
    this.#channels.files[0]?.route(batch);
    this.#filter(batch);
    this.#ids.apply(batch);
    const position = this.#next * 10;
    return { ...facts, kind: 'events', count: batch.count, position, durationUs: null };
  }
}
