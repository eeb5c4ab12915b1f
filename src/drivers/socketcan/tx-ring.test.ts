import { describe, expect, it } from 'vitest';
import { RawFrames, rawSlotBytes } from './raw-frame.ts';
import { TxRing } from './tx-ring.ts';

const base = 0x1000n;
const ringOf = (capacity: number) => new TxRing(() => base, capacity);
const push = (ring: TxRing, id: number) => ring.push(id, 0, 1, Uint8Array.of(id), 0, 1);
const echoOf = (id: number): RawFrames => {
  const frames = new RawFrames(new ArrayBuffer(rawSlotBytes), 0, 1);
  frames.write(0, id, 0, 1, Uint8Array.of(id), 0, 1);
  return frames;
};

describe('accepted frames without an outcome', () => {
  it('wait, are with the kernel, and leave in their order', () => {
    const ring = ringOf(4);
    for (const id of [1, 2, 3]) expect(push(ring, id)).toBe(true);
    expect([ring.size, ring.given, ring.waiting]).toEqual([3, 0, 3]);
    ring.taken(2);
    expect([ring.size, ring.given, ring.waiting]).toEqual([3, 2, 1]);
    expect(ring.search(echoOf(1), 0, 16)).toBe(0);
    ring.drop(1);
    expect([ring.size, ring.given, ring.waiting]).toEqual([2, 1, 1]);
  });

  it('are refused when there is no room', () => {
    const ring = ringOf(2);
    expect([push(ring, 1), push(ring, 2), push(ring, 3)]).toEqual([true, true, false]);
    ring.taken(2);
    ring.drop(1);
    expect(push(ring, 3)).toBe(true);
  });

  it('are handed over in runs that end where the memory does', () => {
    const ring = ringOf(4);
    for (const id of [1, 2, 3]) push(ring, id);
    ring.taken(3);
    ring.drop(3);
    for (const id of [4, 5, 6]) push(ring, id);
    expect([ring.runAddress, ring.runLength]).toEqual([base + 3n * 64n, 1]);
    ring.taken(1);
    expect([ring.runAddress, ring.runLength]).toEqual([base, 2]);
  });

  it('are found by their echo though those before them have none', () => {
    const ring = ringOf(8);
    for (const id of [1, 2, 3, 4]) push(ring, id);
    ring.taken(3);
    expect(ring.search(echoOf(3), 0, 16)).toBe(2);
    // A frame that the kernel does not have yet has no echo.
    expect(ring.search(echoOf(4), 0, 16)).toBe(-1);
  });

  it('that the kernel refuses wait for their turn to fail', () => {
    const ring = ringOf(4);
    for (const id of [1, 2, 3]) push(ring, id);
    ring.taken(1);
    ring.refuse();
    expect(ring.isFirstRefused).toBe(false);
    expect(ring.search(echoOf(2), 0, 16)).toBe(-1);
    ring.drop(1);
    expect(ring.isFirstRefused).toBe(true);
    ring.drop(1);
    expect(ring.isFirstRefused).toBe(false);
    expect(ring.clear()).toBe(1);
    expect(ring.size).toBe(0);
  });
});
