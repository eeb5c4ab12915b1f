import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeadlineHeap, type HeapEntry } from './deadline-heap.ts';

interface Entry extends HeapEntry {
  readonly id: number;
}

const entries = (count: number): Entry[] =>
  Array.from({ length: count }, (_, id) => ({ id, heapIndex: -1 }));

const drain = (heap: DeadlineHeap<Entry>): number[] => {
  const ids: number[] = [];
  for (let entry = heap.first; entry; entry = heap.first) {
    ids.push(entry.id);
    heap.remove(entry);
  }
  return ids;
};

describe('DeadlineHeap', () => {
  it('knows that it is empty', () => {
    const heap = new DeadlineHeap<Entry>();
    expect(heap.size).toBe(0);
    expect(heap.first).toBeUndefined();
    expect(heap.firstDeadline).toBe(Number.POSITIVE_INFINITY);
  });

  it('gives equal deadlines in the order they were put, a moved entry last', () => {
    const heap = new DeadlineHeap<Entry>();
    const [a, b, c] = entries(3) as [Entry, Entry, Entry];
    heap.put(a, 5);
    heap.put(b, 5);
    heap.put(c, 5);
    heap.put(a, 5);
    expect(drain(heap)).toEqual([1, 2, 0]);
  });

  it('leaves an entry alone that is not in it', () => {
    const heap = new DeadlineHeap<Entry>();
    const [a, b] = entries(2) as [Entry, Entry];
    heap.put(a, 1);
    heap.remove(b);
    expect(drain(heap)).toEqual([0]);
    heap.remove(a);
    expect(heap.size).toBe(0);
  });

  it('agrees with a sorted list after any puts, moves and removals', () => {
    const step = fc.record({
      id: fc.nat({ max: 199 }),
      // Few distinct deadlines, so that many are equal.
      deadline: fc.option(fc.nat({ max: 40 }), { nil: undefined, freq: 4 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 800, size: 'max' }), (steps) => {
        const heap = new DeadlineHeap<Entry>();
        const all = entries(200);
        const model: { id: number; deadline: number }[] = [];
        for (const { id, deadline } of steps) {
          const entry = all[id] as Entry;
          const place = model.findIndex((held) => held.id === id);
          if (place >= 0) model.splice(place, 1);
          if (deadline === undefined) {
            heap.remove(entry);
          } else {
            heap.put(entry, deadline);
            model.push({ id, deadline });
          }
        }
        expect(heap.size).toBe(model.length);
        const sorted = model.toSorted((a, b) => a.deadline - b.deadline);
        expect(heap.firstDeadline).toBe(sorted[0]?.deadline ?? Number.POSITIVE_INFINITY);
        expect(drain(heap)).toEqual(sorted.map(({ id }) => id));
        expect(all.every(({ heapIndex }) => heapIndex === -1)).toBe(true);
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});
