import { describe, expect, it } from 'vitest';
import { formatHex } from '../../../src/frame/hex-bytes.ts';
import { encodeMessage, frameLength, type SignalInputs } from './encode-message.ts';
import { aMessage, aSignal } from './testing/models.ts';

const physical = (values: Readonly<Record<string, string>>): SignalInputs =>
  Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, { as: 'physical', text }]),
  );

/** Covers all eight bytes except the low four bits, which belong to no signal. */
const worked = aMessage([
  aSignal({ name: 'L', start_bit: 4, length: 12, kind: 'signed' }),
  aSignal({ name: 'B', start_bit: 23, length: 12, byte_order: 'motorola' }),
  aSignal({ name: 'C', start_bit: 33, length: 10, byte_order: 'motorola', kind: 'signed' }),
  aSignal({ name: 'F', start_bit: 48, length: 16, factor: '0.5', offset: '-10' }),
]);

describe('encodeMessage', () => {
  it.each([
    // Data based on 0123456789ABCDEF, with the bits that belong to no signal cleared.
    [{ L: '560', B: '1110', C: '427', F: '30684.5' }, '00 23 45 60 01 AB CD EF'],
    [{ L: '-273', B: '3548', C: '-86', F: '17474.5' }, 'F0 EE DD C0 03 AA 99 88'],
    [{ L: '-256', B: '2040', C: '-255', F: '21792.5' }, '00 F0 7F 80 03 01 55 AA'],
  ])('writes %j as other tools read it', (values, expected) => {
    const composed = encodeMessage(worked, physical(values));
    expect(formatHex(composed.bytes, ' ')).toBe(expected);
    expect(composed.isComplete).toBe(true);
  });

  const muxed = aMessage([
    aSignal({ name: 'Mode', is_switch: true }),
    aSignal({
      name: 'Torque',
      start_bit: 8,
      multiplexing: { switch: 'Mode', ranges: [{ from: '1', to: '1' }] },
    }),
    aSignal({
      name: 'Current',
      start_bit: 8,
      multiplexing: { switch: 'Mode', ranges: [{ from: '2', to: '4' }] },
    }),
  ]);

  it('writes only the signals that go with the switch', () => {
    const values = { Torque: '17', Current: '34' };
    const bytesAt = (mode: string) =>
      formatHex(
        encodeMessage(muxed, physical({ ...values, Mode: mode })).bytes.subarray(0, 2),
        ' ',
      );
    expect(bytesAt('1')).toBe('01 11');
    expect(bytesAt('3')).toBe('03 22');
    expect(bytesAt('9')).toBe('09 00');
    const names = encodeMessage(muxed, physical({ Mode: '3' })).signals.map((s) => s.signal.name);
    expect(names).toEqual(['Mode', 'Current']);
  });

  it('is not stopped by a signal that the switch leaves out', () => {
    const composed = encodeMessage(muxed, physical({ Mode: '1', Current: 'nonsense' }));
    expect(composed.isComplete).toBe(true);
    expect(composed.left).toBe(1);
    expect(encodeMessage(muxed, physical({ Mode: '2', Current: 'nonsense' })).isComplete).toBe(
      false,
    );
  });

  it('shows nothing below a switch that depends on itself', () => {
    const circular = aMessage([
      aSignal({ name: 'A', multiplexing: { switch: 'B', ranges: [{ from: '0', to: '9' }] } }),
      aSignal({ name: 'B', multiplexing: { switch: 'A', ranges: [{ from: '0', to: '9' }] } }),
    ]);
    expect(encodeMessage(circular, {}).signals).toEqual([]);
  });

  it('says of a signal that it does not fit', () => {
    const short = aMessage([aSignal({ start_bit: 12, length: 8 })], 2);
    const [signal] = encodeMessage(short, {}).signals;
    expect(signal?.encoded.problem).toBe('Outside the 2-byte message');
  });

  it('starts with what the database allows', () => {
    const message = aMessage([
      aSignal({ name: 'Temp', offset: '-40' }),
      aSignal({ name: 'Ratio', start_bit: 8, factor: '0.5', minimum: '2', maximum: '9' }),
      aSignal({ name: 'Lamp', start_bit: 16, values: [{ raw: '0', text: 'off' }] }),
    ]);
    const composed = encodeMessage(message, {});
    expect(composed.signals.map(({ input }) => input.text)).toEqual(['-40', '2', '0']);
    expect(formatHex(composed.bytes, ' ')).toBe('00 04 00 00 00 00 00 00');
  });
});

describe('frameLength', () => {
  it.each([
    [true, 0, 0],
    [true, 8, 8],
    [true, 9, 12],
    [true, 33, 48],
    [true, 64, 64],
    [false, 5, 5],
  ])('with fd %s takes %i bytes in %i', (fd, length, expected) => {
    expect(frameLength({ fd, length })).toBe(expected);
  });
});
