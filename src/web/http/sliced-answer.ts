import type { ServerResponse } from 'node:http';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import type { SlicedJson } from '../../base/json/sliced-json.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';

/** What all answers in slices share. */
export interface SlicedAnswerOptions {
  readonly turns: LoopTurns;
  readonly scratch: ScratchPool;
}

/**
 * Sends the body of an answer whose headers are set, each slice in a turn of its own and not before
 * the system has taken the last one: a client that does not read holds one slice, not the page.
 */
export const sendSlices = (
  response: ServerResponse,
  json: SlicedJson,
  { turns, scratch: pool }: SlicedAnswerOptions,
): void => {
  const writeNext = (): void => {
    if (response.destroyed) return;
    const scratch = pool.take();
    const length = json.writeInto(scratch);
    if (length === 0) {
      pool.giveBack(scratch);
      response.end();
      return;
    }
    response.write(scratch.bytes.subarray(0, length), (error) => {
      if (error) return;
      pool.giveBack(scratch);
      turns.take(writeNext);
    });
  };
  const prepare = (): void => {
    if (response.destroyed) return;
    if (json.prepare()) writeNext();
    else turns.take(prepare);
  };
  if (response.destroyed) json.close();
  else response.once('close', () => json.close());
  turns.take(prepare);
};
