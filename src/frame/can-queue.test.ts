import { describe, expect, it } from 'vitest';
import { CanQueue, noRoom } from './can-queue.ts';

const push = (queue: CanQueue, id: number, bytes: number[] = []): boolean =>
  queue.push(id, 0, bytes.length, Uint8Array.from([0, ...bytes]), 1, bytes.length) !== noRoom;

const head = (queue: CanQueue) => ({
  id: queue.headId,
  length: queue.headLength,
  data: [...queue.data.subarray(queue.headOffset, queue.headOffset + queue.headLength)],
});

describe('CanQueue', () => {
  it('gives frames back in the order they came in, whole, over many rounds', () => {
    const queue = new CanQueue(3);
    for (let id = 1; id < 20; id++) {
      expect(push(queue, id, [id, id + 1])).toBe(true);
      expect(push(queue, id + 100)).toBe(true);
      expect(head(queue)).toEqual({
        id,
        length: 2,
        data: [id, id + 1],
      });
      queue.pop();
      expect(head(queue)).toMatchObject({ id: id + 100, length: 0 });
      queue.pop();
      expect(queue.size).toBe(0);
    }
  });

  it('takes as many as it has room for', () => {
    const queue = new CanQueue(2);
    expect([push(queue, 1), push(queue, 2), push(queue, 3)]).toEqual([true, true, false]);
    queue.pop();
    expect(push(queue, 4)).toBe(true);
    expect(queue.headId).toBe(2);
  });

  it('leaves the bytes of the frame removed last alone, even when it fills up again', () => {
    const queue = new CanQueue(2);
    push(queue, 1, [0xaa]);
    push(queue, 2, [0xbb]);
    const at = queue.headOffset;
    queue.pop();
    push(queue, 3, [0xcc]);
    expect(push(queue, 4, [0xdd])).toBe(false);
    expect(queue.data[at]).toBe(0xaa);
  });

  it('says how many frames it drops', () => {
    const queue = new CanQueue(4);
    push(queue, 1);
    push(queue, 2);
    expect(queue.clear()).toBe(2);
    expect(queue.clear()).toBe(0);
    push(queue, 3);
    expect([queue.size, queue.headId]).toEqual([1, 3]);
  });
});
