import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, type Remote } from '../../base/threads/rpc-port.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { type ChunkCounts, ChunkDecoder, type ChunkTimes } from '../decode/chunk-decoder.ts';
import type { DecodeSettings } from '../decode/decode-settings.ts';
import type { LongPayload } from '../decode/long-payloads.ts';
import type { TablePart } from '../table-format.ts';
import type { DecoderThreads } from './decoder-threads.ts';

export interface DecodedChunk {
  readonly parts: readonly TablePart[];
  readonly counts: ChunkCounts;
  /** The buffer of the batch, to be filled again. */
  readonly buffer: ArrayBuffer;
}

export type ChunkRpc = {
  prepare(settings: DecodeSettings): void;
  decodeChunk(
    buffer: ArrayBuffer,
    count: number,
    times: ChunkTimes,
    names: readonly (readonly [number, string])[],
    long: readonly LongPayload[],
  ): DecodedChunk;
};

/** Chunks decoded by a thread. */
export const offerChunks = (): ChunkRpc => {
  let decoder: ChunkDecoder | undefined;
  return {
    prepare: (settings) => {
      decoder = new ChunkDecoder(settings);
    },
    decodeChunk: (buffer, count, times, names, long) => {
      if (!decoder) throw new BusbarError('internal_error');
      const batch = new TraceBatch(buffer);
      batch.count = count;
      const parts: TablePart[] = [];
      const counts = decoder.decode(batch, times, new Map(names), long, (part) =>
        parts.push({ ...part, bytes: part.bytes.slice() }),
      );
      const chunk = { parts, counts, buffer };
      return moving(chunk, [buffer, ...parts.map(({ bytes }) => bytes.buffer)]);
    },
  };
};

/** Threads that decode chunks. Chunks are given to them in turn. */
export class DecodePool {
  /** Chunks that are decoded or wait at a time. */
  readonly depth: number;
  readonly #threads: DecoderThreads<ChunkRpc>;
  #next = 0;

  constructor(threads: DecoderThreads<ChunkRpc>, settings: DecodeSettings) {
    this.#threads = threads;
    this.depth = threads.remotes.length + 1;
    for (const remote of threads.remotes) {
      void remote.prepare(settings).catch(() => undefined);
    }
  }

  decode(
    buffer: ArrayBuffer,
    count: number,
    times: ChunkTimes,
    names: readonly (readonly [number, string])[],
    long: readonly LongPayload[],
  ): Promise<DecodedChunk> {
    const { remotes, failure } = this.#threads;
    const remote = remotes[this.#next] as Remote<ChunkRpc>;
    this.#next = (this.#next + 1) % remotes.length;
    return Promise.race([
      remote.decodeChunk(moving(buffer, [buffer]), count, times, names, long),
      failure,
    ]);
  }
}
