import type { YieldQueue } from '../clock/yield-queue.ts';
import { BusbarError } from '../errors/busbar-error.ts';
import type { Scratch, ScratchPool } from '../scratch-pool.ts';
import { JsonText } from './json-text.ts';

/**
 * A large value that is serialized while it is sent. A slice takes well below a millisecond and
 * is written when the output has room. The owner must call `close`.
 */
export abstract class SlicedJson {
  prepare(): boolean {
    return true;
  }

  abstract writeInto(scratch: Scratch): number;

  abstract close(): void;
}

export interface GatherOptions {
  readonly turns: YieldQueue;
  readonly scratch: ScratchPool;
  readonly signal?: AbortSignal;
}

/** Returns an answer as one value, even if it is sliced. */
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
