import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, type Port, type Remote, RpcPort } from '../../base/threads/rpc-port.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { type ChunkCounts, ChunkDecoder, type ChunkTimes } from '../decode/chunk-decoder.ts';
import type { DecodeSettings } from '../decode/decode-settings.ts';
import type { LongPayload } from '../decode/long-payloads.ts';
import type { TablePart } from '../table-format.ts';

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

export interface DecodeThread extends Port {
  terminate(): Promise<unknown>;
}

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
  readonly #threads: readonly DecodeThread[];
  readonly #remotes: readonly Remote<ChunkRpc>[];
  readonly #failure: Promise<never>;
  #next = 0;

  constructor(
    jobs: number,
    settings: DecodeSettings,
    start: () => DecodeThread,
    onDefect: (thrown: unknown) => void,
  ) {
    this.depth = jobs + 1;
    this.#threads = Array.from({ length: jobs }, start);
    this.#failure = new Promise<never>((_, reject) => {
      for (const thread of this.#threads) {
        thread.on('error', (cause: unknown) => reject(threadEnded(cause)));
        thread.on('exit', () => reject(threadEnded(undefined)));
      }
    });
    this.#failure.catch(() => undefined);
    this.#remotes = this.#threads.map((thread) => {
      const { remote } = new RpcPort<ChunkRpc>(thread, {}, onDefect);
      void remote.prepare(settings).catch(() => undefined);
      return remote;
    });
  }

  decode(
    buffer: ArrayBuffer,
    count: number,
    times: ChunkTimes,
    names: readonly (readonly [number, string])[],
    long: readonly LongPayload[],
  ): Promise<DecodedChunk> {
    const remote = this.#remotes[this.#next] as Remote<ChunkRpc>;
    this.#next = (this.#next + 1) % this.#remotes.length;
    return Promise.race([
      remote.decodeChunk(moving(buffer, [buffer]), count, times, names, long),
      this.#failure,
    ]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}

const threadEnded = (cause: unknown): BusbarError =>
  new BusbarError('internal_error', {
    message: 'A thread that decodes the trace ended before it was done',
    cause,
  });
