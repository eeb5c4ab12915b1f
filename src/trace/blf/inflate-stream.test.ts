import { constants, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { InflateStream } from './container-contents.ts';

/** Returns bytes in portions of these sizes, in turn. */
const portionsOf = (bytes: Uint8Array, sizes: readonly number[]) => {
  let at = 0;
  let turn = 0;
  return (): Uint8Array | undefined => {
    if (at >= bytes.length) return undefined;
    const from = at;
    at += sizes[turn++ % sizes.length] ?? bytes.length;
    return bytes.subarray(from, at);
  };
};

const inflate = (bytes: Uint8Array, ...sizes: number[]) => {
  const stream = new InflateStream(portionsOf(bytes, sizes));
  const pieces: Buffer[] = [];
  do pieces.push(Buffer.from(stream.next()));
  while (stream.state === 'going');
  const contents = Buffer.concat(pieces);
  expect(stream.total).toBe(contents.length);
  expect(stream.next()).toHaveLength(0);
  return { contents, pieces, state: stream.state };
};

/** Bytes of every kind that compression distinguishes: noise, runs and distant repetitions. */
const mixed = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  let noise = 1;
  for (let at = 0; at < length; at++) {
    noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0;
    const kind = (at >> 12) % 4;
    if (kind === 0) bytes[at] = noise >>> 24;
    else if (kind === 1) bytes[at] = at >> 6;
    else if (at >= 32_000) bytes[at] = bytes[at - 32_000] as number;
  }
  return bytes;
};

describe('inflating in pieces', () => {
  const original = mixed(400_000);

  it.each([
    ['stored blocks', { level: 0 }],
    ['fast compression', { level: 1 }],
    ['the best compression', { level: 9 }],
    ['fixed codes', { strategy: constants.Z_FIXED }],
    ['literals alone', { strategy: constants.Z_HUFFMAN_ONLY }],
    ['runs', { strategy: constants.Z_RLE }],
    ['a small window', { windowBits: 9 }],
  ])('gives what was deflated with %s', (_, options) => {
    const { contents, pieces, state } = inflate(deflateSync(original, options), 1000, 1, 7);
    expect(state).toBe('ended');
    expect(contents.equals(original)).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(0x1_0000 + 258);
  });

  it('gives what was deflated, whatever it is and in whichever portions it comes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 20 }))),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 9 }),
        (parts, sizes, level) => {
          const whole = Buffer.concat(parts.flatMap(([bytes, n]) => new Array(n).fill(bytes)));
          const { contents, state } = inflate(deflateSync(whole, { level }), ...sizes);
          expect(state).toBe('ended');
          expect(contents.equals(whole)).toBe(true);
        },
      ),
      { seed: 4, numRuns: cases(40, 200) },
    );
  });

  it('gives what there is of a stream that was cut, wherever that was', () => {
    const small = original.subarray(3000, 12_000);
    const deflated = deflateSync(small);
    for (let length = 0; length < deflated.length; length += cases(7, 1)) {
      const { contents, state } = inflate(deflated.subarray(0, length));
      expect(state).toBe('cut');
      expect(contents.equals(small.subarray(0, contents.length))).toBe(true);
    }
  });

  it('notices a checksum that is wrong', () => {
    const deflated = deflateSync(original);
    deflated[deflated.length - 1] = (deflated.at(-1) as number) ^ 1;
    expect(inflate(deflated)).toMatchObject({ state: 'damaged' });
  });

  it.each([
    ['no zlib header', [0x50, 0x4b, 3, 4]],
    ['a dictionary that is not there', [0x78, 0xbb, 0, 0, 0, 0, 0]],
    ['a block of no kind', [0x78, 0x9c, 0x07]],
    ['a stored block whose length is not said twice', [0x78, 0x9c, 1, 5, 0, 0, 0]],
    ['a match from before the beginning', [0x78, 0x9c, 0x03, 0x02, 0, 0, 0, 0]],
  ])('gives up at %s', (_, bytes) => {
    expect(inflate(Uint8Array.from(bytes))).toMatchObject({ state: 'damaged' });
  });

  it('survives damage anywhere', () => {
    const deflated = deflateSync(original.subarray(0, 20_000));
    const hit = fc.tuple(fc.nat({ max: deflated.length - 1 }), fc.nat({ max: 255 }));
    fc.assert(
      fc.property(fc.array(hit, { minLength: 1, maxLength: 6 }), (hits) => {
        const damaged = Buffer.from(deflated);
        for (const [at, byte] of hits) damaged[at] = byte;
        const { contents, state } = inflate(damaged, 97);
        if (state === 'ended') expect(contents.equals(original.subarray(0, 20_000))).toBe(true);
        else expect(['cut', 'damaged']).toContain(state);
      }),
      { seed: 5, numRuns: cases(60, 300) },
    );
  });
});
