import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, type Remote } from '../../base/threads/rpc-port.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { ByteBuffer } from '../bytes/byte-buffer.ts';
import { type ChunkCounts, ChunkDecoder, type ChunkTimes } from '../decode/chunk-decoder.ts';
import type { DecodeSettings } from '../decode/decode-settings.ts';
import type { LongPayload } from '../decode/long-payloads.ts';
import type { WrittenPart } from '../table-format.ts';
import type { DecoderThreads } from './decoder-threads.ts';

export interface Chunk {
  /** Of the batch. */
  readonly buffer: ArrayBuffer;
  readonly count: number;
  readonly times: ChunkTimes;
  readonly names: readonly (readonly [number, string])[];
  readonly long: readonly LongPayload[];
  /** For the parts; replaced if it is too small. */
  readonly output: ArrayBuffer;
}

/** Both buffers are to be used again. */
export interface DecodedChunk {
  /** The parts are in the output, one after another. */
  readonly parts: readonly WrittenPart[];
  readonly counts: ChunkCounts;
  readonly buffer: ArrayBuffer;
  readonly output: ArrayBuffer;
}

export type ChunkRpc = {
  prepare(settings: DecodeSettings): void;
  decodeChunk(chunk: Chunk): DecodedChunk;
};

const decodeChunk = (
  decoder: ChunkDecoder,
  { buffer, count, times, names, long, output }: Chunk,
): DecodedChunk => {
  const batch = new TraceBatch(buffer);
  batch.count = count;
  const out = new ByteBuffer(output);
  const parts: WrittenPart[] = [];
  const counts = decoder.decode(batch, times, new Map(names), long, ({ bytes, rows, chunks }) => {
    out.put(bytes);
    parts.push({ length: bytes.length, rows, chunks });
  });
  return { parts, counts, buffer, output: out.bytes.buffer };
};

/** Chunks decoded by a thread. */
export const offerChunks = (): ChunkRpc => {
  let decoder: ChunkDecoder | undefined;
  return {
    prepare: (settings) => {
      decoder = new ChunkDecoder(settings);
    },
    decodeChunk: (chunk) => {
      if (!decoder) throw new BusbarError('internal_error');
      const decoded = decodeChunk(decoder, chunk);
      return moving(decoded, [decoded.buffer, decoded.output]);
    },
  };
};

/** Chunks that a thread has: one that it decodes, and enough until it is given more. */
const chunksPerThread = 3;
/** Chunks that wait for those of threads, which are before them in the table. */
const chunksHere = 4;

/** Decodes chunks in threads, and in this one while these are busy or start. */
export class DecodePool {
  /** Chunks that are decoded or wait at most. */
  readonly depth: number;
  readonly #failure: Promise<never>;
  readonly #here: ChunkDecoder;
  /** Chunks by the threads that are ready. */
  readonly #load = new Map<Remote<ChunkRpc>, number>();

  constructor({ remotes, failure }: DecoderThreads<ChunkRpc>, settings: DecodeSettings) {
    this.#here = new ChunkDecoder(settings);
    this.#failure = failure;
    this.depth = remotes.length * chunksPerThread + chunksHere;
    for (const remote of remotes) {
      remote.prepare(settings).then(
        () => this.#load.set(remote, 0),
        () => undefined,
      );
    }
  }

  decode(chunk: Chunk): Promise<DecodedChunk> {
    for (const [remote, load] of this.#load) {
      if (load < chunksPerThread) return this.#decodeIn(remote, chunk);
    }
    return Promise.resolve(decodeChunk(this.#here, chunk));
  }

  #decodeIn(remote: Remote<ChunkRpc>, chunk: Chunk): Promise<DecodedChunk> {
    const addLoad = (change: number): void => {
      this.#load.set(remote, (this.#load.get(remote) ?? 0) + change);
    };
    addLoad(1);
    const answer = remote.decodeChunk(moving(chunk, [chunk.buffer, chunk.output]));
    answer.then(
      () => addLoad(-1),
      () => undefined,
    );
    const decoded = Promise.race([answer, this.#failure]);
    // It can fail while an earlier one is awaited.
    decoded.catch(() => undefined);
    return decoded;
  }
}
