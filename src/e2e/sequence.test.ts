import { describe, expect, it } from 'vitest';
import { CommonSequence, type Profile1Rules, Profile1Sequence, type Sequence } from './checker.ts';
import { CounterRange } from './layout.ts';
import { Uint64 } from './uint64.ts';

/** A counter with the correct checksum, or a frame with a wrong one. */
type Step = number | bigint | 'broken';

/** Results of frames; frames with a wrong checksum have no sequence result. */
const judged = (sequence: Sequence, steps: readonly Step[]): string[] =>
  steps.flatMap((step) => {
    if (step === 'broken') {
      sequence.reject();
      return [];
    }
    return [sequence.accept(Uint64.of(step))];
  });

/** One row of a table: a frame, and its expected result. */
type Transitions = readonly (readonly [Step, string?])[];

const expectTransitions = (sequence: Sequence, transitions: Transitions): void => {
  const expected = transitions.flatMap(([, result]) => (result === undefined ? [] : [result]));
  expect(
    judged(
      sequence,
      transitions.map(([step]) => step),
    ),
  ).toEqual(expected);
};

describe('the rules of the later profiles', () => {
  const common = (max: bigint, maxSteps: number) =>
    new CommonSequence(new CounterRange(max), maxSteps);

  it.each([
    ['the first counter is good, whichever it is', 1, [[200, 'initial']]],
    [
      'one step is in order, also around the end',
      1,
      [
        [254, 'initial'],
        [255, 'ok'],
        [0, 'ok'],
        [1, 'ok'],
      ],
    ],
    [
      'no step is repeated',
      1,
      [
        [7, 'initial'],
        [7, 'repeated'],
        [7, 'repeated'],
        [8, 'ok'],
      ],
    ],
    [
      'as many steps as allowed have lost some',
      3,
      [
        [0, 'initial'],
        [2, 'ok_some_lost'],
        [5, 'ok_some_lost'],
        [6, 'ok'],
        [253, 'wrong_sequence'],
        [0, 'ok_some_lost'],
      ],
    ],
    [
      'more are a wrong sequence, from which the next one is counted',
      2,
      [
        [0, 'initial'],
        [3, 'wrong_sequence'],
        [4, 'ok'],
        [3, 'wrong_sequence'],
        [4, 'ok'],
      ],
    ],
    [
      'broken frames change nothing',
      1,
      [
        ['broken'],
        [5, 'initial'],
        ['broken'],
        ['broken'],
        [6, 'ok'],
        ['broken'],
        [8, 'wrong_sequence'],
        [9, 'ok'],
      ],
    ],
  ] as const satisfies readonly (readonly [string, number, Transitions])[])(
    '%s',
    (_, maxSteps, transitions) => {
      expectTransitions(common(255n, maxSteps), transitions);
    },
  );

  it.each([
    [14n, [13, 14, 0]],
    [65_535n, [65_534, 65_535, 0]],
    [2n ** 32n - 1n, [2 ** 32 - 2, 2 ** 32 - 1, 0]],
    [2n ** 64n - 1n, [2n ** 64n - 2n, 2n ** 64n - 1n, 0]],
    [9n, [8, 9, 0]],
    [1n, [0, 1, 0]],
  ] as const)('counters up to %d begin anew in order', (max, counters) => {
    expect(judged(common(max, 1), counters)).toEqual(['initial', 'ok', 'ok']);
  });

  it('steps beyond 32 bits are too many, and not few', () => {
    const sequence = common(2n ** 64n - 1n, 0xffff_ffff);
    const steps = [0, 2n ** 32n - 1n, 2n ** 33n, 2n ** 33n + 2n ** 32n + 1n, 2n ** 34n];
    expect(judged(sequence, steps)).toEqual([
      'initial',
      'ok_some_lost',
      'wrong_sequence',
      'wrong_sequence',
      'ok_some_lost',
    ]);
  });

  it('a reset makes the next frame the first', () => {
    const sequence = common(255n, 1);
    judged(sequence, [3, 4]);
    sequence.reset();
    expect(judged(sequence, [4, 5])).toEqual(['initial', 'ok']);
  });
});

describe('the rules of profiles 1 and 2', () => {
  const standard: Profile1Rules = {
    maxCounter: 14,
    maxSteps: 1,
    maxRepeated: 14,
    framesToSync: 0,
  };

  it.each([
    ['the first counter is good, whichever it is', {}, [[9, 'initial']]],
    [
      'one step is in order, also around the end',
      {},
      [
        [13, 'initial'],
        [14, 'ok'],
        [0, 'ok'],
        [1, 'ok'],
      ],
    ],
    [
      'profile 2 has one counter more',
      { maxCounter: 15 },
      [
        [14, 'initial'],
        [15, 'ok'],
        [0, 'ok'],
      ],
    ],
    [
      'each frame widens the gap by one step: two after one are some lost, three are not',
      {},
      [
        [1, 'initial'],
        [3, 'ok_some_lost'],
        [6, 'wrong_sequence'],
      ],
    ],
    [
      'a frame in order closes the gap again',
      { maxSteps: 2 },
      [
        [0, 'initial'],
        [3, 'ok_some_lost'],
        [6, 'ok_some_lost'],
        [10, 'wrong_sequence'],
      ],
    ],
    [
      'broken frames widen it',
      {},
      [
        [0, 'initial'],
        ['broken'],
        ['broken'],
        [4, 'ok_some_lost'],
        ['broken'],
        [8, 'wrong_sequence'],
      ],
    ],
    [
      'repeated frames widen it',
      {},
      [
        [0, 'initial'],
        [0, 'repeated'],
        [0, 'repeated'],
        [4, 'ok_some_lost'],
      ],
    ],
    [
      'broken frames before the first one do not',
      {},
      [['broken'], ['broken'], ['broken'], [0, 'initial'], [3, 'wrong_sequence']],
    ],
    [
      'it grows to the largest count, which makes any counter good',
      {},
      [
        [5, 'initial'],
        ...Array.from({ length: 13 }, () => ['broken'] as const),
        [4, 'ok_some_lost'],
      ],
    ],
    [
      'without resynchronising, the sender is expected where it was',
      {},
      [
        [0, 'initial'],
        [5, 'wrong_sequence'],
        [6, 'wrong_sequence'],
        [2, 'ok_some_lost'],
        [3, 'ok'],
      ],
    ],
    [
      'with it, the sender is followed to where it is now',
      { framesToSync: 2 },
      [
        [0, 'initial'],
        [5, 'wrong_sequence'],
        [6, 'sync'],
        [7, 'sync'],
        [8, 'ok'],
      ],
    ],
    [
      'a frame out of order while resynchronising begins that anew',
      { framesToSync: 2 },
      [
        [0, 'initial'],
        [5, 'wrong_sequence'],
        [6, 'sync'],
        [10, 'wrong_sequence'],
        [12, 'sync'],
        [12, 'repeated'],
        [13, 'sync'],
        [14, 'ok'],
      ],
    ],
    [
      'more repeated frames than allowed resynchronise',
      { maxRepeated: 1, framesToSync: 1 },
      [
        [0, 'initial'],
        [0, 'repeated'],
        [1, 'ok'],
        [1, 'repeated'],
        [1, 'repeated'],
        [2, 'sync'],
        [3, 'sync'],
        [4, 'ok'],
      ],
    ],
    [
      'also where no further frames are asked for',
      { maxRepeated: 0 },
      [
        [0, 'initial'],
        [0, 'repeated'],
        [1, 'sync'],
        [2, 'ok'],
      ],
    ],
    [
      'a wrong sequence forgets repeated frames',
      { maxRepeated: 0 },
      [
        [0, 'initial'],
        [0, 'repeated'],
        [7, 'wrong_sequence'],
        [1, 'ok'],
      ],
    ],
    [
      'no number of repeated frames is too many where the limit is the largest count',
      {},
      [[0, 'initial'], ...Array.from({ length: 40 }, () => [0, 'repeated'] as const), [1, 'ok']],
    ],
  ] as const satisfies readonly (readonly [string, Partial<Profile1Rules>, Transitions])[])(
    '%s',
    (_, rules, transitions) => {
      expectTransitions(new Profile1Sequence({ ...standard, ...rules }), transitions);
    },
  );

  it('a reset makes the next frame the first, and ends resynchronising', () => {
    const sequence = new Profile1Sequence({ ...standard, framesToSync: 5, maxRepeated: 0 });
    judged(sequence, [0, 9, 'broken', 'broken', 10, 10]);
    sequence.reset();
    expect(judged(sequence, [3, 4, 7])).toEqual(['initial', 'ok', 'wrong_sequence']);
  });
});
