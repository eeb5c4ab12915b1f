import { describe, expect, it } from 'vitest';
import { noRoom } from '../../frame/can-queue.ts';
import { CanTxQueue } from './can-tx-queue.ts';

const push = (queue: CanTxQueue, id: number): boolean => {
  const slot = queue.push(id, 0, 0, new Uint8Array(0), 0, 0);
  if (slot === noRoom) return false;
  queue.time(slot, id * 10, id * 2, Number.POSITIVE_INFINITY);
  return true;
};

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

  it('has no deadline while it is empty, whatever the frames before had', () => {
    const queue = new CanTxQueue(2);
    const pushUrgent = (): void =>
      queue.time(queue.push(1, 0, 0, new Uint8Array(0), 0, 0), 10, 2, 500);
    pushUrgent();
    push(queue, 2);
    expect(queue.headDeadlineUs).toBe(500);
    queue.pop();
    expect(queue.headDeadlineUs).toBe(Number.POSITIVE_INFINITY);
    queue.pop();
    pushUrgent();
    expect(queue.headDeadlineUs).toBe(500);
    queue.clear();
    expect(queue.headDeadlineUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('leaves the times of those that wait alone when there is no room', () => {
    const queue = new CanTxQueue(1);
    expect([push(queue, 1), push(queue, 2)]).toEqual([true, false]);
    expect([queue.headQueuedUs, queue.headUs]).toEqual([10, 2]);
  });

  it("tells the device's own frames from those it was given, wherever they stand", () => {
    const queue = new CanTxQueue(3);
    for (let round = 0; round < 10; round++) {
      push(queue, 1);
      push(queue, 2);
      queue.markLastOwn();
      push(queue, 3);
      expect([queue.size, queue.ownFrames, queue.headIsOwn]).toEqual([3, 1, false]);
      queue.pop();
      expect(queue.headIsOwn).toBe(true);
      queue.pop();
      expect([queue.ownFrames, queue.headIsOwn]).toEqual([0, false]);
      queue.pop();
    }
    push(queue, 1);
    queue.markLastOwn();
    expect([queue.clear(), queue.ownFrames]).toEqual([1, 0]);
    push(queue, 2);
    expect(queue.headIsOwn).toBe(false);
  });
});
