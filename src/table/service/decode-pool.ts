import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, type Remote } from '../../base/threads/rpc-port.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { type ChunkCounts, ChunkDecoder, type ChunkTimes } from '../decode/chunk-decoder.ts';
import type { DecodeSettings } from '../decode/decode-settings.ts';
import type { LongPayload } from '../decode/long-payloads.ts';
import type { WrittenPart } from '../table-format.ts';
import type { DecoderThreads } from './decoder-threads.ts';
import { FileTurns, type OpenOutput, type TurnFile, turnFile } from './file-turns.ts';

export interface DecodedChunk {
  readonly parts: readonly WrittenPart[];
  readonly counts: ChunkCounts;
  /** The buffer of the batch, to be filled again. */
  readonly buffer: ArrayBuffer;
}

export type ChunkRpc = {
  prepare(settings: DecodeSettings, file: TurnFile): void;
  /** Writes the parts of a chunk to the file in its turn. */
  decodeChunk(
    turn: number,
    buffer: ArrayBuffer,
    count: number,
    times: ChunkTimes,
    names: readonly (readonly [number, string])[],
    long: readonly LongPayload[],
  ): DecodedChunk;
};

/** Chunks decoded by a thread. */
export const offerChunks = (): ChunkRpc => {
  let prepared: { readonly decoder: ChunkDecoder; readonly turns: FileTurns } | undefined;
  return {
    prepare: (settings, file) => {
      prepared = { decoder: new ChunkDecoder(settings), turns: new FileTurns(file) };
    },
    decodeChunk: (turn, buffer, count, times, names, long) => {
      if (!prepared) throw new BusbarError('internal_error');
      const { decoder, turns } = prepared;
      const batch = new TraceBatch(buffer);
      batch.count = count;
      const parts: WrittenPart[] = [];
      const counts = decoder.decode(
        batch,
        times,
        new Map(names),
        long,
        ({ bytes, rows, chunks }) => {
          turns.write(turn, bytes);
          parts.push({ length: bytes.length, rows, chunks });
        },
      );
      turns.end(turn);
      return moving({ parts, counts, buffer }, [buffer]);
    },
  };
};

/** Threads that decode chunks. Chunks are given to them in turn. */
export class DecodePool {
  /** Chunks that are decoded or wait at a time. */
  readonly depth: number;
  readonly #threads: DecoderThreads<ChunkRpc>;
  readonly #settings: DecodeSettings;
  #turn = 0;

  constructor(threads: DecoderThreads<ChunkRpc>, settings: DecodeSettings) {
    this.#threads = threads;
    this.#settings = settings;
    this.depth = threads.remotes.length + 1;
  }

  begin(output: OpenOutput): void {
    const file = turnFile(output);
    for (const remote of this.#threads.remotes) {
      void remote.prepare(this.#settings, file).catch(() => undefined);
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
    const turn = this.#turn++;
    const remote = remotes[turn % remotes.length] as Remote<ChunkRpc>;
    const decoded = Promise.race([
      remote.decodeChunk(turn, moving(buffer, [buffer]), count, times, names, long),
      failure,
    ]);
    // It can fail while an earlier one is awaited.
    decoded.catch(() => undefined);
    return decoded;
  }
}
