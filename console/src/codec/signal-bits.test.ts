import { describe, expect, it } from 'vitest';
import { bitsOf, bytesFor, readBits, writeBits } from './signal-bits.ts';
import { aSignal } from './testing/models.ts';

describe('bitsOf', () => {
  it('starts Intel signals at their lowest bit and Motorola ones at their highest', () => {
    expect(bitsOf(aSignal({ start_bit: 6, length: 4 }))).toEqual([6, 7, 8, 9]);
    expect(bitsOf(aSignal({ start_bit: 1, length: 4, byte_order: 'motorola' }))).toEqual([
      14, 15, 0, 1,
    ]);
  });
});

describe('bytesFor', () => {
  it('reaches to the last byte that has a bit of the signal', () => {
    expect(bytesFor(aSignal({ start_bit: 6, length: 2 }))).toBe(1);
    expect(bytesFor(aSignal({ start_bit: 6, length: 3 }))).toBe(2);
    expect(bytesFor(aSignal({ start_bit: 1, length: 3, byte_order: 'motorola' }))).toBe(2);
  });
});

describe('readBits and writeBits', () => {
  it.each(['intel', 'motorola'] as const)(
    'agree on %s signals and touch no others',
    (byte_order) => {
      const signal = aSignal({ start_bit: 5, length: 11, byte_order });
      for (const filler of [0x00, 0xff]) {
        const data = new Uint8Array(3).fill(filler);
        const before = data.slice();
        const held = readBits(data, signal) ?? 0n;
        writeBits(data, signal, 0x5a5n);
        expect(readBits(data, signal)).toBe(0x5a5n);
        writeBits(data, signal, held);
        expect(data).toEqual(before);
      }
    },
  );

  it('find nothing in data that ends too early', () => {
    expect(readBits(Uint8Array.of(0xff), aSignal({ start_bit: 1, length: 8 }))).toBeNull();
  });
});
