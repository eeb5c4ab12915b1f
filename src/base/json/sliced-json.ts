import type { LoopTurns } from '../clock/loop-turns.ts';
import { BusbarError } from '../errors/busbar-error.ts';
import type { Scratch, ScratchPool } from '../scratch-pool.ts';
import { JsonText } from './json-text.ts';

/**
 * A large value that is written as JSON while it is sent. Who answers with one has the next slice
 * written when there is room for it and others have had their turn: a slice takes well below a
 * millisecond. It is closed in the end, whether or not all of it was written.
 */
export abstract class SlicedJson {
  /** Works towards the first byte, in turns of the same length; true when there can be one. */
  prepare(): boolean {
    return true;
  }

  /** Writes the bytes that follow from the start of the memory; how many, 0 after the last. */
  abstract writeInto(scratch: Scratch): number;

  /** Lets go of what it holds. */
  abstract close(): void;
}

export interface GatherOptions {
  readonly turns: LoopTurns;
  readonly scratch: ScratchPool;
  /** Aborted when the client wants it no longer. */
  readonly signal?: AbortSignal;
}

/** An answer that may be written in slices, as one that is not. */
export const inOnePiece = (answer: unknown, options: GatherOptions): unknown =>
  answer instanceof SlicedJson ? gather(answer, options) : answer;

/** All slices in one piece, each written in a turn of its own. */
export const gather = async (
  json: SlicedJson,
  { turns, scratch: pool, signal }: GatherOptions,
): Promise<JsonText> => {
  const slices: Uint8Array[] = [];
  const scratch = pool.take();
  try {
    let isReady = false;
    for (;;) {
      if (signal?.aborted) throw new BusbarError('operation_cancelled');
      isReady ||= json.prepare();
      if (!isReady) {
        await turns.next();
        continue;
      }
      const length = json.writeInto(scratch);
      if (length === 0) return new JsonText(Buffer.concat(slices));
      slices.push(Buffer.from(scratch.bytes.subarray(0, length)));
      await turns.next();
    }
  } finally {
    json.close();
    pool.giveBack(scratch);
  }
};
