import { describe, expect, it } from 'vitest';
import { CanTxQueue } from './can-tx-queue.ts';

const push = (queue: CanTxQueue, id: number, bytes: number[] = []): boolean =>
  queue.push(id, 0, bytes.length, Uint8Array.from([0, ...bytes]), 1, bytes.length, id * 10, id * 2);

const head = (queue: CanTxQueue) => ({
  id: queue.headId,
  length: queue.headLength,
  data: [...queue.data.subarray(queue.headOffset, queue.headOffset + queue.headLength)],
  queuedUs: queue.headQueuedUs,
  frameUs: queue.headUs,
});

describe('CanTxQueue', () => {
  it('gives frames back in the order they came in, whole, over many rounds', () => {
    const queue = new CanTxQueue(3);
    for (let id = 1; id < 20; id++) {
      expect(push(queue, id, [id, id + 1])).toBe(true);
      expect(push(queue, id + 100)).toBe(true);
      expect(head(queue)).toEqual({
        id,
        length: 2,
        data: [id, id + 1],
        queuedUs: id * 10,
        frameUs: id * 2,
      });
      queue.pop();
      expect(head(queue)).toMatchObject({ id: id + 100, length: 0 });
      queue.pop();
      expect(queue.size).toBe(0);
    }
  });

  it('takes as many as it has room for', () => {
    const queue = new CanTxQueue(2);
    expect([push(queue, 1), push(queue, 2), push(queue, 3)]).toEqual([true, true, false]);
    queue.pop();
    expect(push(queue, 4)).toBe(true);
    expect(queue.headId).toBe(2);
  });

  it('leaves the bytes of the frame removed last alone, even when it fills up again', () => {
    const queue = new CanTxQueue(2);
    push(queue, 1, [0xaa]);
    push(queue, 2, [0xbb]);
    const at = queue.headOffset;
    queue.pop();
    push(queue, 3, [0xcc]);
    expect(push(queue, 4, [0xdd])).toBe(false);
    expect(queue.data[at]).toBe(0xaa);
  });

  it('says how many frames it drops', () => {
    const queue = new CanTxQueue(4);
    push(queue, 1);
    push(queue, 2);
    expect(queue.clear()).toBe(2);
    expect(queue.clear()).toBe(0);
    push(queue, 3);
    expect([queue.size, queue.headId]).toEqual([1, 3]);
  });
});
