import { describe, expect, it } from 'vitest';
import type { E2eSettings } from './codec-fields.ts';
import { link, protectedWith } from './testing/frames.ts';

const zeros = (bytes: number): string => '00'.repeat(bytes);
const plain = (hex: string): string => hex.replaceAll(' ', '');

/** The frame of a sender equals the published one, and a receiver accepts it as its first. */
const expectVector = (
  fields: Partial<E2eSettings>,
  data: string,
  counter: number,
  expected: string,
): void => {
  const frame = protectedWith(fields, data, counter);
  expect(frame.hex).toBe(plain(expected));
  const { checker } = link(fields, frame.data.length);
  expect(checker.check(frame.buffer, frame.at)).toBe('initial');
};

describe('profiles 1 and 11 build the frames that others publish', () => {
  it.each([
    ['1A', 'cc 00', '91 01'],
    ['1B', 'ce 00', '02 01'],
    ['1LOW', 'ce 00', '93 01'],
    ['1C', '2a 10', '77 11'],
    ['11A', 'cc 00', '91 01'],
    ['11C', '2a 10', '77 11'],
  ] as const)('%s with zeros', (profile, first, second) => {
    const fields = { profile, data_id: 0x0123 };
    expectVector(fields, zeros(8), 0, first + zeros(6));
    expectVector(fields, zeros(8), 1, second + zeros(6));
  });

  it.each(['1C', '11C'] as const)('%s with its header in the middle', (profile) => {
    const fields = {
      profile,
      data_id: 0x0123,
      crc_offset_bits: 64,
      counter_offset_bits: 72,
      nibble_offset_bits: 76,
    };
    expectVector(fields, zeros(16), 0, `${zeros(8)} 7d 10 ${zeros(6)}`);
    expectVector(fields, zeros(16), 1, `${zeros(8)} 20 11 ${zeros(6)}`);
  });

  it.each([
    ['1A', '58 00', 'd7 09', '59 0e'],
    ['1B', '02 00', '3d 09', '03 0e'],
    ['1LOW', '02 00', '8d 09', '03 0e'],
    ['1C', '84 c0', '0b c9', '85 ce'],
    ['11A', '58 00', 'd7 09', '59 0e'],
    ['11C', '84 c0', '0b c9', '85 ce'],
  ] as const)('%s with data', (profile, counter0, counter9, counter14) => {
    const fields = { profile, data_id: 0x0ca7 };
    const rest = '112233445566';
    expectVector(fields, `0000${rest}`, 0, counter0 + rest);
    expectVector(fields, `0000${rest}`, 9, counter9 + rest);
    expectVector(fields, `0000${rest}`, 14, counter14 + rest);
  });
});

describe('profiles 2 and 22 build the frames that others publish', () => {
  const rising = Array.from({ length: 16 }, (_, index) => index + 1);

  it.each(['2', '22'] as const)('%s with every counter', (profile) => {
    const expected = '0e 1b 98 31 0d 18 9b 65 08 1d 9e 37 0b 1e 9d cd'.split(' ');
    expected.forEach((checksum, counter) => {
      const header = `${checksum}0${counter.toString(16)}`;
      expectVector({ profile, data_id_list: rising }, zeros(8), counter, header + zeros(6));
    });
  });

  it.each(['2', '22'] as const)('%s with other lists and data', (profile) => {
    const fromZero = rising.map((id) => id - 1);
    const data = '02 03 04 05 06 07';
    const list = [
      0x13, 0x37, 0xa5, 0x5a, 0xc3, 0x3c, 0x01, 0x80, 0xfe, 0x7f, 0x11, 0x22, 0x44, 0x88, 0x99,
      0x66,
    ];
    expectVector({ profile, data_id_list: fromZero }, `0000${data}`, 2, `bc02 ${data}`);
    expectVector({ profile, data_id_list: fromZero }, `0000${data}`, 1, `6101 ${data}`);
    const noIds = Array.from({ length: 16 }, () => 0);
    expectVector({ profile, data_id_list: noIds }, zeros(8), 1, `4501${zeros(6)}`);
    const rest = '112233445566';
    expectVector({ profile, data_id_list: list }, `0000${rest}`, 5, `f305${rest}`);
  });

  it('22 with its header in the middle', () => {
    const fields = { profile: '22', data_id_list: rising, offset_bits: 64 } as const;
    expectVector(fields, zeros(16), 1, `${zeros(8)} 14 01 ${zeros(6)}`);
    expectVector(fields, zeros(16), 2, `${zeros(8)} 97 02 ${zeros(6)}`);
  });

  it.each(['2', '22'] as const)('%s leaves the bits beside its counter to the data', (profile) => {
    const frame = protectedWith({ profile, data_id_list: rising }, `ffff${zeros(6)}`, 3);
    expect(frame.data[1]).toBe(0xf3);
  });
});

describe('the profiles with a header build the frames that others publish', () => {
  const id = { data_id: 0x0a0b_0c0d };

  it('4', () => {
    const fields = { profile: '4', ...id } as const;
    const ids = '0a0b0c0d';
    expectVector(fields, zeros(16), 0, `0010 0000 ${ids} 862b0556 ${zeros(4)}`);
    expectVector(fields, zeros(16), 1, `0010 0001 ${ids} a58e6807 ${zeros(4)}`);
    const moved = { ...fields, offset_bits: 64 };
    expectVector(moved, zeros(24), 0, `${zeros(8)} 0018 0000 ${ids} 69d7502e ${zeros(4)}`);
    expectVector(moved, zeros(24), 1, `${zeros(8)} 0018 0001 ${ids} 4a723d7f ${zeros(4)}`);
    const data = 'deadbeef00010203';
    expectVector(
      { profile: '4', data_id: 0x1234_5678 },
      zeros(12) + data,
      0xffff,
      `0014 ffff 12345678 336b29fe ${data}`,
    );
  });

  it('5', () => {
    const fields = { profile: '5', data_id: 0x1234 } as const;
    expectVector(fields, zeros(8), 0, `1cca 00 ${zeros(5)}`);
    expectVector(fields, zeros(8), 1, `cf8d 01 ${zeros(5)}`);
    const moved = { ...fields, offset_bits: 64 };
    expectVector(moved, zeros(16), 0, `${zeros(8)} 2891 00 ${zeros(5)}`);
    expectVector(moved, zeros(16), 1, `${zeros(8)} fbd6 01 ${zeros(5)}`);
    const data = '0102030405';
    expectVector({ profile: '5', data_id: 0xbeef }, zeros(3) + data, 0xff, `1a1f ff ${data}`);
  });

  it('6', () => {
    const fields = { profile: '6', data_id: 0x1234 } as const;
    expectVector(fields, zeros(8), 0, `b155 0008 00 ${zeros(3)}`);
    expectVector(fields, zeros(8), 1, `f4f5 0008 01 ${zeros(3)}`);
    const moved = { ...fields, offset_bits: 64 };
    expectVector(moved, zeros(16), 0, `${zeros(8)} 4eb7 0010 00 ${zeros(3)}`);
    expectVector(moved, zeros(16), 1, `${zeros(8)} 0b17 0010 01 ${zeros(3)}`);
    const data = '01020304050607';
    const other = { profile: '6', data_id: 0xbeef } as const;
    expectVector(other, zeros(5) + data, 0x7f, `f43b 000c 7f ${data}`);
  });

  it('7', () => {
    const fields = { profile: '7', ...id } as const;
    const ids = '0a0b0c0d';
    const first = `1fb2e737fcedbcd9 00000018 00000000 ${ids} ${zeros(4)}`;
    const second = `7bde7268b8e9bc27 00000018 00000001 ${ids} ${zeros(4)}`;
    expectVector(fields, zeros(24), 0, first);
    expectVector(fields, zeros(24), 1, second);
    const moved = { ...fields, offset_bits: 64 };
    const header = (counter: number): string => `00000020 0000000${counter} ${ids} ${zeros(4)}`;
    expectVector(moved, zeros(32), 0, `${zeros(8)} 17f7c817323865a8 ${header(0)}`);
    expectVector(moved, zeros(32), 1, `${zeros(8)} 739b5d48763c6556 ${header(1)}`);
    const data = 'deadbeef00010203';
    expectVector(
      { profile: '7', data_id: 0x1234_5678 },
      zeros(20) + data,
      5,
      `28a96a6b1c81fe07 0000001c 00000005 12345678 ${data}`,
    );
  });
});

/** Profile 8 is not available to projects, but a free layout can express it. */
describe('a free layout as profile 8', () => {
  const motorola = 'motorola' as const;
  const profile8 = (header: number): Partial<E2eSettings> => ({
    profile: 'free',
    checksum: {
      start_bit: 8 * header + 7,
      bit_length: 32,
      byte_order: motorola,
      algorithm: 'CRC32P4',
    },
    counter: {
      start_bit: 8 * (header + 8) + 7,
      bit_length: 32,
      byte_order: motorola,
      max: '4294967295',
    },
  });

  it.each([
    [0, `${zeros(4)} 00000014 ${zeros(4)} 0a0b0c0d ${zeros(4)}`, 0, '41494e52'],
    [8, `${zeros(12)} 0000001c ${zeros(4)} 0a0b0c0d ${zeros(4)}`, 0, 'e891e5a8'],
    [0, `${zeros(4)} 00000018 ${zeros(4)} 12345678 deadbeef00010203`, 0xffff_ffff, '22c44d39'],
  ])('builds its checksum with the header at byte %d', (header, data, counter, checksum) => {
    const { hex } = protectedWith(profile8(header), data, counter);
    expect(hex.slice(2 * header, 2 * header + 8)).toBe(checksum);
    expect(hex.slice(2 * header + 16, 2 * header + 24)).toBe(counter.toString(16).padStart(8, '0'));
  });
});

/**
 * Profiles 4m and 7m have one word more than 4 and 7; free layouts have length and id as data.
 */
describe('free layouts as profiles 4m and 7m', () => {
  it.each([
    [
      '4m',
      { checksum: [8, 4, 'CRC32P4'], counter: [2, 2] },
      `0014 0000 0a0b0c0d ${zeros(4)} 00123456 ${zeros(4)}`,
      `0014 0000 0a0b0c0d ae674ca0 00123456 ${zeros(4)}`,
    ],
    [
      '7m',
      { checksum: [0, 8, 'CRC64'], counter: [12, 4] },
      `${zeros(8)} 0000001c 00000000 0a0b0c0d 00123456 ${zeros(4)}`,
      `ae96a7d0a5017594 0000001c 00000000 0a0b0c0d 00123456 ${zeros(4)}`,
    ],
  ] as const)('%s', (_, { checksum, counter }, data, expected) => {
    const place = (byte: number, bytes: number) => ({
      start_bit: 8 * byte + 7,
      bit_length: 8 * bytes,
      byte_order: 'motorola' as const,
    });
    const [byte, bytes, algorithm] = checksum;
    const fields: Partial<E2eSettings> = {
      profile: 'free',
      checksum: { ...place(byte, bytes), algorithm },
      counter: { ...place(counter[0], counter[1]), max: String(256 ** counter[1] - 1) },
    };
    expectVector(fields, data, 0, expected);
  });
});
