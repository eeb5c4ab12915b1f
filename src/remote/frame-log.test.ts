import { describe, expect, it } from 'vitest';
import { FrameLog } from './frame-log.ts';

const nothing = new Uint8Array();

const logOf = (capacity: number, arrivals: readonly number[]): FrameLog => {
  const log = new FrameLog(capacity);
  arrivals.forEach((arrivedUs, id) => {
    log.push(id, 0, 0, nothing, 0, 0, arrivedUs);
  });
  return log;
};

describe('the log of peers’ frames', () => {
  it('keeps every field of a frame, and its bytes', () => {
    const log = new FrameLog(4);
    log.push(1, 0, 0, nothing, 0, 0, 0);
    log.push(0x1fff_ffff, 13, 9, Uint8Array.of(9, 1, 2, 3, 9), 1, 3, 0);
    expect(log.idAt(1)).toBe(0x1fff_ffff);
    expect(log.flagsAt(1)).toBe(13);
    expect(log.dlcAt(1)).toBe(9);
    expect(log.lengthAt(1)).toBe(3);
    expect([...log.data.subarray(log.dataAt(1), log.dataAt(1) + 3)]).toEqual([1, 2, 3]);
  });

  it('forgets the oldest frames beyond its capacity', () => {
    const log = logOf(4, [0, 0, 0, 0, 0, 0]);
    expect(log.oldest).toBe(2);
    expect([2, 3, 4, 5].map((index) => log.idAt(index))).toEqual([2, 3, 4, 5]);
  });

  it('finds the first frame that arrived since a time', () => {
    const log = logOf(4, [10, 20, 20, 30, 40]);
    expect(log.firstSince(Number.NEGATIVE_INFINITY, 1)).toBe(1);
    expect(log.firstSince(20, 1)).toBe(1);
    expect(log.firstSince(21, 1)).toBe(3);
    expect(log.firstSince(40, 1)).toBe(4);
    expect(log.firstSince(41, 1)).toBe(5);
  });
});
