import { describe, expect, it } from 'vitest';
import { nextUnitState, type UnitState, unitEvents, unitStates } from './unit-record.ts';

/** All transitions, by event and previous state. */
const table: Readonly<Record<UnitState, readonly UnitState[]>> = {
  //            missed        probe         cancelled     leave         rested        settled
  healthy: ['late', 'healthy', 'healthy', 'healthy', 'healthy', 'healthy'],
  late: ['late', 'probing', 'late', 'left_alone', 'late', 'healthy'],
  probing: ['left_alone', 'probing', 'late', 'probing', 'probing', 'healthy'],
  left_alone: ['left_alone', 'left_alone', 'left_alone', 'left_alone', 'doubtful', 'healthy'],
  doubtful: ['late', 'probing', 'doubtful', 'doubtful', 'doubtful', 'healthy'],
};

describe('the state of a unit', () => {
  const steps = unitStates.flatMap((from) =>
    unitEvents.map((event, index) => [from, event, table[from][index]] as const),
  );

  it.each(steps)('that is %s, once %s, is %s', (from, event, to) => {
    expect(nextUnitState(from, event)).toBe(to);
  });

  it('is left by every state, and reached by some way', () => {
    const reached = new Set<UnitState>(['healthy']);
    for (const state of reached) {
      for (const event of unitEvents) reached.add(nextUnitState(state, event));
    }
    expect([...reached].sort()).toEqual([...unitStates].sort());
  });
});
