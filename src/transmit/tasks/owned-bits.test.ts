import { describe, expect, it } from 'vitest';
import { loadCodec } from '../../e2e/testing/load-codec.ts';
import { OwnedBits } from './owned-bits.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const place = { startBit: 20, length: 4, byteOrder: 'intel' } as const;

const sentBy = (owned: OwnedBits, data: Uint8Array, accepts: readonly boolean[]): string[] =>
  accepts.map((isAccepted) => {
    owned.prepare(data);
    owned.settle(isAccepted);
    return hexOf(data);
  });

describe('bits that a task owns', () => {
  it('count accepted frames and wrap after the maximum', () => {
    const owned = new OwnedBits({ counter: { place, max: 2n }, length: 4 });
    const data = Uint8Array.of(1, 2, 3, 4);
    expect(sentBy(owned, data, [true, true, false, true, true])).toEqual([
      '01020304',
      '01021304',
      '01022304',
      '01022304',
      '01020304',
    ]);
  });

  it('are the protection of the vectors of profile 1A', () => {
    const e2e = loadCodec({ profile: '1A', data_id: 0x0123 }, 8);
    const owned = new OwnedBits({ e2e, length: 8 });
    expect(sentBy(owned, new Uint8Array(8), [false, true, true])).toEqual([
      'CC00000000000000',
      'CC00000000000000',
      '9101000000000000',
    ]);
  });

  it('survive a change of the other bits', () => {
    const owned = new OwnedBits({ counter: { place, max: 14n }, length: 4 });
    const data = new Uint8Array(4);
    sentBy(owned, data, [true, true]);
    owned.change(data, Uint8Array.of(0xaa, 0xbb, 0xcc, 0xdd));
    expect(hexOf(data)).toBe('AABB1CDD');
  });
});
