import { describe, expect, it } from 'vitest';
import { catalogueChecksum } from './checksums.ts';
import type { E2eSettings } from './codec-fields.ts';
import { hexBytes, protectedWith } from './testing/frames.ts';
import { Uint64 } from './uint64.ts';

type Checksum = NonNullable<E2eSettings['checksum']>;

const counter = { start_bit: 0, bit_length: 4, byte_order: 'intel', max: '15' } as const;

const codec = (checksum: Checksum, others: Partial<E2eSettings> = {}): Partial<E2eSettings> => ({
  profile: 'free',
  counter,
  checksum,
  ...others,
});

const checksumOf = (name: 'CRC8' | 'CRC16' | 'CRC32' | 'sum8' | 'xor8', input: string): string => {
  const result = new Uint64();
  catalogueChecksum(name).compute(hexBytes(input), result);
  return result.toBigInt().toString(16);
};

describe('the checksum of a free layout', () => {
  it.each([
    ['the bytes before and behind it', 24, 'a0112244556677', '', ''],
    ['its prefix first', 24, 'cafe a0112244556677', 'cafe', ''],
    ['its suffix last', 24, 'a0112244556677 0bad', '', '0bad'],
    ['both, at the beginning', 0, 'ca 10112233445566 0b', 'ca', '0b'],
    ['both, at the end', 56, 'ca a0112233445566 0b', 'ca', '0b'],
  ] as const)('covers %s', (_, start_bit, input, prefix, suffix) => {
    const at = start_bit / 8;
    const place = { start_bit, bit_length: 8, byte_order: 'intel' } as const;
    const others = {
      ...(prefix && { prefix }),
      ...(suffix && { suffix }),
      ...(at === 0 && { counter: { ...counter, start_bit: 8 } }),
    };
    const data = at === 0 ? 'ff10112233445566' : 'a011223344556677';
    const frame = protectedWith(codec({ ...place, algorithm: 'CRC8' }, others), data, 0);
    const shown = (frame.data[at] as number).toString(16);
    expect(shown).toBe(checksumOf('CRC8', input));
  });

  it.each([
    // Frame a0 11 22 33 44 55 66 77; the checksum field counts as 0 in the input.
    ['intel', 20, 'a0 11 02 40 55 66 77'],
    ['motorola', 19, 'a0 11 20 04 55 66 77'],
  ] as const)(
    'counts its own bits as 0 where it shares bytes: %s from bit %d',
    (byte_order, start_bit, input) => {
      const place = { start_bit, bit_length: 16, byte_order } as const;
      const { hex } = protectedWith(codec({ ...place, algorithm: 'CRC16' }), 'a011223344556677', 0);
      const expected = checksumOf('CRC16', input).padStart(4, '0');
      const digits =
        byte_order === 'motorola'
          ? hex.slice(5, 9)
          : // Nibbles from the least significant one: high nibble of byte 2, byte 3, low nibble of byte 4.
            [hex[9], hex[6], hex[7], hex[4]].join('');
      expect(digits).toBe(expected);
      expect(hex.startsWith(byte_order === 'motorola' ? 'a0112' : 'a011')).toBe(true);
    },
  );

  it('of less than a byte shares it with others', () => {
    const checksum = {
      start_bit: 5,
      bit_length: 1,
      byte_order: 'intel',
      algorithm: 'crc',
      width: 1,
      polynomial: '1',
      initial: '0',
      final_xor: '0',
      reflect: false,
    } as const;
    const parities = ['00', '10', 'd0', 'f0'].map(
      (data) => ((protectedWith(codec(checksum), data, 0).data[0] as number) >> 5) & 1,
    );
    expect(parities).toEqual([0, 1, 1, 1]);
    expect(protectedWith(codec(checksum), '10', 1).hex).toBe('11');
  });

  it.each([
    ['intel', 32],
    ['motorola', 39],
  ] as const)('has its bytes in the order that it says: %s', (byte_order, start_bit) => {
    const place = { start_bit, bit_length: 32, byte_order } as const;
    const { hex } = protectedWith(codec({ ...place, algorithm: 'CRC32' }), '00'.repeat(8), 0);
    const bytes = hex.slice(8).match(/../g) ?? [];
    const ordered = byte_order === 'intel' ? bytes.toReversed() : bytes;
    expect(ordered.join('')).toBe(checksumOf('CRC32', '00000000'));
  });

  it.each(['sum8', 'xor8'] as const)('is %s of all that it covers', (algorithm) => {
    const end = { start_bit: 63, bit_length: 8, byte_order: 'motorola', algorithm } as const;
    const { data } = protectedWith(
      codec(end, { prefix: 'f1', suffix: 'e2' }),
      '0ff0aa55ff0102ff',
      9,
    );
    expect((data[7] as number).toString(16)).toBe(checksumOf(algorithm, 'f1 09f0aa55ff0102 e2'));
  });
});
