import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksumOf } from '../../src/e2e/checksums.ts';
import { exampleCodecs } from '../../src/e2e/testing/example-codecs.ts';
import { link, PlacedBytes, protectedWith } from '../../src/e2e/testing/frames.ts';
import { Uint64 } from '../../src/e2e/uint64.ts';
import { answersOf, hasCrccheck } from './support/e2e-peer.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const frames = 60;

const hexBelow = (bits: number) =>
  fc.bigInt(0n, 2n ** BigInt(bits) - 1n).map((value) => value.toString(16));

const anyCrc = fc.integer({ min: 8, max: 64 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    polynomial: fc.bigInt(1n, 2n ** BigInt(width) - 1n).map((value) => value.toString(16)),
    initial: hexBelow(width),
    final_xor: hexBelow(width),
    reflect: fc.boolean(),
    data: fc.uint8Array({ maxLength: 64 }).map(hexOf),
  }),
);

const maxCounters: Readonly<Record<string, number>> = {
  '2': 15,
  '22': 15,
  '4': 2 ** 16 - 1,
  '5': 255,
  '6': 255,
  '7': 2 ** 32 - 1,
};

/** The example codecs with a profile: a free layout is defined only by its own codec. */
const profileCodecs = Object.entries(exampleCodecs).filter(
  ([, { fields }]) => fields.profile !== 'free' && fields.data_length === undefined,
);

/** Frames with random data and counters, for each of those codecs. */
const sampleFrames = (profile: string, length: number) =>
  fc.sample(
    fc.record({
      data: fc.uint8Array({ minLength: length, maxLength: length }),
      counter: fc.integer({ min: 0, max: maxCounters[profile] ?? 14 }),
      flippedBit: fc.integer({ min: 0, max: 8 * length - 1 }),
    }),
    frames,
  );

describe.runIf(hasCrccheck)('protection beside an implementation over crccheck', () => {
  it('has the same CRCs, whatever their parameters', () => {
    const crcs = fc.sample(anyCrc, 300);
    const ours = crcs.map(({ data, ...parameters }) => {
      const place = { start_bit: 0, bit_length: parameters.width, byte_order: 'intel' } as const;
      const result = new Uint64();
      checksumOf({ ...place, ...parameters, algorithm: 'crc' }).compute(
        Buffer.from(data, 'hex'),
        result,
      );
      return result.toBigInt().toString(16);
    });
    const theirs = answersOf(crcs.map((crc) => ({ operation: 'crc', ...crc })));
    const compared = crcs.map((crc, index) => ({ ...crc, result: ours[index] }));
    expect(compared).toEqual(crcs.map((crc, index) => ({ ...crc, result: theirs[index] })));
  });

  it.each(profileCodecs)('builds the same frames: %s', (_, { fields, length }) => {
    const sampled = sampleFrames(fields.profile ?? '', length);
    const jobs = sampled.map(({ data, counter }) => ({ ...fields, counter, data: hexOf(data) }));
    const theirs = answersOf(jobs.map((job) => ({ ...job, operation: 'protect' })));
    const ours = sampled.map(({ data, counter }) => protectedWith(fields, data, counter).hex);
    expect(ours).toEqual(theirs);
  });

  it.each(profileCodecs)(
    'is checked by it, right and with a bit flipped: %s',
    (_, { fields, length }) => {
      const sampled = sampleFrames(fields.profile ?? '', length);
      const built = sampled.map(({ data, counter }) => protectedWith(fields, data, counter));
      const flipped = built.map(({ data }, index) => {
        const bit = sampled[index]?.flippedBit ?? 0;
        return data.with(bit >> 3, (data[bit >> 3] as number) ^ (1 << (bit & 7)));
      });
      const jobOf = (frame: Uint8Array) => ({ ...fields, operation: 'check', data: hexOf(frame) });
      const answers = answersOf([...built.map(({ data }) => jobOf(data)), ...flipped.map(jobOf)]);
      expect(answers).toEqual([
        ...sampled.map(({ counter }) => counter),
        ...flipped.map(() => null),
      ]);
    },
  );

  it.each(profileCodecs)(
    'checks its frames, right and with a bit flipped: %s',
    (_, { fields, length }) => {
      const sampled = sampleFrames(fields.profile ?? '', length);
      const jobs = sampled.map(({ data, counter }) => ({ ...fields, counter, data: hexOf(data) }));
      const theirs = answersOf(jobs.map((job) => ({ ...job, operation: 'protect' })));
      const { checker } = link(fields, length);
      const results = theirs.flatMap((hex, index) => {
        const frame = new PlacedBytes(Buffer.from(String(hex), 'hex'));
        checker.reset();
        const right = checker.check(frame.buffer, frame.at);
        const bit = sampled[index]?.flippedBit ?? 0;
        const place = frame.at + (bit >> 3);
        frame.buffer[place] = (frame.buffer[place] as number) ^ (1 << (bit & 7));
        return [right, checker.check(frame.buffer, frame.at)];
      });
      expect(results).toEqual(sampled.flatMap(() => ['initial', 'error']));
    },
  );
});
