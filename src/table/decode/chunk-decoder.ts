import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { channelKeyAt } from '../../trace/channel-key.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { TableEncoder, TablePart } from '../table-format.ts';
import { tables } from '../tables.ts';
import { ChannelDecoder } from './channel-decoder.ts';
import { ChosenMessages } from './chosen-messages.ts';
import type { DecodeSettings } from './decode-settings.ts';
import { HeldRows } from './held-rows.ts';
import type { LongPayload } from './long-payloads.ts';
import { isDecodable } from './sample-frames.ts';

export interface ChunkTimes {
  readonly startUnixUs: number;
  readonly fromUs: number;
  readonly toUs: number;
}

export type EmitPart = (part: TablePart) => void;

/** Frames and samples of a chunk. */
export interface ChunkCounts {
  readonly decoded: number;
  readonly pdus: number;
  readonly notChosen: number;
  readonly outside: number;
  readonly unusable: number;
  readonly samples: number;
  readonly unknown: number;
  readonly unknownIncomplete: boolean;
  readonly unknownIds: Float64Array<ArrayBuffer>;
}

const minFrames = 256;
const maxFrames = 65_536;

/** Frames of a chunk: as many as one part has samples for. */
export const framesPerChunk = ({ format }: DecodeSettings, maxSignals: number): number => {
  const frames = Math.floor(tables[format].samplesPerPart / maxSignals);
  return Math.max(minFrames, Math.min(maxFrames, frames));
};

/** Unix time of an event; beyond 2^53 nanoseconds it is rounded as the summary does. */
export const eventTimeUs = (startUnixUs: number, timeNs: number): number =>
  startUnixUs +
  (Number.isSafeInteger(timeNs) ? Math.floor(timeNs / 1000) : Math.round(timeNs / 1000));

const severalChannels = (message: string): never => {
  throw invalidArgument(
    'databases',
    `${message} is on several channels: add the channel to its database, as in file.dbc@1`,
    { reason: 'several_channels', message },
  );
};

/** Turns chunks of a trace into parts of a table, in any thread. */
export class ChunkDecoder {
  readonly #decoder: ChannelDecoder;
  readonly #encoder: TableEncoder;
  readonly #samples: SampleBatch;
  readonly #signals: number;
  readonly #held: HeldRows | null;

  constructor(settings: DecodeSettings, messages = new ChosenMessages(settings)) {
    const { format, everyUs } = settings;
    this.#signals = messages.maxSignals;
    this.#encoder = tables[format].encoder(messages.shapeFor(settings));
    const capacity = Math.max(tables[format].samplesPerPart, minFrames * messages.maxSignals);
    // The samples of a chunk are held together, and each of its frames can end a long payload.
    const held = everyUs !== null && messages.hasGroups ? 2 : 1;
    const onOtherChannel = everyUs === null ? null : severalChannels;
    this.#decoder = new ChannelDecoder(messages, capacity * held, onOtherChannel);
    this.#samples = this.#decoder.samples;
    this.#held =
      everyUs === null
        ? null
        : new HeldRows(everyUs, this.#samples.series, messages.columns.length);
  }

  decode(
    batch: TraceBatch,
    times: ChunkTimes,
    names: ReadonlyMap<number, string>,
    long: readonly LongPayload[],
    emit: EmitPart,
  ): ChunkCounts {
    const decoder = this.#decoder;
    const samples = this.#samples;
    const view = new DataView(batch.buffer, batch.payload.byteOffset, batch.payload.length);
    let outside = 0;
    let unusable = 0;
    let made = 0;
    let nextLong = 0;
    const makeRoom = (): void => {
      if (samples.hasRoomFor(this.#signals)) return;
      made += samples.count;
      this.#encode(emit);
    };
    decoder.begin(batch, times);
    for (let row = 0; ; row++) {
      row = decoder.decodeRows(row, Math.min(long[nextLong]?.row ?? batch.count, batch.count));
      if (row === batch.count) break;
      const timeUs = eventTimeUs(times.startUnixUs, batch.timeNs[row] as number);
      if (timeUs < times.fromUs || timeUs >= times.toUs) {
        outside++;
        continue;
      }
      if (!isDecodable(batch, row)) {
        unusable++;
        continue;
      }
      makeRoom();
      const key = channelKeyAt(batch, row);
      decoder.decode(
        key,
        names,
        batch.id[row] as number,
        ((batch.flags[row] as number) & frameFlag.extended) !== 0,
        view,
        row * maxFdLength,
        batch.length[row] as number,
        timeUs,
        row,
      );
      while (nextLong < long.length && (long[nextLong] as LongPayload).row < row) nextLong++;
      const payload = long[nextLong];
      if (payload?.row !== row) continue;
      makeRoom();
      decoder.decodeLong(key, names, payload, timeUs);
    }
    made += samples.count;
    this.#encode(emit);
    const { unknown } = decoder;
    const counts: ChunkCounts = {
      decoded: decoder.decoded,
      pdus: decoder.pdus,
      notChosen: decoder.notChosen,
      outside,
      unusable,
      samples: made,
      unknown: unknown.frames,
      unknownIncomplete: unknown.isIncomplete,
      unknownIds: unknown.entries,
    };
    unknown.clear();
    decoder.decoded = 0;
    decoder.pdus = 0;
    decoder.notChosen = 0;
    return counts;
  }

  /**
   * In a table with equal intervals, yields the rows up to the last frame of the chunk, of which
   * a pause makes many.
   */
  *heldParts(): Generator<TablePart> {
    if (this.#held === null) return;
    for (const rows of this.#held.take(this.#samples)) yield this.#encoder.encode(rows);
    this.#samples.clear();
  }

  /** Yields the rows that end with the trace. */
  *finish(): Generator<TablePart> {
    for (const rows of this.#held?.finish() ?? []) yield this.#encoder.encode(rows);
  }

  #encode(emit: EmitPart): void {
    const samples = this.#samples;
    if (samples.count === 0 || this.#held !== null) return;
    emit(this.#encoder.encode(samples));
    samples.clear();
  }
}
