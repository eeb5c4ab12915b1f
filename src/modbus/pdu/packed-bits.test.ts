import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignBits, bitAt, packBits, packedLength, placeBits, putBit } from './packed-bits.ts';

const bits = fc.array(fc.boolean(), { minLength: 1, maxLength: 70 });

describe('packed bits', () => {
  it('begin with the lowest bit of the first byte', () => {
    const packed = packBits([true, false, true, true, false, false, true, true, true]);
    expect([...packed]).toEqual([0xcd, 0x01]);
    expect(bitAt(packed, 0)).toBe(true);
    expect(bitAt(packed, 1)).toBe(false);
    expect(bitAt(packed, 8)).toBe(true);
  });

  it.each([
    [0, 0],
    [1, 1],
    [8, 1],
    [9, 2],
    [2000, 250],
  ])('of %i take %i bytes', (count, length) => {
    expect(packedLength(count)).toBe(length);
  });

  it('change one at a time', () => {
    const bytes = Uint8Array.of(0xff, 0x00);
    putBit(bytes, 3, false);
    putBit(bytes, 15, true);
    expect([...bytes]).toEqual([0xf7, 0x80]);
  });

  it('are placed anywhere and aligned again, without touching their neighbours', () => {
    fc.assert(
      fc.property(bits, fc.nat(40), fc.nat(5), fc.boolean(), (list, first, at, around) => {
        const memory = new Uint8Array(20).fill(around ? 0xff : 0x00);
        const packed = packBits([...new Array(8 * at).fill(!around), ...list]);
        placeBits(packed, at, list.length, memory, first);
        const before = Array.from({ length: 160 }, (_, index) => bitAt(memory, index));
        expect(before.slice(first, first + list.length)).toEqual(list);
        before.splice(first, list.length);
        expect(new Set(before)).toEqual(new Set([around]));
        const into = new Uint8Array(20).fill(0xee);
        const length = alignBits(memory, first, list.length, into, at);
        expect(length).toBe(packedLength(list.length));
        expect([...into.subarray(at, at + length)]).toEqual([...packBits(list)]);
        expect(into[at + length]).toBe(0xee);
      }),
      { seed: 502, numRuns: 300 },
    );
  });

  it('are aligned up to the very end of the memory', () => {
    const into = new Uint8Array(2);
    alignBits(Uint8Array.of(0x00, 0xa0), 12, 4, into, 0);
    expect(into[0]).toBe(0x0a);
  });
});
