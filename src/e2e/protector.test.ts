import { describe, expect, it } from 'vitest';
import type { E2eSettings } from './codec-fields.ts';
import { hexBytes, link, PlacedBytes, protectedWith } from './testing/frames.ts';
import { Uint64 } from './uint64.ts';

const data = '0000112233445566';
const profile1A: Partial<E2eSettings> = { profile: '1A', data_id: 0x0ca7 };
const profile2: Partial<E2eSettings> = {
  profile: '2',
  data_id_list: Array.from({ length: 16 }, (_, index) => 7 * index + 3),
};

const wideCounter = (max: bigint): Partial<E2eSettings> => ({
  profile: 'free',
  counter: { start_bit: 64, bit_length: 64, byte_order: 'intel', max: String(max) },
  checksum: { start_bit: 0, bit_length: 8, byte_order: 'intel', algorithm: 'CRC8' },
});

/** A sender of one frame with readable counters. */
const setUp = (fields: Partial<E2eSettings>, hex = data) => {
  const bytes = hexBytes(hex);
  const { protector, layout, checker } = link(fields, bytes.length);
  const frame = new PlacedBytes(bytes);
  const counter = (): bigint => {
    const value = new Uint64();
    layout.counter.read(frame.buffer, frame.at, value);
    return value.toBigInt();
  };
  return {
    frame,
    counter,
    checker,
    protect: () => protector.protect(frame.buffer, frame.at),
    commit: () => protector.commit(),
    discard: () => protector.discard(),
    reset: () => protector.reset(),
    bypass: () => protector.bypass(frame.buffer, frame.at),
    freeze: (value?: number | bigint) => protector.freezeCounter(frame.buffer, frame.at, value),
    jump: (by: number | bigint) => protector.jumpCounter(frame.buffer, frame.at, by),
    corrupt: (mask: number | bigint) => protector.corruptChecksum(frame.buffer, frame.at, mask),
    check: () => checker.check(frame.buffer, frame.at),
    /** Builds a frame that is accepted, and returns its counter. */
    send: (): bigint => {
      protector.protect(frame.buffer, frame.at);
      protector.commit();
      return counter();
    },
  };
};

const sent = ({ send }: ReturnType<typeof setUp>, frames: number): number[] =>
  Array.from({ length: frames }, () => Number(send()));

describe('the counter of a Protector', () => {
  it.each([
    ['1A', { data_id: 1 }, [0, 1, 2]],
    ['11C', { data_id: 1 }, [0, 1, 2]],
    ['2', { data_id_list: profile2.data_id_list }, [1, 2, 3]],
    ['22', { data_id_list: profile2.data_id_list }, [1, 2, 3]],
    ['5', { data_id: 1 }, [0, 1, 2]],
    ['6', { data_id: 1 }, [0, 1, 2]],
    ['2', { data_id_list: profile2.data_id_list, counter_initial: '0' }, [0, 1, 2]],
    ['5', { data_id: 1, counter_initial: '9' }, [9, 10, 11]],
  ] as const)(
    'begins in profile %s where the codec or the profile says: %o',
    (profile, fields, expected) => {
      const codec = { ...fields, profile } as Partial<E2eSettings>;
      expect(sent(setUp(codec), 3)).toEqual(expected);
    },
  );

  it.each([
    [profile1A, 14],
    [profile2, 15],
    [{ profile: '5', data_id: 1 }, 255],
    [{ ...wideCounter(9n) }, 9],
  ] as const)('begins anew behind its largest count: %o', (fields, max) => {
    const codec = { ...fields, counter_initial: String(max - 1) } as Partial<E2eSettings>;
    expect(sent(setUp(codec, '00'.repeat(16)), 4)).toEqual([max - 1, max, 0, 1]);
  });

  it('counts beyond what a double can', () => {
    const sender = setUp(
      { ...wideCounter(2n ** 64n - 1n), counter_initial: String(2n ** 64n - 2n) },
      '00'.repeat(16),
    );
    expect([sender.send(), sender.send(), sender.send()]).toEqual([
      2n ** 64n - 2n,
      2n ** 64n - 1n,
      0n,
    ]);
  });

  it('moves when the frame was taken, and once for each', () => {
    const sender = setUp(profile1A);
    sender.protect();
    sender.protect();
    expect(sender.counter()).toBe(0n);
    sender.commit();
    sender.commit();
    expect(sender.send()).toBe(1n);
  });

  it('stays when the frame was not taken', () => {
    const sender = setUp(profile1A);
    sender.send();
    sender.protect();
    sender.discard();
    sender.commit();
    expect(sender.send()).toBe(1n);
  });

  it('begins anew after a reset', () => {
    const sender = setUp(profile2);
    sent(sender, 3);
    sender.protect();
    sender.reset();
    sender.commit();
    expect(sender.send()).toBe(1n);
  });
});

describe('a frozen counter', () => {
  it.each([
    [undefined, 0],
    [9, 9],
    [14n, 14],
  ] as const)('is %s in a frame that is otherwise right', (value, expected) => {
    const sender = setUp(profile1A);
    sent(sender, 5);
    sender.protect();
    sender.freeze(value);
    expect(sender.frame.hex).toBe(protectedWith(profile1A, data, expected).hex);
  });

  it('is the initial one of the codec if nothing else is said', () => {
    const sender = setUp({ ...profile2, counter_initial: '6' });
    sent(sender, 3);
    sender.protect();
    sender.freeze();
    expect(sender.counter()).toBe(6n);
  });

  it('leaves the counters of later frames as they were', () => {
    const sender = setUp(profile1A);
    sent(sender, 5);
    sender.protect();
    sender.freeze(2);
    sender.commit();
    expect(sender.send()).toBe(6n);
  });

  it('is repeated for the receiver', () => {
    const sender = setUp(profile1A);
    const results = Array.from({ length: 4 }, () => {
      sender.protect();
      sender.freeze();
      sender.commit();
      return sender.check();
    });
    expect(results).toEqual(['initial', 'repeated', 'repeated', 'repeated']);
  });
});

describe('a counter that jumps', () => {
  it.each([
    [profile1A, 3, 8],
    [profile1A, -6, 14],
    [profile1A, 15n * 10n ** 30n + 1n, 6],
    [profile2, 9, 15],
    [profile2, 10, 0],
    [profile2, -7n, 15],
  ] as const)(
    'of %o by %s is right in its frame, and later ones go on from it',
    (fields, by, expected) => {
      const sender = setUp(fields);
      sent(sender, 5);
      sender.protect();
      sender.jump(by);
      expect(sender.frame.hex).toBe(protectedWith(fields, data, expected).hex);
      sender.commit();
      expect(Number(sender.send())).toBe((expected + 1) % (fields === profile1A ? 15 : 16));
    },
  );

  it('jumps not if its frame is not taken', () => {
    const sender = setUp(profile1A);
    sender.protect();
    sender.jump(5);
    sender.discard();
    expect(sender.send()).toBe(0n);
  });

  it.each([
    [2, 1, 'wrong_sequence'],
    [1, 2, 'ok_some_lost'],
    [-1, 1, 'repeated'],
  ] as const)('by %d is with a delta of %d for the receiver %s', (by, delta, expected) => {
    const sender = setUp({ profile: '5', data_id: 1, max_delta_counter: delta });
    sender.send();
    sender.check();
    sender.protect();
    sender.jump(by);
    expect(sender.check()).toBe(expected);
  });

  it.each<[Partial<E2eSettings>, number, number, number]>([
    [profile1A, 12, 4, 9],
    [profile1A, 3, 11, 1],
    [profile1A, 0, -7, 13],
    [profile2, 15, 10, 0],
    [{ profile: '5', data_id: 1 }, 100, 10, 15],
    [{ profile: '11C', data_id: 1 }, 9, 10, 0],
    [wideCounter(9n), 8, 4, 9],
  ])(
    'of %o, frozen at %d, jumps by %d from what it would have been',
    (codec, frozen, by, expected) => {
      const bytes = '00'.repeat(16);
      const sender = setUp(codec, bytes);
      const plain = setUp(codec, bytes);
      sent(sender, 5);
      sent(plain, 5);
      sender.protect();
      plain.protect();
      sender.freeze(frozen);
      sender.jump(by);
      plain.jump(by);
      expect(Number(sender.counter())).toBe(expected);
      expect(sender.frame.hex).toBe(plain.frame.hex);
      sender.commit();
      plain.commit();
      expect(sent(sender, 3)).toEqual(sent(plain, 3));
    },
  );

  it('jumps from what it would have been if its bytes were written over', () => {
    const sender = setUp(profile1A);
    sent(sender, 5);
    sender.protect();
    sender.frame.buffer[sender.frame.at + 1] = 0xff;
    sender.jump(4);
    expect(sender.counter()).toBe(9n);
    sender.commit();
    expect(sender.send()).toBe(10n);
  });

  it('goes on from there if its frame is frozen behind the jump', () => {
    const sender = setUp(profile1A);
    sent(sender, 5);
    sender.protect();
    sender.jump(4);
    sender.freeze(2);
    expect(sender.counter()).toBe(2n);
    sender.commit();
    expect(sender.send()).toBe(10n);
  });

  it('adds up with another jump', () => {
    const sender = setUp(profile1A);
    sent(sender, 5);
    sender.protect();
    sender.jump(7);
    sender.freeze(1);
    sender.jump(5);
    expect(sender.counter()).toBe(2n);
    sender.commit();
    expect(sender.send()).toBe(3n);
  });

  it('jumps exactly where counters are wider than doubles', () => {
    const sender = setUp(wideCounter(2n ** 60n), '00'.repeat(16));
    sender.protect();
    sender.jump(2n ** 59n + 1n);
    expect(sender.counter()).toBe(2n ** 59n + 1n);
    sender.commit();
    sender.protect();
    sender.jump(Number.MAX_SAFE_INTEGER);
    expect(sender.counter()).toBe(2n ** 59n + 2n + BigInt(Number.MAX_SAFE_INTEGER));
  });
});

describe('a corrupted checksum', () => {
  it.each([
    [profile1A, data, 0x81, '81'],
    [{ profile: '5', data_id: 1 }, data, 0x8001n, '0180'],
    [{ profile: '6', data_id: 1 }, data, 0x8001, '8001'],
    [{ profile: '7', data_id: 1 }, '00'.repeat(24), 2n ** 63n + 1n, '8000000000000001'],
  ] as const)('of %o has its bits flipped, and no others', (fields, hex, mask, expected) => {
    const sender = setUp(fields as Partial<E2eSettings>, hex);
    sender.protect();
    const before = sender.frame.data;
    sender.corrupt(mask);
    const flipped = sender.frame.data.map((byte, index) => byte ^ (before[index] as number));
    const bytes = expected.length / 2;
    expect(Buffer.from(flipped.subarray(0, bytes)).toString('hex')).toBe(expected);
    expect([...flipped.subarray(bytes)].every((byte) => byte === 0)).toBe(true);
    expect(sender.check()).toBe('error');
  });

  it('moves the counter like any other frame', () => {
    const sender = setUp(profile1A);
    sender.protect();
    sender.corrupt(1);
    sender.commit();
    expect(sender.send()).toBe(1n);
  });

  it('stays corrupted only until something computes it anew', () => {
    const sender = setUp(profile1A);
    sender.protect();
    sender.corrupt(0xff);
    sender.freeze(0);
    expect(sender.check()).toBe('initial');
  });
});

describe('a frame without protection', () => {
  it.each([
    [profile1A, 'ffffffffffffffff', '00f0ffffffffffff'],
    [{ profile: '1C', data_id: 0xfff }, 'ffffffffffffffff', '0000ffffffffffff'],
    [profile2, 'ffffffffffffffff', '00f1ffffffffffff'],
    [{ ...profile2, counter_initial: '7' }, 'ffffffffffffffff', '00f7ffffffffffff'],
    [{ profile: '5', data_id: 1, counter_initial: '9' }, 'ff'.repeat(8), '000009ffffffffff'],
    [{ profile: '6', data_id: 1 }, 'ff'.repeat(8), '0000000000ffffff'],
    [{ profile: '4', data_id: 1 }, 'ff'.repeat(16), `${'00'.repeat(12)}ffffffff`],
    [{ profile: '7', data_id: 1 }, 'ff'.repeat(24), `${'00'.repeat(20)}ffffffff`],
  ] as const)('of %o has the initial counter and zeros, and its data', (fields, hex, expected) => {
    const sender = setUp(fields as Partial<E2eSettings>, hex);
    sender.bypass();
    expect(sender.frame.hex).toBe(expected);
  });

  it('does not move the counter', () => {
    const sender = setUp(profile1A);
    sent(sender, 3);
    sender.protect();
    sender.bypass();
    sender.commit();
    expect(sender.send()).toBe(3n);
  });
});
