import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Checker } from './checker.ts';
import type { E2eSettings } from './codec-fields.ts';
import { compileLayout } from './layout.ts';
import { exampleCodecs } from './testing/example-codecs.ts';
import { hexBytes, link, PlacedBytes, protectedWith } from './testing/frames.ts';
import { loadCodec } from './testing/load-codec.ts';

const check = (checker: Checker, frame: PlacedBytes): string =>
  checker.check(frame.buffer, frame.at);

describe.each(Object.entries(exampleCodecs))('protection by %s', (_, { fields, length }) => {
  const anyData = fc.uint8Array({ minLength: length, maxLength: length });

  it('is accepted frame by frame, and leaves the frames that are checked alone', () => {
    fc.assert(
      fc.property(fc.array(anyData, { minLength: 40, maxLength: 40 }), (frames) => {
        const { protector, checker } = link(fields, length);
        frames.forEach((data, index) => {
          const frame = new PlacedBytes(data);
          protector.protect(frame.buffer, frame.at);
          protector.commit();
          const { hex } = frame;
          expect(check(checker, frame)).toBe(index === 0 ? 'initial' : 'ok');
          expect(checker.isValid).toBe(true);
          expect(frame.hex).toBe(hex);
        });
      }),
      { numRuns: 5 },
    );
  });

  it('changes its own bits alone', () => {
    const { protector, layout } = link(fields, length);
    fc.assert(
      fc.property(anyData, (data) => {
        const frame = new PlacedBytes(data);
        protector.protect(frame.buffer, frame.at);
        const own = [
          layout.counter,
          layout.checksum,
          ...layout.constants.map(({ field }) => field),
        ];
        const kept = new Uint8Array(length).fill(0xff);
        for (const { byte, shift, bits } of own.flatMap(({ segments }) => segments)) {
          kept[byte] = (kept[byte] as number) & ~(((1 << bits) - 1) << shift);
        }
        const others = (bytes: Uint8Array): number[] =>
          [...bytes].map((byte, index) => byte & (kept[index] as number));
        expect(others(frame.data)).toEqual(others(data));
      }),
      { numRuns: 10 },
    );
  });

  it('is refused with any bit of it flipped', () => {
    const codec = loadCodec(fields, length);
    const layout = compileLayout(codec, length);
    const checker = new Checker(layout, codec);
    const data = Uint8Array.from({ length }, (__, index) => 37 * index + 11);
    for (let counter = 0; counter < 15; counter += 1) {
      const frame = protectedWith(fields, data, counter);
      for (let bit = 0; bit < 8 * length; bit += 1) {
        const index = frame.at + (bit >> 3);
        const byte = frame.buffer[index] as number;
        frame.buffer[index] = byte ^ (1 << (bit & 7));
        const isProtected = bit < 8 * layout.length;
        const result = check(checker, frame);
        expect([counter, bit, result === 'error']).toEqual([counter, bit, isProtected]);
        frame.buffer[index] = byte;
      }
    }
  });
});

describe('a frame is refused', () => {
  const frameWith = (fields: Partial<E2eSettings>, length: number): PlacedBytes =>
    protectedWith(fields, new Uint8Array(length), 1);

  it.each([
    ['with another implicit data id', { profile: '1A', data_id: 1 }, { data_id: 2 }, 8],
    [
      'with another nibble of the data id',
      { profile: '1C', data_id: 0x101 },
      { data_id: 0x201 },
      8,
    ],
    ['with another explicit data id', { profile: '4', data_id: 1 }, { data_id: 2 }, 16],
    ['with a data id of another variant', { profile: '1A', data_id: 0x101 }, { profile: '1C' }, 8],
    ['with another checksum', { profile: '5', data_id: 1 }, { profile: '6' }, 8],
  ] as const)('%s', (_, fields, others, length) => {
    const sent = fields as Partial<E2eSettings>;
    const { checker } = link({ ...sent, ...others } as Partial<E2eSettings>, length);
    expect(check(checker, frameWith(sent, length))).toBe('error');
    expect(checker.isValid).toBe(false);
  });

  it.each(['4', '6', '7'] as const)('in profile %s with another length', (profile) => {
    const fields = { profile, data_id: 1 } as const;
    const { checker } = link({ ...fields, data_length: 30 }, 32);
    expect(check(checker, frameWith(fields, 32))).toBe('error');
  });

  it.each(['1A', '11A'] as const)('in profile %s with the counter that there is not', (profile) => {
    const fields = { profile, data_id: 0x0123 };
    const { checker } = link(fields, 8);
    // Without initial value and final XOR, the CRC of counter 15 follows from those of 14, 1 and 0.
    const frame = protectedWith(fields, new Uint8Array(8), 14);
    const [of14, of1, of0] = [14, 1, 0].map(
      (counter) => protectedWith(fields, new Uint8Array(8), counter).data[0] as number,
    );
    frame.buffer[frame.at] = (of14 as number) ^ (of1 as number) ^ (of0 as number);
    frame.buffer[frame.at + 1] = 15;
    expect(check(checker, frame)).toBe('error');
  });

  it('of a free layout with a counter beyond its largest', () => {
    const place = { start_bit: 8, bit_length: 8, byte_order: 'intel' } as const;
    const checksum = {
      start_bit: 0,
      bit_length: 8,
      byte_order: 'intel',
      algorithm: 'CRC8',
    } as const;
    const wide = { profile: 'free', checksum, counter: { ...place, max: '255' } } as const;
    const narrow = { ...wide, counter: { ...place, max: '99' } };
    const { checker } = link(narrow, 8);
    expect(check(checker, protectedWith(wide, new Uint8Array(8), 99))).toBe('initial');
    expect(check(checker, protectedWith(wide, new Uint8Array(8), 100))).toBe('error');
    expect(check(checker, protectedWith(wide, new Uint8Array(8), 0))).toBe('ok');
  });
});

describe('a Checker', () => {
  const fields = { profile: '1A', data_id: 7 } as const;
  const frames = (counters: readonly number[]): PlacedBytes[] =>
    counters.map((counter) => protectedWith(fields, hexBytes('0000112233445566'), counter));
  const resultsOf = (codec: Partial<E2eSettings>, counters: readonly number[]): string[] => {
    const { checker } = link({ ...fields, ...codec }, 8);
    return frames(counters).map((frame) => check(checker, frame));
  };

  it('takes the rules of profile 1 from its codec', () => {
    const counters = [0, 0, 1, 5, 6, 7];
    expect(resultsOf({ max_no_new_or_repeated: 0, sync_counter_init: 1 }, counters)).toEqual([
      'initial',
      'repeated',
      'sync',
      'wrong_sequence',
      'sync',
      'ok',
    ]);
  });

  it('does not resynchronise where the codec says nothing about it', () => {
    const counters = [0, ...Array.from({ length: 20 }, () => 0), 1, 8, 3];
    expect(resultsOf({}, counters).slice(-3)).toEqual(['ok', 'wrong_sequence', 'ok_some_lost']);
  });

  it('has the wider gap of profile 1 in 1 and 2, and not in 11 and 22', () => {
    const data_id_list = Array.from({ length: 16 }, (_, index) => index);
    const codecs = [
      { profile: '1A', data_id: 7 },
      { profile: '2', data_id_list },
      { profile: '11A', data_id: 7 },
      { profile: '22', data_id_list },
    ] as const;
    const results = codecs.map((codec) => {
      const { checker } = link(codec, 8);
      check(checker, protectedWith(codec, new Uint8Array(8), 4));
      return check(checker, protectedWith(codec, new Uint8Array(8), 6));
    });
    expect(results).toEqual(['ok_some_lost', 'ok_some_lost', 'wrong_sequence', 'wrong_sequence']);
  });

  it('is valid by its window', () => {
    const { checker } = link({ ...fields, window: { size: 3, min_ok: 2, max_error: 0 } }, 8);
    const states = frames([0, 1, 1, 1, 2, 3]).map((frame) => {
      check(checker, frame);
      return checker.isValid;
    });
    expect(states).toEqual([false, true, true, false, false, true]);
  });

  it('begins anew after a reset', () => {
    const { checker } = link(fields, 8);
    const [first, second] = frames([0, 9]) as [PlacedBytes, PlacedBytes];
    check(checker, first);
    checker.reset();
    expect(checker.isValid).toBe(false);
    expect(check(checker, second)).toBe('initial');
    expect(checker.isValid).toBe(true);
  });
});
