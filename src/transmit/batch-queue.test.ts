import { describe, expect, it } from 'vitest';
import { Batch } from './batch.ts';
import { BatchQueue } from './batch-queue.ts';

const batchOf = (): Batch =>
  new Batch({
    submission: { submit: () => 'accepted', read: undefined },
    pace: { count: 1, cycleUs: 0, timeoutUs: 0 },
    startUs: 0,
    field: 'type',
  });

const inLine = (queue: BatchQueue): Batch[] => {
  const all: Batch[] = [];
  for (let at = queue.first; at; at = at.next) all.push(at);
  return all;
};

describe('BatchQueue', () => {
  const [a, b, c] = [batchOf(), batchOf(), batchOf()] as const;

  it.each([
    ['the first', a, [b, c]],
    ['one in the middle', b, [a, c]],
    ['the last', c, [a, b]],
  ])('lets go of %s, which may line up again at the back', (_which, gone, left) => {
    const queue = new BatchQueue();
    for (const batch of [a, b, c]) queue.push(batch);
    queue.remove(gone);
    expect(inLine(queue)).toEqual(left);
    queue.push(gone);
    expect(inLine(queue)).toEqual([...left, gone]);
    for (const batch of [a, b, c]) queue.remove(batch);
    expect(queue.first).toBeUndefined();
  });

  it('leaves alone what is not in line', () => {
    const queue = new BatchQueue();
    queue.push(a);
    queue.remove(b);
    expect(inLine(queue)).toEqual([a]);
    queue.push(b);
    expect(inLine(queue)).toEqual([a, b]);
  });
});
