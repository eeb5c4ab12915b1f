import { describe, expect, it } from 'vitest';
import { readBits } from './bits.ts';
import { crc, namedCrc } from './crc.ts';
import { bypass, isIntact, layoutOf, protect } from './e2e.ts';
import type { E2eCodecRow } from './project.ts';

const bytes = (hex: string): number[] => [...Buffer.from(hex.replaceAll(' ', ''), 'hex')];

/** A frame of a profile, with the payload outside the header. */
const protectedHex = (
  codec: Omit<E2eCodecRow, 'id' | 'kind'>,
  payload: string,
  counter: bigint,
): string => {
  const data = Uint8Array.from(bytes(payload));
  const layout = layoutOf({ id: 'codec', kind: 'e2e', ...codec }, data.length);
  protect(layout, data, counter);
  expect(isIntact(layout, data)).toBe(true);
  return Buffer.from(data).toString('hex').toUpperCase();
};

const zeros = (count: number): string => '00'.repeat(count);

describe('checksums', () => {
  const columns = ['CRC8', 'CRC8H2F', 'CRC16', 'CRC16_ARC', 'CRC32', 'CRC32P4', 'CRC64'];

  it.each([
    [
      '313233343536373839',
      ['4B', 'DF', '29B1', 'BB3D', 'CBF43926', '1697D06A', '995DC9BBDF1939FA'],
    ],
    ['00000000', ['59', '12', '84C0', '0', '2144DF1C', '6FB32240', 'F4A586351E1B9F4B']],
    ['F20183', ['37', 'C2', 'D374', 'C2E1', '24AB9D77', '4F721A25', '319C27668164F1C6']],
    ['0FAA0055', ['79', 'C6', '2023', 'BE3', 'B6C9B287', '20662DF8', '54C5D0F7667C1575']],
    ['00FF5511', ['B8', '77', 'B8F9', '6CCF', '32A06212', '9BD7996E', 'A63822BE7E0704E6']],
    [
      '332255AABBCCDDEEFF',
      ['CB', '11', 'F53F', 'AE98', 'B0AE863D', 'A65A343D', '701ECEB219A8E5D5'],
    ],
    ['926B55', ['8C', '33', '745', 'E24E', '9CDEA29B', 'EE688A78', '5FAA96A9B59F3E4E']],
    ['FFFFFFFF', ['74', '6C', '1D0F', '9401', 'FFFFFFFF', 'FFFFFFFF', 'FFFFFFFF00000000']],
  ])('are those of the catalogue for %s', (hex, expected) => {
    const found = columns.map((name) => namedCrc(name, bytes(hex)).toString(16).toUpperCase());
    expect(found).toEqual(expected);
  });

  it('have what profiles 1 and 11 compute', () => {
    expect(namedCrc('CRC8_GSM_A', bytes('313233343536373839'))).toBe(0x37n);
  });

  it('take widths below a byte', () => {
    // CRC-5/USB and CRC-3/ROHC of the public catalogue.
    const usb = { width: 5, polynomial: 5n, initial: 0x1fn, finalXor: 0x1fn, reflect: true };
    const rohc = { width: 3, polynomial: 3n, initial: 7n, finalXor: 0n, reflect: true };
    expect(crc(usb, bytes('313233343536373839'))).toBe(0x19n);
    expect(crc(rohc, bytes('313233343536373839'))).toBe(0x6n);
  });
});

describe('profiles 1 and 11', () => {
  it.each([
    ['1A', ['CC00', '9101']],
    ['1B', ['CE00', '0201']],
    ['1LOW', ['CE00', '9301']],
    ['1C', ['2A10', '7711']],
    ['11A', ['CC00', '9101']],
    ['11C', ['2A10', '7711']],
  ])('%s writes the published headers', (profile, headers) => {
    const codec = { profile, data_id: 0x0123 };
    const found = [0n, 1n].map((counter) => protectedHex(codec, zeros(8), counter));
    expect(found).toEqual(headers.map((header) => header + zeros(6)));
  });

  it.each(['1C', '11C'])('%s finds its fields elsewhere', (profile) => {
    const offsets = { crc_offset_bits: 64, counter_offset_bits: 72, nibble_offset_bits: 76 };
    const codec = { profile, data_id: 0x0123, ...offsets };
    const found = [0n, 1n].map((counter) => protectedHex(codec, zeros(16), counter));
    expect(found).toEqual([`${zeros(8)}7D10${zeros(6)}`, `${zeros(8)}2011${zeros(6)}`]);
  });

  it.each([
    ['1A', ['5800', 'D709', '590E']],
    ['1B', ['0200', '3D09', '030E']],
    ['1LOW', ['0200', '8D09', '030E']],
    ['1C', ['84C0', '0BC9', '85CE']],
  ])('%s covers the payload', (profile, headers) => {
    const codec = { profile, data_id: 0x0ca7 };
    const found = [0n, 9n, 14n].map((counter) => protectedHex(codec, '0000112233445566', counter));
    expect(found).toEqual(headers.map((header) => `${header}112233445566`));
  });
});

describe('profiles 2 and 22', () => {
  const list = Array.from({ length: 16 }, (_, index) => index + 1);

  it.each(['2', '22'])('%s takes the id of the counter', (profile) => {
    const codec = { profile, data_id_list: list };
    const found = Array.from({ length: 16 }, (_, counter) =>
      protectedHex(codec, zeros(8), BigInt(counter)).slice(0, 2),
    );
    expect(found.join(' ')).toBe('0E 1B 98 31 0D 18 9B 65 08 1D 9E 37 0B 1E 9D CD');
  });

  it('begin with the counter 1', () => {
    const codec = { id: 'codec', kind: 'e2e', profile: '2', data_id_list: list } as const;
    expect(layoutOf(codec, 8).counterInitial).toBe(1n);
  });

  it('cover payload and offset', () => {
    const counted = { profile: '2', data_id_list: list.map((id) => id - 1) };
    expect(protectedHex(counted, '0000020304050607', 2n)).toBe('BC02020304050607');
    expect(protectedHex(counted, '0000020304050607', 1n)).toBe('6101020304050607');
    const zero = { profile: '2', data_id_list: list.map(() => 0) };
    expect(protectedHex(zero, zeros(8), 1n).slice(0, 2)).toBe('45');
    const shifted = { profile: '22', data_id_list: list, offset_bits: 64 };
    expect(protectedHex(shifted, zeros(16), 1n).slice(16, 20)).toBe('1401');
    expect(protectedHex(shifted, zeros(16), 2n).slice(16, 20)).toBe('9702');
    const mixed = { profile: '2', data_id_list: bytes('1337A55AC33C0180FE7F112244889966') };
    expect(protectedHex(mixed, '0000112233445566', 5n)).toBe('F305112233445566');
  });
});

describe('profiles with a header', () => {
  it.each([
    ['4', 0x0a0b0c0d, 0, zeros(16), 0n, '001000000A0B0C0D862B055600000000'],
    ['4', 0x0a0b0c0d, 0, zeros(16), 1n, '001000010A0B0C0DA58E680700000000'],
    ['4', 0x0a0b0c0d, 64, zeros(24), 0n, `${zeros(8)}001800000A0B0C0D69D7502E${zeros(4)}`],
    ['4', 0x0a0b0c0d, 64, zeros(24), 1n, `${zeros(8)}001800010A0B0C0D4A723D7F${zeros(4)}`],
    [
      '4',
      0x12345678,
      0,
      `${zeros(12)}DEADBEEF00010203`,
      0xffffn,
      '0014FFFF12345678336B29FEDEADBEEF00010203',
    ],
    ['5', 0x1234, 0, zeros(8), 0n, `1CCA00${zeros(5)}`],
    ['5', 0x1234, 0, zeros(8), 1n, `CF8D01${zeros(5)}`],
    ['5', 0x1234, 64, zeros(16), 0n, `${zeros(8)}289100${zeros(5)}`],
    ['5', 0x1234, 64, zeros(16), 1n, `${zeros(8)}FBD601${zeros(5)}`],
    ['5', 0xbeef, 0, '0000000102030405', 0xffn, '1A1FFF0102030405'],
    ['6', 0x1234, 0, zeros(8), 0n, `B155000800${zeros(3)}`],
    ['6', 0x1234, 0, zeros(8), 1n, `F4F5000801${zeros(3)}`],
    ['6', 0x1234, 64, zeros(16), 0n, `${zeros(8)}4EB7001000${zeros(3)}`],
    ['6', 0x1234, 64, zeros(16), 1n, `${zeros(8)}0B17001001${zeros(3)}`],
    ['6', 0xbeef, 0, `${zeros(5)}01020304050607`, 0x7fn, 'F43B000C7F01020304050607'],
    ['7', 0x0a0b0c0d, 0, zeros(24), 0n, '1FB2E737FCEDBCD900000018000000000A0B0C0D00000000'],
    ['7', 0x0a0b0c0d, 0, zeros(24), 1n, '7BDE7268B8E9BC2700000018000000010A0B0C0D00000000'],
    [
      '7',
      0x0a0b0c0d,
      64,
      zeros(32),
      0n,
      `${zeros(8)}17F7C817323865A800000020000000000A0B0C0D${zeros(4)}`,
    ],
    [
      '7',
      0x0a0b0c0d,
      64,
      zeros(32),
      1n,
      `${zeros(8)}739B5D48763C655600000020000000010A0B0C0D${zeros(4)}`,
    ],
    [
      '7',
      0x12345678,
      0,
      `${zeros(20)}DEADBEEF00010203`,
      5n,
      '28A96A6B1C81FE070000001C0000000512345678DEADBEEF00010203',
    ],
  ])('profile %s, id %i, offset %i', (profile, data_id, offset_bits, payload, counter, frame) => {
    expect(protectedHex({ profile, data_id, offset_bits }, payload, counter)).toBe(frame);
  });

  it('protects less than there is', () => {
    const codec = { profile: '6', data_id: 0x1234, data_length: 8 };
    expect(protectedHex(codec, `${zeros(8)}AABB`, 0n)).toBe(`B155000800${zeros(3)}AABB`);
  });
});

describe('free layouts', () => {
  const counter = { start_bit: 7, bit_length: 4, byte_order: 'motorola', max: '14' } as const;
  const checksum = { start_bit: 8, bit_length: 8, byte_order: 'intel', algorithm: 'CRC8' } as const;
  const free = { profile: 'free', counter, checksum };

  it('leave the bytes of the checksum out, and put prefix and suffix around', () => {
    const expected = namedCrc('CRC8', bytes('A5 30 11 22 5A')).toString(16).toUpperCase();
    const found = protectedHex({ ...free, prefix: 'A5', suffix: '5A' }, '00001122', 3n);
    expect(found).toBe(`30${expected.padStart(2, '0')}1122`);
  });

  it('count the bits of a checksum as 0 where it shares a byte', () => {
    const shared = {
      start_bit: 11,
      bit_length: 8,
      byte_order: 'motorola',
      algorithm: 'sum8',
    } as const;
    // 20 + F0 + 0F = 1F: 1 in the low nibble of byte 1, F in the high nibble of byte 2.
    const found = protectedHex({ profile: 'free', counter, checksum: shared }, '00F00F00', 2n);
    expect(found).toBe('20F1FF00');
  });

  it('know CRCs by their parameters', () => {
    const field = { start_bit: 8, bit_length: 16, byte_order: 'intel' } as const;
    const named = { ...field, algorithm: 'CRC16_ARC' };
    const own = {
      ...field,
      algorithm: 'crc',
      width: 16,
      reflect: true,
      polynomial: '8005',
      initial: '0x0000',
      final_xor: '0',
    };
    const frames = [named, own].map((row) =>
      protectedHex({ profile: 'free', counter, checksum: row }, '000000A1B2C3', 9n),
    );
    expect(frames[1]).toBe(frames[0]);
  });

  it('refuse counters beyond their largest', () => {
    const layout = layoutOf({ id: 'codec', kind: 'e2e', ...free }, 4);
    const data = new Uint8Array(4);
    protect(layout, data, 15n);
    expect(isIntact(layout, data)).toBe(false);
  });
});

it('bypass leaves the first counter and zeros', () => {
  const codec = { id: 'codec', kind: 'e2e', profile: '4', data_id: 0x0a0b0c0d } as const;
  const layout = layoutOf({ ...codec, counter_initial: '513' }, 16);
  const data = new Uint8Array(16).fill(0xff);
  bypass(layout, data);
  expect(Buffer.from(data).toString('hex')).toBe(`00000201${zeros(8)}ffffffff`);
  expect(readBits(data, layout.counter)).toBe(513n);
});
