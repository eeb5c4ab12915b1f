import { describe, expect, it } from 'vitest';
import { bitOf, bytesFor, networkPosition } from './layout.ts';

describe('bits of a signal', () => {
  it('grow to higher numbers in Intel order', () => {
    const signal = { startBit: 4, length: 12, byteOrder: 'intel' } as const;
    expect([0, 3, 4, 11].map((index) => bitOf(signal, index))).toEqual([4, 7, 8, 15]);
  });

  it('fall inside a byte and go on at the top of the next one in Motorola order', () => {
    const signal = { startBit: 33, length: 10, byteOrder: 'motorola' } as const;
    expect([0, 1, 2, 9].map((index) => bitOf(signal, index))).toEqual([33, 32, 47, 40]);
  });

  it('have a place on the wire that turns back into their number', () => {
    expect([0, 7, 8, 15].map(networkPosition)).toEqual([7, 0, 15, 8]);
    expect(networkPosition(networkPosition(1234))).toBe(1234);
  });

  it('need as many bytes as their last one', () => {
    expect(bytesFor({ startBit: 0, length: 8, byteOrder: 'intel' })).toBe(1);
    expect(bytesFor({ startBit: 1, length: 8, byteOrder: 'intel' })).toBe(2);
    expect(bytesFor({ startBit: 7, length: 8, byteOrder: 'motorola' })).toBe(1);
    expect(bytesFor({ startBit: 0, length: 2, byteOrder: 'motorola' })).toBe(2);
  });
});
