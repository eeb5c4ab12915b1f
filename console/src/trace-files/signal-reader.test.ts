import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DatabaseSignal } from '../api/client.ts';
import { decodeMessage } from '../codec/decode-message.ts';
import { aMessage, aSignal, bytesOf, when } from '../codec/testing/models.ts';
import { SignalCollector, signalReader } from './signal-reader.ts';

/** Value as the details of a frame show it. */
const decoded = (signals: readonly DatabaseSignal[], name: string, data: Uint8Array): number => {
  const found = decodeMessage(aMessage(signals), data).find(({ signal }) => signal.name === name);
  return found?.state === 'present' && found.value !== null ? Number(found.value) : Number.NaN;
};

const readAs = (signals: readonly DatabaseSignal[], name: string, data: Uint8Array): number => {
  const signal = signals.find((each) => each.name === name) ?? aSignal();
  const { raw, physical } = signalReader(aMessage(signals), signal);
  // Bytes of other frames are around those of this one.
  const payload = new Uint8Array(data.length + 20).fill(0xa5);
  payload.set(data, 10);
  return physical(raw(payload, 10, data.length));
};

const anySignal = fc
  .record({
    byte_order: fc.constantFrom('intel' as const, 'motorola' as const),
    kind: fc.constantFrom('unsigned' as const, 'signed' as const),
    length: fc.integer({ min: 1, max: 32 }),
    start: fc.nat({ max: 63 }),
    factor: fc.constantFrom('1', '0.25', '-2', '100'),
    offset: fc.constantFrom('0', '-40', '0.5'),
  })
  .map(({ length, start, byte_order, ...rest }) => {
    const start_bit = byte_order === 'intel' ? Math.min(start, 64 - length) : (start % 8) | 0;
    return aSignal({ ...rest, byte_order, length, start_bit });
  });

const anyFrame = fc.uint8Array({ minLength: 0, maxLength: 8 });

describe('a signal of many frames', () => {
  it('has the values that the details of each frame show', () => {
    fc.assert(
      fc.property(anySignal, anyFrame, (signal, data) => {
        const read = readAs([signal], signal.name, data);
        const shown = decoded([signal], signal.name, data);
        expect(Object.is(read, shown) || Math.abs(read - shown) < 1e-6).toBe(true);
      }),
    );
  });

  it.each(['float32', 'float64'] as const)('reads %s', (kind) => {
    const signal = aSignal({ kind, length: kind === 'float32' ? 32 : 64 });
    for (const hex of ['0000C03F0000F03F', '000000000000F03F', 'DB0F4940182D4454']) {
      const data = bytesOf(hex);
      expect(readAs([signal], signal.name, data)).toBeCloseTo(
        decoded([signal], signal.name, data),
        6,
      );
    }
    expect(readAs([signal], signal.name, bytesOf('0000'))).toBeNaN();
  });

  it('is absent in frames in which its multiplexers do not select it', () => {
    const signals = [
      aSignal({ name: 'Outer', length: 4 }),
      aSignal({ name: 'Inner', start_bit: 4, length: 4, multiplexing: when('Outer', [1, 2]) }),
      aSignal({ name: 'Value', start_bit: 8, multiplexing: when('Inner', [3, 3], [5, 9]) }),
    ];
    for (const hex of ['3107', '5207', '4107', '3307', '9107', '31']) {
      const data = bytesOf(hex);
      expect(readAs(signals, 'Value', data), hex).toEqual(decoded(signals, 'Value', data));
    }
  });

  it('has the scales of LDF encodings by range', () => {
    const range = (from: number, to: number, factor: string) => ({
      ...{ from: String(from), to: String(to), factor, offset: '1', unit: '' },
    });
    const signal = aSignal({ ranges: [range(0, 9, '2'), range(20, 29, '3')] });
    expect(readAs([signal], signal.name, bytesOf('05'))).toBe(11);
    expect(readAs([signal], signal.name, bytesOf('14'))).toBe(61);
    expect(readAs([signal], signal.name, bytesOf('0F'))).toBeNaN();
  });

  it('is collected with the labels of its values', () => {
    const gear = aSignal({
      name: 'Gear',
      values: [
        { raw: '0', text: 'park' },
        { raw: '3', text: 'third' },
      ],
    });
    const collector = new SignalCollector(aMessage([gear]), gear, 0);
    for (let at = 0; at < 5000; at++) collector.take(at * 10, Uint8Array.of(at % 4), 0, 1);
    collector.take(1, Uint8Array.of(3), 0, 1);
    const { times, values, labels, labelTexts } = collector.columns;
    expect(times).toHaveLength(5001);
    expect(times.at(-1)).toBe(49_990);
    expect([...values.slice(0, 4)]).toEqual([0, 1, 2, 3]);
    expect([...labels.slice(0, 4)].map((place) => labelTexts[place])).toEqual([
      ...['park', undefined, undefined, 'third'],
    ]);
  });
});
