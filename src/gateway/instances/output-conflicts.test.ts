import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type CanOutput, OutputOwners } from './output-owners.ts';

const outputs = (count: number): CanOutput[] =>
  Array.from({ length: count }, (_, canId) => ({
    task: `task ${canId}`,
    channel: 'SIM00001/0',
    canId,
    extended: true,
  }));

const refusalOf = (claim: () => void): BusbarError => {
  try {
    claim();
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
  throw new Error('was not refused');
};

describe('conflicts of outputs', () => {
  it('are counted, and the first of them shown', () => {
    const owners = new OutputOwners();
    owners.claim('a', outputs(1000));
    const { message, details } = refusalOf(() => owners.claim('b', outputs(1000)));
    expect(message).toContain('and 999 more');
    expect(details).toMatchObject({ instance: 'b', total: 1000 });
    expect(details.conflicts).toHaveLength(200);
    expect(refusalOf(() => owners.claim('b', outputs(1))).details).toMatchObject({ total: 1 });
  });
});
