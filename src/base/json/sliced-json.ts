import type { LoopTurns } from '../clock/loop-turns.ts';
import type { Scratch, ScratchPool } from '../scratch-pool.ts';
import { JsonText } from './json-text.ts';

/**
 * A large value that is written as JSON while it is sent. Who answers with one has the next slice
 * written when there is room for it and others have had their turn: a slice takes well below a
 * millisecond. It is closed in the end, whether or not all of it was written.
 */
export abstract class SlicedJson {
  /** Writes the bytes that follow from the start of the memory; how many, 0 after the last. */
  abstract writeInto(scratch: Scratch): number;

  /** Lets go of what it holds. */
  abstract close(): void;
}

/** All slices in one piece, each written in a turn of its own. */
export const gather = async (
  json: SlicedJson,
  turns: LoopTurns,
  pool: ScratchPool,
): Promise<JsonText> => {
  const slices: Uint8Array[] = [];
  const scratch = pool.take();
  try {
    for (let length = json.writeInto(scratch); length > 0; length = json.writeInto(scratch)) {
      slices.push(Buffer.from(scratch.bytes.subarray(0, length)));
      await turns.next();
    }
    return new JsonText(Buffer.concat(slices));
  } finally {
    json.close();
    pool.giveBack(scratch);
  }
};
