import type { YieldQueue } from '../clock/yield-queue.ts';
import { BusbarError } from '../errors/busbar-error.ts';
import type { Scratch, ScratchPool } from '../scratch-pool.ts';
import { JsonText } from './json-text.ts';

/**
 * A large value serialized while it is sent. The next slice is written when there is room and
 * others had their turn; a slice takes well below a millisecond. It is always closed.
 */
export abstract class SlicedJson {
  /** Works towards the first byte in turns; true when it is available. */
  prepare(): boolean {
    return true;
  }

  /** Writes the next bytes; returns how many, 0 at the end. */
  abstract writeInto(scratch: Scratch): number;

  abstract close(): void;
}

export interface GatherOptions {
  readonly turns: YieldQueue;
  readonly scratch: ScratchPool;
  readonly signal?: AbortSignal;
}

/** An answer that may be sliced, as one value. */
export const inOnePiece = (answer: unknown, options: GatherOptions): unknown =>
  answer instanceof SlicedJson ? gather(answer, options) : answer;

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
    pool.free(scratch);
  }
};
