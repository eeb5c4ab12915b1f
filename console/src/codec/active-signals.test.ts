import { describe, expect, it } from 'vitest';
import type { DatabaseSignal } from '../api/client.ts';
import { activeSignals } from './active-signals.ts';
import { decodeMessage } from './decode-message.ts';
import { encodeMessage } from './encode-message.ts';
import { aMessage, aSignal, when } from './testing/models.ts';

/** Whether a signal with that range goes with a switch of 8 bits that reads 255, or −1. */
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
