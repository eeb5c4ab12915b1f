import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Caller } from '../../operations/dispatcher.ts';

/**
 * Waits until a caller may have a page made. A hundred that ask at once have theirs in a hundred
 * turns of the event loop; those that have left by then cost nothing more.
 */
export const turnOf = async (caller: Caller, turns: LoopTurns): Promise<void> => {
  await turns.next();
  if (caller.signal?.aborted) throw new BusbarError('operation_cancelled');
};
