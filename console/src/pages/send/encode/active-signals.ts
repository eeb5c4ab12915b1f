import type { DatabaseMessage, DatabaseSignal } from '../../../api/schema.ts';

/** The bits that a signal would have, by its name; null if that is not known. */
export type PatternOf = (name: string) => bigint | null;

/** A range may mean the bits as a signed or as an unsigned number: files write both. */
const selects = (
  { multiplexing }: DatabaseSignal,
  { length }: DatabaseSignal,
  pattern: bigint,
): boolean => {
  const meanings = [pattern, BigInt.asIntN(length, pattern)];
  return (multiplexing?.ranges ?? []).some(({ from, to }) =>
    meanings.some((raw) => raw >= BigInt(from) && raw <= BigInt(to)),
  );
};

/** The signals that are in the message while its switches stand as they do. */
export const activeSignals = (
  { signals }: Pick<DatabaseMessage, 'signals'>,
  patternOf: PatternOf,
): readonly DatabaseSignal[] => {
  const byName = new Map(signals.map((signal) => [signal.name, signal]));
  const isActive = (signal: DatabaseSignal, below: readonly DatabaseSignal[]): boolean => {
    if (!signal.multiplexing) return true;
    const over = byName.get(signal.multiplexing.switch);
    // A switch that depends on itself is never there.
    if (!over || below.includes(over) || !isActive(over, [...below, over])) return false;
    const pattern = patternOf(over.name);
    return pattern !== null && selects(signal, over, pattern);
  };
  return signals.filter((signal) => isActive(signal, [signal]));
};
