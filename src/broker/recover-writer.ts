import type { BrokerMemory } from './broker-memory.ts';
import { retract, wakeSleepers } from './writer-steps.ts';

/**
 * Cleans up after a writer thread that has died, perhaps within a record: merged readers no longer
 * wait for it, and those that sleep look again. Ids it had taken stay unused. To be called by the
 * owner of the broker, and only once the thread is certain to have ended; the next writer of its rings
 * then goes on where it stopped.
 */
export const recoverWriter = (memory: BrokerMemory, writer: number): void => {
  retract(memory.words, memory.pendingOf(writer));
  wakeSleepers(memory, memory.wakeMaskOf(writer));
};
