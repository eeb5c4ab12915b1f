import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { wireField } from './wire-field.ts';

/** Bits of a field from the most significant one, with the bit numbers of DBC files. */
const bitNumbers = (start: number, bits: number, isMotorola: boolean): number[] =>
  Array.from({ length: bits }, (_, place) => {
    if (!isMotorola) return start + bits - 1 - place;
    const down = 8 * (start >> 3) + (7 - (start & 7)) + place;
    return 8 * (down >> 3) + (7 - (down & 7));
  });

const readSlowly = (bytes: Uint8Array, numbers: readonly number[], isSigned: boolean): bigint => {
  const text = numbers.map((bit) => ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1).join('');
  const value = BigInt(`0b${text}`);
  return isSigned ? BigInt.asIntN(numbers.length, value) : value;
};

const place = fc
  .record({
    kind: fc.constantFrom('unsigned', 'signed'),
    start: fc.integer({ min: 0, max: 127 }),
    bits: fc.integer({ min: 1, max: 64 }),
    isMotorola: fc.boolean(),
  })
  .filter(({ start, bits, isMotorola }) =>
    bitNumbers(start, bits, isMotorola).every((bit) => bit >= 0 && bit < 128),
  );

describe('a field on the wire', () => {
  it('is read bit by bit', () => {
    fc.assert(
      fc.property(place, fc.uint8Array({ minLength: 20, maxLength: 20 }), (field, bytes) => {
        const numbers = bitNumbers(field.start, field.bits, field.isMotorola);
        const expected = readSlowly(bytes.subarray(4), numbers, field.kind === 'signed');
        expect(BigInt(wireField(field).read(bytes, 4))).toBe(expected);
      }),
      { seed: 31, numRuns: cases(200, 1000) },
    );
  });

  it('is written so that it is read again, and nothing else changes', () => {
    fc.assert(
      fc.property(place, fc.uint8Array({ minLength: 20, maxLength: 20 }), (field, bytes) => {
        const numbers = new Set(bitNumbers(field.start, field.bits, field.isMotorola));
        const wire = wireField(field);
        const raw = wire.read(bytes, 4);
        const written = new Uint8Array(20).fill(0xa5);
        wire.write(written, 4, raw);
        expect(wire.read(written, 4)).toBe(raw);
        for (let bit = 0; bit < 128; bit++) {
          if (numbers.has(bit)) continue;
          const byte = 4 + (bit >> 3);
          expect(((written[byte] ?? 0) >> (bit & 7)) & 1).toBe((0xa5 >> (bit & 7)) & 1);
        }
      }),
      { seed: 32, numRuns: cases(60, 300) },
    );
  });

  it.each([
    ['float32', false, '0000c03f'],
    ['float32', true, '3fc00000'],
    ['float64', false, '000000000000f83f'],
    ['float64', true, '3ff8000000000000'],
  ] as const)('holds %s, Motorola %s', (kind, isMotorola, hex) => {
    const bits = kind === 'float32' ? 32 : 64;
    const wire = wireField({ kind, start: isMotorola ? 7 : 0, bits, isMotorola });
    const bytes = new Uint8Array(8);
    wire.write(bytes, 0, 1.5);
    expect(Buffer.from(bytes).toString('hex')).toBe(hex.padEnd(16, '0'));
    expect(wire.read(bytes, 0)).toBe(1.5);
  });
});
