import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiSlack, asciiText, putAscii, putHex, putInteger, putUint32 } from './ascii-writer.ts';

const room = 256;

/** What a writer wrote at an odd offset; checks that nothing beyond its slack was written. */
const written = (write: (view: DataView, at: number) => number, slack = 0): string => {
  const bytes = new Uint8Array(room).fill(0xee);
  const start = 3;
  const end = write(new DataView(bytes.buffer), start);
  expect(bytes.subarray(0, start).every((byte) => byte === 0xee)).toBe(true);
  expect(bytes.subarray(end + slack).every((byte) => byte === 0xee)).toBe(true);
  return new TextDecoder().decode(bytes.subarray(start, end));
};

describe('putAscii', () => {
  it('writes every text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
        const prepared = asciiText(text);
        expect(written((view, at) => putAscii(view, at, prepared), asciiSlack)).toBe(text);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('keeps the bits of bytes that come nearest to a NaN', () => {
    const text = '\u007f'.repeat(16);
    expect(written((view, at) => putAscii(view, at, asciiText(text)), asciiSlack)).toBe(text);
  });
});

describe('putUint32', () => {
  const edges = Array.from({ length: 10 }, (_, power) => [10 ** power - 1, 10 ** power]).flat();

  it.each([...edges, 2 ** 31, 2 ** 32 - 1])('writes %d', (value) => {
    expect(written((view, at) => putUint32(view, at, value))).toBe(String(value));
  });
});

describe('putInteger', () => {
  const edges = Array.from({ length: 16 }, (_, power) => [10 ** power - 1, 10 ** power]).flat();

  it.each([...edges, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])('writes %d', (value) => {
    expect(written((view, at) => putInteger(view, at, value))).toBe(String(value));
  });

  it('writes every integer below 2^53', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(written((view, at) => putInteger(view, at, value))).toBe(String(value));
      }),
      { seed: 12, numRuns: 2000 },
    );
  });
});

describe('putHex', () => {
  it('writes all bytes in uppercase', () => {
    const source = new DataView(Uint8Array.of(0xff, 0x00, 0x0a, 0xbc, 0xff).buffer);
    expect(written((view, at) => putHex(view, at, source, 1, 3))).toBe('000ABC');
  });
});
