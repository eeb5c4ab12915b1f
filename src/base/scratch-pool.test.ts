import { describe, expect, it } from 'vitest';
import { ScratchPool, scratchBytes } from './scratch-pool.ts';

describe('ScratchPool', () => {
  it('keeps a few areas for later and leaves the rest to the garbage collector', () => {
    const pool = new ScratchPool();
    const areas = Array.from({ length: 50 }, () => pool.take());
    expect(new Set(areas).size).toBe(50);
    for (const area of areas) pool.free(area);
    expect(pool.idle * scratchBytes).toBeLessThanOrEqual(2 * 1024 * 1024);
    expect(areas).toContain(pool.take());
  });
});
