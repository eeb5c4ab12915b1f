import { describe, expect, it } from 'vitest';
import { CanTxQueue } from './can-tx-queue.ts';

const push = (queue: CanTxQueue, id: number): boolean =>
  queue.pushTimed(id, 0, 0, new Uint8Array(0), 0, 0, id * 10, id * 2);

describe('CanTxQueue', () => {
  it('keeps the times of each frame with it, over many rounds', () => {
    const queue = new CanTxQueue(3);
    for (let id = 1; id < 20; id++) {
      expect(push(queue, id)).toBe(true);
      expect(push(queue, id + 100)).toBe(true);
      for (const expected of [id, id + 100]) {
        const { headId, headQueuedUs, headUs } = queue;
        expect([headId, headQueuedUs, headUs]).toEqual([expected, expected * 10, expected * 2]);
        queue.pop();
      }
    }
  });

  it('leaves the times of those that wait alone when there is no room', () => {
    const queue = new CanTxQueue(1);
    expect([push(queue, 1), push(queue, 2)]).toEqual([true, false]);
    expect([queue.headQueuedUs, queue.headUs]).toEqual([10, 2]);
  });
});
