import { describe, expect, it } from 'vitest';
import type { DatabaseSignal } from '../api/client.ts';
import { decodeMessage } from './decode-message.ts';
import { encodeMessage } from './encode-message.ts';
import { activeSignals, bitsOf, bytesFor, readBits, writeBits } from './signal-bits.ts';
import { aMessage, aSignal, when } from './testing/models.ts';

/** Whether a signal with this range is active for an 8-bit multiplexer of 255, or −1. */
const isSelected = (kind: DatabaseSignal['kind'], from: number, to = from) => {
  const message = aMessage([
    aSignal({ name: 'Switch', kind, is_switch: true }),
    aSignal({ name: 'Below', start_bit: 8, multiplexing: when('Switch', [from, to]) }),
  ]);
  const decoded = decodeMessage(message, Uint8Array.of(0xff, 0x11));
  const composed = encodeMessage(message, { Switch: { as: 'raw', text: '255' } });
  return [decoded[1]?.state === 'present', composed.signals.length === 2];
};

describe('activeSignals', () => {
  it.each(['unsigned', 'signed'] as const)(
    'knows the value of a switch that is %s in both ways of writing it, in both directions',
    (kind) => {
      expect(isSelected(kind, -1)).toEqual([true, true]);
      expect(isSelected(kind, 255)).toEqual([true, true]);
      expect(isSelected(kind, -128, -1)).toEqual([true, true]);
      expect(isSelected(kind, -1, 3)).toEqual([true, true]);
      expect(isSelected(kind, -2)).toEqual([false, false]);
      expect(isSelected(kind, 0, 254)).toEqual([false, false]);
      expect(isSelected(kind, -257)).toEqual([false, false]);
      expect(isSelected(kind, 511)).toEqual([false, false]);
    },
  );

  it('takes the first of several switches with one name', () => {
    const signals = [
      aSignal({ name: 'Switch' }),
      aSignal({ name: 'Switch', start_bit: 8 }),
      aSignal({ name: 'Below', multiplexing: when('Switch', [1, 1]) }),
    ];
    const patternOf = ({ start_bit }: DatabaseSignal): bigint => (start_bit === 0 ? 1n : 2n);
    expect(activeSignals({ signals }, patternOf)).toHaveLength(3);
  });

  it('leaves out what goes with a switch of which nothing is known', () => {
    const signals = [
      aSignal({ name: 'Switch' }),
      aSignal({ name: 'Below', multiplexing: when('Switch', [0, 255]) }),
    ];
    expect(activeSignals({ signals }, () => null).map(({ name }) => name)).toEqual(['Switch']);
  });
});

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
