import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { rule } from '../engine/testing/rules.ts';
import { type CanOutput, OutputOwners } from './output-owners.ts';

const output = (task: string, canId: number, more: Partial<CanOutput> = {}): CanOutput => ({
  task,
  channel: 'SIM00001/0',
  canId,
  extended: false,
  ...more,
});

const conflictsOf = (claim: () => void): unknown => {
  try {
    claim();
    return null;
  } catch (thrown) {
    const { code, details } = BusbarError.from(thrown);
    return { code, conflicts: details.conflicts };
  }
};

describe('owners of outputs', () => {
  it(rule('output owner', 'are one for each channel, identifier and its format'), () => {
    const owners = new OutputOwners();
    owners.claim('a', [output('one', 1), output('two', 2)]);
    const others = [
      output('two', 2, { extended: true }),
      output('two', 2, { channel: 'SIM00001/1' }),
      output('three', 3),
    ];
    expect(conflictsOf(() => owners.claim('b', others))).toBeNull();
    expect(conflictsOf(() => owners.claim('c', [output('mine', 2), output('other', 4)]))).toEqual({
      code: 'output_conflict',
      conflicts: [
        {
          task: 'mine',
          owner: { instance: 'a', task: 'two' },
          channel: 'SIM00001/0',
          can_id: 2,
          extended: false,
        },
      ],
    });
  });

  it(rule('whole start', 'give all outputs or none, and all of them back'), () => {
    const owners = new OutputOwners();
    owners.claim('a', [output('one', 1)]);
    expect(
      conflictsOf(() => owners.claim('b', [output('two', 2), output('one', 1)])),
    ).not.toBeNull();
    // A rejected claim has claimed nothing.
    expect(conflictsOf(() => owners.claim('c', [output('two', 2)]))).toBeNull();
    owners.release('a');
    owners.release('c');
    expect(conflictsOf(() => owners.claim('b', [output('two', 2), output('one', 1)]))).toBeNull();
  });

  it(rule('output owner', 'find the same message twice in one instance'), () => {
    const owners = new OutputOwners();
    expect(
      conflictsOf(() => owners.claim('a', [output('one', 1), output('again', 1)])),
    ).toMatchObject({
      conflicts: [{ task: 'again', owner: { instance: 'a', task: 'one' } }],
    });
    expect(conflictsOf(() => owners.claim('b', [output('one', 1)]))).toBeNull();
  });

  it('have what they are still claiming, and lose it where they get less than all', () => {
    const owners = new OutputOwners();
    owners.claim('a', [output('third', 3)]);
    const claiming = owners.claiming(
      'b',
      [1, 2, 3].map((id) => output(`of ${id}`, id)),
    );
    claiming.next();
    claiming.next();
    expect(conflictsOf(() => owners.claim('c', [output('mine', 2)]))).toMatchObject({
      conflicts: [{ owner: { instance: 'b', task: 'of 2' } }],
    });
    expect(conflictsOf(() => [...claiming])).toMatchObject({
      conflicts: [{ owner: { instance: 'a', task: 'third' } }],
    });
    expect(conflictsOf(() => owners.claim('c', [output('mine', 2)]))).toBeNull();
    const given = owners.claiming('d', [output('left', 4), output('more', 5)]);
    given.next();
    given.return(undefined);
    expect(conflictsOf(() => owners.claim('e', [output('mine', 4)]))).toBeNull();
  });
});
