import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BitLayout, Uint64, Uint64Field } from './uint64.ts';

const frameBytes = 64;

/** The bits of a frame in transmission order: most significant bit of each byte first. */
const wire = Array.from(
  { length: 8 * frameBytes },
  (_, place) => 8 * (place >> 3) + 7 - (place & 7),
);

/** The bits of a field by DBC bit numbers, least significant first. */
const bitsOf = ({ startBit, bitLength, byteOrder }: BitLayout): number[] => {
  if (byteOrder === 'intel') return Array.from({ length: bitLength }, (_, bit) => startBit + bit);
  const first = wire.indexOf(startBit);
  return wire.slice(first, first + bitLength).reverse();
};

const anyField = fc
  .record({
    startBit: fc.integer({ min: 0, max: 8 * frameBytes - 1 }),
    bitLength: fc.integer({ min: 1, max: 64 }),
    byteOrder: fc.constantFrom('intel', 'motorola'),
  })
  .filter(
    (place) =>
      bitsOf(place).length === place.bitLength &&
      bitsOf(place).every((bit) => bit < 8 * frameBytes),
  );

describe('Uint64Field', () => {
  it.each([
    ['intel', 12, 8, '00a50b', '000500', 0xba],
    ['motorola', 11, 8, '000ba5', '000005', 0xba],
    ['intel', 8, 16, '001234', '000000', 0x3412],
    ['motorola', 15, 16, '001234', '000000', 0x1234],
  ] as const)(
    'reads %s bits from %d, %d of them',
    (byteOrder, startBit, bitLength, hex, cleared, expected) => {
      const field = new Uint64Field({ startBit, bitLength, byteOrder });
      const bytes = Buffer.from(hex, 'hex');
      const value = new Uint64();
      field.read(bytes, 0, value);
      expect(value.toNumber()).toBe(expected);
      field.write(bytes, 0, new Uint64());
      expect(bytes.toString('hex')).toBe(cleared);
    },
  );

  it('has each bit where the database puts those of a signal, and touches no other', () => {
    const anyBytes = fc.uint8Array({ minLength: frameBytes + 3, maxLength: frameBytes + 3 });
    fc.assert(
      fc.property(anyField, fc.bigInt(0n, 2n ** 64n - 1n), anyBytes, (place, written, before) => {
        const expected = before.slice();
        bitsOf(place).forEach((number, weight) => {
          const bit = number + 3 * 8;
          const byte = Math.floor(bit / 8);
          const others = (expected[byte] as number) & ~(1 << (bit % 8));
          const isSet = Number((written >> BigInt(weight)) & 1n);
          expected[byte] = others | (isSet << (bit % 8));
        });
        const field = new Uint64Field(place);
        const bytes = before.slice();
        field.write(bytes, 3, Uint64.of(written));
        expect(bytes).toEqual(expected);
        const value = new Uint64();
        field.read(bytes, 3, value);
        expect(value.toBigInt()).toBe(BigInt.asUintN(place.bitLength, written));
      }),
    );
  });
});
