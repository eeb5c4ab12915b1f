import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WordOrder } from '../../modbus/pdu/word-order.ts';
import { wordOrders } from '../../modbus/pdu/word-order.ts';
import type { Raw } from '../codecs/encode-linear.ts';
import {
  putItems,
  type RegisterLayout,
  registerAt,
  registerField,
  registerPlaceOf,
} from './register-field.ts';

/** Registers as bytes, to write word orders in tests. */
class Registers {
  readonly #bytes: Uint8Array;

  constructor(...words: readonly number[]) {
    this.#bytes = new Uint8Array(2 * words.length);
    putItems(Uint16Array.from(words), 0, words.length, 2, this.#bytes, 0);
  }

  get words(): Uint16Array {
    return Uint16Array.from({ length: this.#bytes.length / 2 }, (_, word) =>
      registerAt(this.#bytes, 2 * word),
    );
  }

  read(place: RegisterLayout, at: number): Raw {
    return registerField(place, 2 * at).read(this.#bytes, 0);
  }

  write(place: RegisterLayout, at: number, raw: Raw): this {
    registerField(place, 0).write(this.#bytes, 2 * at, raw);
    return this;
  }
}

const zeros = (count: number): number[] => new Array(count).fill(0);

const hexOfWords = (words: Uint16Array): string =>
  Array.from(words, (word) => word.toString(16).toUpperCase().padStart(4, '0')).join(' ');

/** The bytes A B C D … of a value in the positions that the name of the order defines. */
const bytesInOrder = (bytes: readonly number[], order: WordOrder): number[] => {
  const pairs = Array.from({ length: bytes.length / 2 }, (_, pair) =>
    bytes.slice(2 * pair, 2 * pair + 2),
  );
  const swapped = order === 'BADC' || order === 'DCBA' ? pairs.map(([a, b]) => [b, a]) : pairs;
  const ordered = order === 'CDAB' || order === 'DCBA' ? [...swapped].reverse() : swapped;
  return ordered.flat() as number[];
};

/** Words of an unsigned value, from the digits of its hex text. */
const wordsSlowly = (value: bigint, count: number, order: WordOrder): number[] => {
  const hex = value.toString(16).padStart(4 * count, '0');
  const bytes = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  const ordered = bytesInOrder(bytes, order);
  return Array.from(
    { length: count },
    (_, word) => 256 * (ordered[2 * word] ?? 0) + (ordered[2 * word + 1] ?? 0),
  );
};

const rawBits = fc.integer({ min: 1, max: 4 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    bits: fc.integer({ min: Math.max(1, 16 * count - 15), max: 16 * count }),
    order: fc.constantFrom(...wordOrders),
    kind: fc.constantFrom('unsigned' as const, 'signed' as const),
    pattern: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  }),
);

describe('a field of registers', () => {
  it.each([
    ['float32', 123456, 'ABCD', '47F1 2000'],
    ['float32', 123456, 'CDAB', '2000 47F1'],
    ['float32', 123456, 'BADC', 'F147 0020'],
    ['float32', 123456, 'DCBA', '0020 F147'],
    ['float32', Math.fround(123.456), 'ABCD', '42F6 E979'],
    ['float32', Math.fround(Math.PI), 'CDAB', '0FDB 4049'],
    ['float64', 1.5, 'ABCD', '3FF8 0000 0000 0000'],
    ['float64', 1.5, 'DCBA', '0000 0000 0000 F83F'],
    ['unsigned', 0x0123_4567_89ab_cdefn, 'ABCD', '0123 4567 89AB CDEF'],
    ['unsigned', 0x0123_4567_89ab_cdefn, 'CDAB', 'CDEF 89AB 4567 0123'],
    ['unsigned', 0x0123_4567_89ab_cdefn, 'BADC', '2301 6745 AB89 EFCD'],
    ['unsigned', 0x0123_4567_89ab_cdefn, 'DCBA', 'EFCD AB89 6745 2301'],
    ['unsigned', 0x1234, 'BADC', '3412'],
    ['unsigned', 0x1234, 'CDAB', '1234'],
    ['signed', -2, 'CDAB', 'FFFE FFFF'],
    ['signed', -(2n ** 63n), 'ABCD', '8000 0000 0000 0000'],
    ['unsigned', 2n ** 64n - 1n, 'CDAB', 'FFFF FFFF FFFF FFFF'],
    ['unsigned', 0x0102_0304_0506, 'CDAB', '0506 0304 0102'],
  ] as const)('holds the %s %s in the order %s as %s', (kind, raw, order, hex) => {
    const count = hex.split(' ').length;
    const place = { kind, bits: 16 * count, length: 2 * count, order };
    const registers = new Registers(...zeros(count + 2)).write(place, 1, raw);
    expect(hexOfWords(registers.words)).toBe(`0000 ${hex} 0000`);
    expect(registers.read(place, 1)).toBe(raw);
  });

  it('has its lowest bits at the end of its registers, and leaves the bits before it alone', () => {
    fc.assert(
      fc.property(rawBits, ({ count, bits, order, kind, pattern }) => {
        const unsigned = BigInt.asUintN(bits, pattern);
        const raw = kind === 'signed' ? BigInt.asIntN(bits, unsigned) : unsigned;
        const others = BigInt.asUintN(16 * count, ~0n) - (2n ** BigInt(bits) - 1n);
        const place = { kind, bits, length: 2 * count, order };
        const registers = new Registers(...new Array(6).fill(0xffff)).write(place, 1, raw);
        expect([...registers.words]).toEqual([
          0xffff,
          ...wordsSlowly(others + unsigned, count, order),
          ...new Array(5 - count).fill(0xffff),
        ]);
        expect(BigInt(registers.read(place, 1))).toBe(raw);
      }),
      { seed: 61, numRuns: 1000 },
    );
  });

  it('gives numbers wherever they are exact, and bigints beyond', () => {
    const place = { kind: 'unsigned', bits: 64, length: 8, order: 'ABCD' } as const;
    const registers = new Registers(...zeros(4));
    for (const raw of [Number.MAX_SAFE_INTEGER, 2n ** 53n]) {
      expect(registers.write(place, 0, raw).read(place, 0)).toBe(raw);
    }
  });

  it('is any float, as the same bits', () => {
    fc.assert(
      fc.property(fc.double(), fc.constantFrom(...wordOrders), (value, order) => {
        const view = new DataView(new ArrayBuffer(8));
        view.setFloat64(0, value);
        const registers = new Registers(...zeros(4));
        registers.write({ kind: 'float64', bits: 64, length: 8, order }, 0, value);
        expect([...registers.words]).toEqual(wordsSlowly(view.getBigUint64(0), 4, order));
        const half = { kind: 'float32', bits: 32, length: 4, order } as const;
        registers.write(half, 0, Math.fround(value));
        expect(registers.read(half, 0)).toBe(Math.fround(value));
      }),
      { seed: 62, numRuns: 300 },
    );
  });

  it('is a bit of the word on the wire, whatever the order of bytes', () => {
    for (const order of wordOrders) {
      for (let bitOffset = 0; bitOffset < 16; bitOffset++) {
        const place = { kind: 'bool', bits: 1, length: 2, order, bitOffset } as const;
        const registers = new Registers(0, 0xffff).write(place, 0, 1).write(place, 1, 0);
        expect([...registers.words]).toEqual([1 << bitOffset, 0xffff - (1 << bitOffset)]);
        expect([registers.read(place, 0), registers.read(place, 1)]).toEqual([1, 0]);
      }
    }
  });
});

describe('the place of a resource', () => {
  const resource = { id: 'r', endpoint: 'e', address: 7, access: 'poll' } as const;

  it('has the order of its codec, and all of its registers', () => {
    const format = { raw: 'float32', bitLength: 32, factor: 1, offset: 0, specials: [] } as const;
    expect(
      registerPlaceOf({ ...resource, table: 'input', count: 2 }, { ...format, wordOrder: 'CDAB' }),
    ).toEqual({ kind: 'float32', bits: 32, length: 4, order: 'CDAB' });
  });

  it.each(['coil', 'discrete'] as const)('is the whole item of a %s', (table) => {
    const field = registerField(registerPlaceOf({ ...resource, table }), 1);
    const items = new Uint8Array(3);
    field.write(items, 0, 1);
    expect([...items]).toEqual([0, 1, 0]);
    expect(field.read(items, 0)).toBe(1);
  });

  it('is one bit of a register that tells of the validity of another', () => {
    const place = registerPlaceOf({ ...resource, table: 'holding', bit_offset: 15 });
    expect(new Registers(0x8000).read(place, 0)).toBe(1);
  });

  it('takes codecs of one bit with a sign', () => {
    const format = { raw: 'signed', bitLength: 1, factor: 1, offset: 0, specials: [] } as const;
    const row = { ...resource, table: 'holding', bit_offset: 3 } as const;
    const place = registerPlaceOf(row, format);
    const registers = new Registers(0).write(place, 0, -1);
    expect([...registers.words]).toEqual([8]);
    expect(registers.read(place, 0)).toBe(-1);
  });
});
