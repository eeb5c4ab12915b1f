import { describe, expect, it } from 'vitest';
import { aSignal } from '../../codec/testing/models.ts';
import { fieldChoices, readerOf } from './narrow-fields.ts';

const signals = [
  aSignal({ name: 'Mode', start_bit: 0, length: 2, is_switch: true }),
  aSignal({
    ...{ name: 'Torque', start_bit: 8, length: 8, kind: 'signed' },
    multiplexing: { switch: 'Mode', ranges: [{ from: '1', to: '1' }] },
  }),
  aSignal({ name: 'Level', start_bit: 16, length: 16 }),
];

describe('the fields to narrow down', () => {
  it('can be signals, which have no value where they are not in the frame', () => {
    const reader = readerOf('signals', () => signals);
    expect(reader.placesOf(0, new Uint8Array(4))).toEqual([0, 1, 2]);
    const values = (...bytes: number[]) => {
      const data = Uint8Array.from(bytes);
      return [0, 1, 2].map((place) => reader.read(0, data, place));
    };
    expect(values(1, 0xff, 0x34, 0x12)).toEqual([1, -1, 0x1234]);
    expect(values(2, 0xff, 0x34)).toEqual([2, null, null]);
    expect(reader.nameOf(0, 1)).toBe('Torque');
    expect(reader.bitsOf(0, 0)).toEqual([0, 1]);
  });

  it('read each kind of number', () => {
    const data = Uint8Array.of(0xfe, 0x01, 0xff, 0x80);
    const first = (choice: (typeof fieldChoices)[number]['value']) =>
      readerOf(choice, () => []).read(0, data, 0);
    expect(fieldChoices.slice(0, -1).map(({ value }) => first(value))).toEqual([
      ...[0, 254, -2],
      ...[0x01fe, 0x01fe, 0xfe01, 0xfe01 - 0x10000],
    ]);
  });
});
