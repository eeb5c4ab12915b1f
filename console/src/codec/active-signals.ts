import { patternsOf } from '../../../src/database/switch-patterns.ts';
import type { DatabaseMessage, DatabaseSignal } from '../api/client.ts';

/** The bits that a signal has; null if they are not known. */
export type PatternOf = (signal: DatabaseSignal) => bigint | null;

/** Whether a pattern of the switch is among those that the ranges of the signal mean. */
const selects = (
  { multiplexing }: DatabaseSignal,
  { length }: DatabaseSignal,
  pattern: bigint,
): boolean => {
  const ranges = multiplexing?.ranges.map((range) => ({
    from: BigInt(range.from),
    to: BigInt(range.to),
  }));
  return patternsOf(ranges ?? [], length).some(({ from, to }) => pattern >= from && pattern <= to);
};

/** The signals that are in the message while its switches stand as they do, in their order. */
export const activeSignals = (
  { signals }: Pick<DatabaseMessage, 'signals'>,
  patternOf: PatternOf,
): readonly DatabaseSignal[] => {
  // Of several with one name the first is meant.
  const byName = new Map(signals.toReversed().map((signal) => [signal.name, signal]));
  const isActive = (signal: DatabaseSignal, below: readonly DatabaseSignal[]): boolean => {
    if (!signal.multiplexing) return true;
    const over = byName.get(signal.multiplexing.switch);
    // A switch that depends on itself is never there.
    if (!over || below.includes(over) || !isActive(over, [...below, over])) return false;
    const pattern = patternOf(over);
    return pattern !== null && selects(signal, over, pattern);
  };
  return signals.filter((signal) => isActive(signal, [signal]));
};
