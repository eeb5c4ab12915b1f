/** Delivers every allocated id, including those still being written. */
import { type BrokerMemory, nextIdAt } from '../../broker-memory.ts';
import { readCounter } from '../../counter.ts';

export * from '../../reader-steps.ts';

export const takeWatermark = (memory: BrokerMemory): number => readCounter(memory.words, nextIdAt);
