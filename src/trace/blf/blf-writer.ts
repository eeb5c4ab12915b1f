import { busCode } from '../../frame/frm2-layout.ts';
import type { TraceBatch } from '../trace-batch.ts';
import type { ByteSink, TraceWriteOptions, TraceWriter } from '../trace-format.ts';
import { refuseInvalidStart } from '../trace-start.ts';
import { fileHeaderSize } from './blf-layout.ts';
import { type Compression, ContainerWriter } from './container-writer.ts';
import { encodeCan, encodeChannelName, encodeComment, encodeRemark } from './encode-can.ts';
import { encodeLin, isSyncErrorWithoutEdges } from './encode-lin.ts';
import { fileHeaderBytes } from './file-header.ts';

const nsPerMs = 1e6;
/** Maximum of 64 bits (584 years), minus rounding. */
const lastTimeNs = 2 ** 64 - 2 ** 12;
/** The object that names a channel has one byte for its number. */
const maxNamedChannel = 0xff;

export type HoldingWriter = TraceWriter &
  Required<Pick<TraceWriter, 'describe' | 'held' | 'flush' | 'keep' | 'discard'>>;

/**
 * Writes BLF. Unlike other formats, BLF buffers data until a 128 KiB container is full, or until
 * `flush` or `end`, because small containers compress badly. An interrupted recording loses no more
 * than that. Without `rewrite`, sizes and counts in the header stay 0, which all readers accept.
 */
export class BlfWriter implements HoldingWriter {
  clamped = 0;
  readonly unwritten: Record<string, number> = {};
  readonly #sink: ByteSink;
  readonly #channelName: TraceWriteOptions['channelName'];
  readonly #containers: ContainerWriter;
  readonly #level: number;
  readonly #startUnixMs: number = Number.NaN;
  /** Nanoseconds below the header's millisecond, added to every time. */
  readonly #startRestNs: number = 0;
  readonly #namedCan = new Uint8Array(maxNamedChannel + 1);
  readonly #namedLin = new Uint8Array(maxNamedChannel + 1);

  /** Without a compression, containers are stored as they are. */
  constructor(
    sink: ByteSink,
    { startUnixUs, channelName }: TraceWriteOptions,
    compression: Compression | null,
  ) {
    this.#sink = sink;
    this.#channelName = channelName;
    this.#level = compression?.level ?? 0;
    this.#containers = new ContainerWriter(sink, fileHeaderSize, compression);
    if (startUnixUs !== null) {
      refuseInvalidStart('blf', startUnixUs);
      this.#startUnixMs = Math.floor(startUnixUs / 1000);
      this.#startRestNs = (startUnixUs - this.#startUnixMs * 1000) * 1000;
    }
    sink.write(fileHeaderBytes(this.#startUnixMs, this.#level));
  }

  write(batch: TraceBatch, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      const ownTimeNs = this.#fileTimeNs(batch.timeNs[row] as number);
      if (ownTimeNs < 0) this.clamped += 1;
      const timeNs = Math.max(0, ownTimeNs);
      const bus = batch.bus[row] as number;
      if (timeNs > lastTimeNs) {
        this.#leaveOut('too_late');
        continue;
      }
      if (bus === busCode.lin && isSyncErrorWithoutEdges(batch, row)) {
        this.#leaveOut('lin_sync_error_without_edges');
        continue;
      }
      this.#name(batch.channel[row] as number, bus, timeNs);
      if (bus === busCode.lin) encodeLin(this.#containers, batch, row, timeNs);
      else encodeCan(this.#containers, batch, row, timeNs);
    }
  }

  note(timeNs: number, text: string): void {
    encodeComment(this.#containers, this.#noteTimeNs(timeNs), text);
  }

  describe(timeNs: number, text: string): void {
    encodeRemark(this.#containers, this.#noteTimeNs(timeNs), text);
  }

  get held(): number {
    return this.#containers.held;
  }

  flush(): void {
    this.#containers.flush();
  }

  keep(): void {
    this.#containers.keep();
  }

  discard(): void {
    this.#containers.discard();
  }

  end(): void {
    const containers = this.#containers;
    containers.flush();
    const { fileSize, uncompressedSize, objectCount } = containers;
    const lastObjectUnixMs = this.#startUnixMs + Math.floor(containers.lastTimeNs / nsPerMs);
    this.#sink.rewrite?.(
      0,
      fileHeaderBytes(this.#startUnixMs, this.#level, {
        fileSize,
        uncompressedSize,
        objectCount,
        lastObjectUnixMs,
      }),
    );
  }

  #leaveOut(reason: string): void {
    this.unwritten[reason] = (this.unwritten[reason] ?? 0) + 1;
  }

  #noteTimeNs(timeNs: number): number {
    return Math.min(Math.max(0, this.#fileTimeNs(timeNs)), lastTimeNs);
  }

  #fileTimeNs(timeNs: number): number {
    return Math.round(timeNs) + this.#startRestNs;
  }

  #name(channel: number, bus: number, timeNs: number): void {
    const named = bus === busCode.lin ? this.#namedLin : this.#namedCan;
    if (named[channel] !== 0) return;
    named[channel] = 1;
    const name = this.#channelName(channel, bus);
    if (name !== null) encodeChannelName(this.#containers, timeNs, channel, bus, name);
  }
}
