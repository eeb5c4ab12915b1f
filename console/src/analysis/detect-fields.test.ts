import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DetectedField, detectFields, type Payloads } from './detect-fields.ts';

const frames = 512;

/** Payloads of frames whose bytes are written one by one. */
const payloadsOf = (
  write: (frame: number, bytes: Uint8Array) => void,
  length = 8,
  count = frames,
): Payloads => {
  const data = new Uint8Array(length * count);
  for (let frame = 0; frame < count; frame++) {
    write(frame, data.subarray(frame * length, (frame + 1) * length));
  }
  return { data, length, count };
};

/** Same numbers in each run, without a pattern. */
const noise = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
};

const found = (payloads: Payloads, kind: DetectedField['kind']) =>
  detectFields(payloads).filter((field) => field.kind === kind);

/** CRC bit by bit, from the polynomial division. */
const slowCrc = (
  bytes: readonly number[],
  polynomial: number,
  initial: number,
  final: number,
): number => {
  let crc = initial;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const isSet = ((crc >> 7) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) & 0xff) ^ (isSet ? polynomial : 0);
    }
  }
  return crc ^ final;
};

const rangeOf = (from: number, length: number): number[] =>
  Array.from({ length }, (_, at) => from + at);

describe('counters', () => {
  it('are found at any place, with any modulus, among other data', () => {
    const place = fc
      .record({ bits: fc.integer({ min: 2, max: 8 }), seed: fc.nat() })
      .chain(({ bits, seed }) =>
        fc.record({
          bits: fc.constant(bits),
          seed: fc.constant(seed),
          shift: fc.integer({ min: 0, max: 8 - bits }),
          byte: fc.integer({ min: 0, max: 7 }),
          // The highest bit of the field is used.
          max: fc.integer({ min: 2 ** (bits - 1), max: 2 ** bits - 1 }),
          min: fc.integer({ min: 0, max: bits > 2 ? 1 : 0 }),
        }),
      );
    fc.assert(
      fc.property(place, ({ bits, seed, shift, byte, max, min }) => {
        const random = noise(seed);
        const payloads = payloadsOf((frame, bytes) => {
          for (let i = 0; i < 8; i++) bytes[i] = random();
          const value = min + (frame % (max - min + 1));
          const others = (bytes[byte] as number) & ~((2 ** bits - 1) << shift);
          bytes[byte] = others | (value << shift);
        });
        expect(found(payloads, 'counter')).toEqual([
          {
            kind: 'counter',
            bits: rangeOf(8 * byte + shift, bits),
            rule: `${min} to ${max}`,
            agreed: frames - 1,
            of: frames - 1,
          },
        ]);
      }),
      { seed: 11, numRuns: 25 },
    );
  });

  it('can be longer than a byte in both byte orders', () => {
    const little = payloadsOf((frame, bytes) =>
      new DataView(bytes.buffer, bytes.byteOffset).setUint16(2, frame + 250, true),
    );
    expect(found(little, 'counter')[0]).toMatchObject({
      bits: rangeOf(16, 10),
      rule: '250 to 761',
    });
    const big = payloadsOf((frame, bytes) =>
      new DataView(bytes.buffer, bytes.byteOffset).setUint16(2, frame + 250),
    );
    expect(found(big, 'counter')[0]?.bits).toEqual([...rangeOf(24, 8), 16, 17]);
  });

  it('survive a lost frame, but not a field that counts only now and then', () => {
    const lossy = payloadsOf((frame, bytes) => {
      bytes[0] = (frame < 100 ? frame : frame + 3) & 0xf;
    });
    expect(found(lossy, 'counter')[0]).toMatchObject({ agreed: frames - 2, of: frames - 1 });
    const slow = payloadsOf((frame, bytes) => {
      bytes[0] = (frame >> 1) & 0xf;
    });
    expect(found(slow, 'counter')).toEqual([]);
    const down = payloadsOf((frame, bytes) => {
      bytes[0] = -frame & 0xff;
    });
    expect(found(down, 'counter')).toEqual([]);
    const toggling = payloadsOf((frame, bytes) => {
      bytes[0] = frame & 1;
    });
    expect(found(toggling, 'counter')).toEqual([]);
  });
});

describe('checksums', () => {
  const functions = {
    'XOR of the other bytes': (rest: readonly number[]) => rest.reduce((a, b) => a ^ b, 0x5a),
    'sum of the other bytes': (rest: readonly number[]) => rest.reduce((a, b) => a + b, 7) & 0xff,
    'negated sum of the other bytes': (rest: readonly number[]) =>
      -rest.reduce((a, b) => a + b, 3) & 0xff,
    'CRC-8, polynomial 0x1D': (rest: readonly number[]) => slowCrc(rest, 0x1d, 0xff, 0xff),
    'CRC-8, polynomial 0x2F': (rest: readonly number[]) =>
      slowCrc([0x12, ...rest], 0x2f, 0xff, 0xff),
    'CRC-8, polynomial 0x1D, data ID of 16 bits last': (rest: readonly number[]) =>
      slowCrc([...rest, 0x34, 0x12], 0x1d, 0, 0),
  };

  it.each(Object.entries(functions))('are found: %s', (rule, checksum) => {
    for (const place of [0, 7]) {
      const random = noise(place + 3);
      const payloads = payloadsOf((frame, bytes) => {
        bytes.set([0x10, random(), 0, random() & 3, 0x33, frame & 0xf, random(), 0x80]);
        bytes[place] = checksum([...bytes].filter((_, at) => at !== place));
      });
      expect(found(payloads, 'checksum')).toEqual([
        { kind: 'checksum', bits: rangeOf(8 * place, 8), rule, agreed: frames, of: frames },
      ]);
    }
  });

  it('are found over a counter alone, if they are a CRC', () => {
    const payloads = payloadsOf((frame, bytes) => {
      bytes.set([0, frame % 15, 1, 2, 3, 4, 5, 6]);
      bytes[0] = slowCrc([...bytes.subarray(1)], 0x1d, 0xff, 0);
    });
    expect(detectFields(payloads).map(({ kind, rule }) => [kind, rule])).toEqual([
      ['counter', '0 to 14'],
      ['checksum', 'CRC-8, polynomial 0x1D'],
    ]);
  });

  it('are found where the counter selects the data ID, as in E2E profile 2', () => {
    const ids = [7, 99, 12, 201, 3, 55, 180, 41, 9, 77, 130, 22, 250, 61, 118, 5];
    const random = noise(9);
    const payloads = payloadsOf((frame, bytes) => {
      const counter = frame & 0xf;
      bytes.set([0, counter, random(), random(), 0, 0, random() & 1, 0]);
      bytes[0] = slowCrc([...bytes.subarray(1), ids[counter] as number], 0x2f, 0xff, 0xff);
    });
    expect(found(payloads, 'checksum')[0]).toMatchObject({
      bits: rangeOf(0, 8),
      rule: 'CRC-8, polynomial 0x2F, data ID of 8 bits last, by counter value',
      agreed: frames,
    });
  });

  it('survive a few corrupt frames, which the evidence shows', () => {
    const random = noise(4);
    const payloads = payloadsOf((frame, bytes) => {
      bytes.set([0, frame & 0xf, random(), random(), random(), 0, 0, 0]);
      bytes[0] = slowCrc([...bytes.subarray(1)], 0x1d, 0, 0) ^ (frame % 128 === 5 ? 1 : 0);
    });
    expect(found(payloads, 'checksum')[0]).toMatchObject({ agreed: frames - 4, of: frames });
  });

  it('are never made up: not from noise, copies, idle messages or too few frames', () => {
    const noisy = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(noisy, (seed) => {
        const random = noise(seed);
        const payloads = payloadsOf((_, bytes) => {
          for (let i = 0; i < 8; i++) bytes[i] = random();
        });
        expect(detectFields(payloads)).toEqual([]);
      }),
      { seed: 12, numRuns: 10 },
    );
    const random = noise(2);
    const copied = payloadsOf((_, bytes) => {
      bytes[1] = bytes[6] = random();
    });
    expect(detectFields(copied)).toEqual([]);
    const shifted = payloadsOf((_, bytes) => {
      const value = random() >> 2;
      bytes[7] = value << 1;
      bytes[2] = value;
    });
    expect(detectFields(shifted)).toEqual([]);
    const idle = payloadsOf((frame, bytes) => {
      bytes.set(frame & 1 ? [1, 2, 3, 4] : [5, 6, 7, 8]);
    });
    expect(detectFields(idle)).toEqual([]);
    expect(detectFields(payloadsOf((frame, bytes) => bytes.fill(frame & 0xf), 8, 63))).toEqual([]);
    // Three signals of which each is the XOR of the two others.
    const coupled = payloadsOf((_, bytes) => {
      bytes[2] = random();
      bytes[3] = random();
      bytes[4] = (bytes[2] as number) ^ (bytes[3] as number);
    });
    expect(detectFields(coupled)).toEqual([]);
  });
});
