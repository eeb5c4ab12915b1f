import { describe, expect, it } from 'vitest';
import { RingQueue } from './ring-queue.ts';

const emptied = (queue: RingQueue<number>): number[] => {
  const entries: number[] = [];
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) entries.push(entry);
  return entries;
};

describe('RingQueue', () => {
  it('gives entries in the order they came, over many rounds and sizes', () => {
    const queue = new RingQueue<number>();
    for (let size = 1; size < 40; size++) {
      const entries = Array.from({ length: size }, (_, index) => index + 1);
      for (const entry of entries) queue.push(entry);
      expect(queue.size).toBe(size);
      expect(emptied(queue)).toEqual(entries);
    }
  });

  it('puts an entry before all others, also where it is full', () => {
    const queue = new RingQueue<number>();
    for (let entry = 1; entry <= 8; entry++) queue.push(entry);
    queue.unshift(9);
    queue.shift();
    queue.unshift(10);
    expect(emptied(queue)).toEqual([10, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('takes one entry out and keeps the order of the others', () => {
    const queue = new RingQueue<number>();
    for (let entry = 1; entry <= 5; entry++) queue.push(entry);
    queue.remove(3);
    queue.remove(7);
    expect(emptied(queue)).toEqual([1, 2, 4, 5]);
  });
});
